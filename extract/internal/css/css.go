// Package css finds the URLs of style sheets and declaration lists as byte spans. It follows the
// token rules of CSS Syntax Level 3 (section 4) without building tokens.
//
// A URL can stand in three places only: after a '(' that follows one of a few names, in the prelude
// of an at-rule, and after a name with escapes. The scanner jumps to the next byte that may lead to
// such a place: '(', '@' or '\' (start.go). It also stops at strings, comments and escapes, to skip
// them: they may contain text that only looks like a URL. More bytes matter inside functions that
// take strings and in the preludes of at-rules; there the scanner reads each byte. CSS Values Level
// 4 and CSS Images Level 4 define the URLs: url() with and without quotes, src(), both forms of
// @import, and the strings of image-set() and image().
//
// Files in reading order: css.go (the state of a scanner), escape.go, token.go (the ends of
// tokens), function.go (the names of functions), url.go, at.go (at-rules), start.go, scanner.go
// (the loop), begin.go (how style sheets begin).
package css

import "unicode/utf8"

// Context is the meaning of a URL.
type Context uint8

const (
	URL       Context = iota // url() or src(), outside of @import, @namespace and @document
	Import                   // @import, string or url()
	Image                    // a string of image-set() or image()
	Namespace                // @namespace: an identifier
	Document                 // @document: it matches addresses, and nothing is fetched
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

	data         []byte
	pos          int
	declarations bool // data is a declaration list, in which at-rules do not count

	rule       Context // Import, Namespace or Document in the prelude of that rule, otherwise URL
	braces     int     // number of blocks that are open at bracesRead
	bracesRead int     // the offset up to which inBlock has read
	depth      int     // number of open brackets, counted from the outermost function that takes strings; 0 outside
	imageBits  uint64  // bit n: strings in the bracket at depth n are URLs; deeper than 63, strings are not URLs

	nameBuffer [maxName + utf8.UTFMax]byte // memory for unescapedName
}

// maxName is more than the length of any known name.
const maxName = 32

// Reset makes s scan data, which is a style sheet. If declarations is set, data is a declaration
// list, as in a style attribute. s keeps data until the next Reset.
func (s *Scanner) Reset(data []byte, declarations bool) {
	*s = Scanner{data: data, declarations: declarations}
}
