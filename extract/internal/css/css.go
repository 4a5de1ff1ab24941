// Package css finds the URLs of style sheets and declaration lists as byte spans. It follows the
// token rules of CSS Syntax Level 3 (section 4) without building tokens.
//
// A URL can stand only after a '(' that follows one of a few names, after an at-rule, or after a
// name with escapes. The scanner jumps from one such place to the next (start.go). It skips the
// strings, comments and escapes between them, which may contain text that only looks like a URL.
// More bytes matter inside functions that take strings and in the preludes of at-rules; there the
// scanner reads each byte. CSS Values Level 4 and CSS Images Level 4 define the URLs: url() with
// and without quotes, src(), both forms of @import, and the strings of image-set() and image().
//
// Files in reading order: css.go (the state of a scanner), escape.go, token.go (the ends of
// tokens), function.go (the names of functions), url.go, at.go (at-rules), start.go, scanner.go
// (the loop), begin.go (how style sheets begin).
package css

import "unicode/utf8"

// Context is the meaning of a URL.
type Context uint8

const (
	URL       Context = iota // url() or src() of a declaration
	Import                   // @import, string or url()
	Image                    // a string of image-set() or image()
	Namespace                // @namespace: an identifier
	Document                 // @document: matches addresses and fetches nothing
)

// none is the context of a string that is not a URL.
const none Context = 255

// Scanner yields the URLs of one style text. The zero value is ready for Reset. It allocates
// nothing and is not safe for concurrent use.
type Scanner struct {
	// The URL that Next found last.

	Start, End int     // the URL, without quotes and outer white space
	Quote      byte    // '"', '\'', or 0 for an unquoted url()
	Escaped    bool    // the URL contains escapes or NUL: see AppendUnescaped
	Context    Context // the meaning of the URL

	data []byte
	pos  int
	decl bool // a declaration list: at-rules do not count

	at      Context // Import, Namespace or Document inside the prelude of such a rule, otherwise URL
	braces  int     // number of blocks that are open at counted
	counted int     // the offset up to which nested has read
	depth   int     // number of open brackets since the outermost function that takes strings, or 0 outside of one
	images  uint64  // bit n: the bracket at depth n takes strings as URLs; deeper than 63, none does

	word [longest + utf8.UTFMax]byte // the memory of name
}

// longest is more than the length of any known name.
const longest = 32

// Reset makes s scan data, which is a style sheet. If declarations is set, data is a declaration
// list, as in a style attribute. s keeps data until the next Reset.
func (s *Scanner) Reset(data []byte, declarations bool) {
	*s = Scanner{data: data, decl: declarations}
}
