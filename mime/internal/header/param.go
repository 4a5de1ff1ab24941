package header

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"sort"
	"strconv"
	"strings"

	"absolink/extract"
	"absolink/resolve"
	"absolink/resolve/ascii"
)

// MediaType returns the type/subtype of a Content-Type in lower case, or an empty string if value
// does not have that form. Blanks and comments may stand around both words and the slash (RFC 2045
// Section 5.1, RFC 822 Section 3.1.4). The bare "text" of old mail is text/plain. Quotes around the
// type do not count.
func MediaType(value string) string {
	value = skipComment(withoutOuterQuotes(skipComment(value)))
	kind, rest := cutWord(value)
	slash := skipComment(rest)
	if !strings.HasPrefix(slash, "/") {
		if strings.EqualFold(kind, "text") {
			return "text/plain"
		}
		return ""
	}
	after := skipComment(slash[1:])
	sub, end := cutWord(after)
	if !ascii.MIMEToken.HasAll(kind) || !ascii.MIMEToken.HasAll(sub) {
		return ""
	}
	spaced := len(slash) < len(rest) || len(after) < len(slash)-1
	if strings.HasPrefix(end, "/") || spaced && strings.HasPrefix(skipComment(end), "=") {
		return "" // three words, or a parameter in place of the subtype
	}
	return strings.ToLower(kind + "/" + sub)
}

// cutWord cuts s after its first word of a media type.
func cutWord(s string) (word, rest string) {
	if i := strings.IndexAny(s, "/; \t(,="); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// withoutOuterQuotes returns value without the quotes around the text at its start. Quotes around
// parameters stay.
func withoutOuterQuotes(value string) string {
	if value == "" || value[0] != '"' && value[0] != '\'' {
		return value
	}
	inside, after, ok := strings.Cut(value[1:], value[:1])
	if !ok || strings.IndexByte(inside, ';') >= 0 {
		return value
	}
	return inside + after
}

// skipComment drops blanks and comments from the start of s. If a comment is not closed, nothing is
// left.
func skipComment(s string) string {
	for {
		s = strings.TrimLeft(s, " \t")
		if !strings.HasPrefix(s, "(") {
			return s
		}
		s = s[commentEnd(s):]
	}
}

// maxComment is the number of bytes in which a comment must end. So a field with very many
// parentheses is read quickly.
const maxComment = 1000

// commentEnd returns the length of the comment at the start of s, or the length of s if the comment
// is not closed. Comments nest, and a backslash quotes the next character (RFC 5322 Section 3.2.2).
func commentEnd(s string) int {
	depth := 0
	for i := 0; i < min(len(s), maxComment); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// Encoding reads a Content-Transfer-Encoding leniently. It drops quotes, comments, and semicolons
// with the text after them. It takes 8-bit, 8bits and 8 for 8bit, and similarly for the other
// encodings.
func Encoding(value string) string {
	value = strings.TrimLeft(skipComment(value), `"' `)
	if i := strings.IndexAny(value, `;,"' (`+"\t"); i >= 0 {
		value = value[:i]
	}
	value = strings.ToLower(value)
	switch value {
	case "", "7", "7-bit", "7bits", "none":
		return "7bit"
	case "8", "8-bit", "8bits":
		return "8bit"
	case "quoted_printable", "quotedprintable":
		return "quoted-printable"
	case "uuencode", "x-uue", "uue":
		return "x-uuencode"
	}
	return value
}

// Identity reports whether a normalised transfer encoding leaves bytes unchanged.
func Identity(encoding string) bool {
	return encoding == "7bit" || encoding == "8bit" || encoding == "binary"
}

// Param returns a parameter of an unfolded field value, or an empty string. If two parameters have
// the same name, the first counts. Param also reads the forms of RFC 2231: name*, name*0, name*1*
// and so on.
func Param(value, name string) string {
	var pieces []piece
	plain, extended, found := "", "", false
	for rest, ok := afterSemicolon(value); ok; {
		var key, v string
		key, v, rest, ok = nextParam(rest)
		switch {
		case key == name && !found:
			plain, found = v, true
		case key == name+"*" && extended == "":
			extended = decodeExtended([]piece{{text: v, encoded: true}})
		default:
			if p, is := continuation(key, name, v); is {
				pieces = append(pieces, p)
			}
		}
	}
	switch {
	case extended != "":
		return extended
	case len(pieces) > 0:
		sort.SliceStable(pieces, func(i, j int) bool { return pieces[i].n < pieces[j].n })
		return decodeExtended(pieces)
	}
	return plain
}

func afterSemicolon(value string) (string, bool) {
	_, rest, ok := strings.Cut(value, ";")
	return rest, ok
}

// nextParam reads one parameter. ok is false after the last parameter. A value without quotes ends
// at a blank or semicolon, and may contain any other character.
func nextParam(s string) (key, value, rest string, ok bool) {
	s = strings.TrimLeft(s, "; \t")
	i := strings.IndexAny(s, "=;")
	if i < 0 || s[i] == ';' {
		rest, ok = afterSemicolon(s)
		return "", "", rest, ok
	}
	key = strings.ToLower(strings.Trim(withoutComments(s[:i]), " \t"))
	if k := strings.LastIndexAny(key, " \t"); k >= 0 {
		key = key[k+1:]
	}
	s = skipCommentBefore(strings.TrimLeft(s[i+1:], " \t"))
	if strings.HasPrefix(s, `"`) {
		value, rest = quoted(s[1:])
		return key, value, rest, rest != ""
	}
	end := strings.IndexAny(s, "; \t")
	if end < 0 {
		return key, s, "", false
	}
	return key, s[:end], s[end:], true
}

// skipCommentBefore drops comments from the start of a value if a blank or a quote follows them.
// Other parentheses at the start of a value belong to a file name without quotes.
func skipCommentBefore(s string) string {
	if !strings.HasPrefix(s, "(") {
		return s
	}
	rest := skipComment(s)
	if before := s[len(s)-len(rest)-1]; rest == "" || rest[0] != '"' && before != ' ' && before != '\t' {
		return s
	}
	return rest
}

// quoted reads a quoted string after its opening quote. A backslash counts only before a quote or a
// backslash: other backslashes are parts of file names.
func quoted(s string) (value, rest string) {
	if end := strings.IndexByte(s, '"'); end >= 0 && strings.IndexByte(s[:end], '\\') < 0 {
		return s[:end], s[end+1:]
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:]
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), ""
}

// piece is one part of a parameter that was split by RFC 2231.
type piece struct {
	n       int
	text    string
	encoded bool
}

// continuation returns value as a piece of the parameter name. ok is false if key is not name with
// one of the endings of RFC 2231.
func continuation(key, name, value string) (p piece, ok bool) {
	number, ok := strings.CutPrefix(key, name+"*")
	if !ok {
		return piece{}, false
	}
	number, encoded := strings.CutSuffix(number, "*")
	n, err := strconv.Atoi(number)
	return piece{n, value, encoded}, err == nil && n >= 0
}

// decodeExtended joins pieces and decodes charset'language'%xx (RFC 2231 Section 4). If the charset
// is unknown, the bytes are not converted.
func decodeExtended(pieces []piece) string {
	charset := ""
	if p := &pieces[0]; p.encoded {
		if c, rest, ok := strings.Cut(p.text, "'"); ok {
			_, rest, ok = strings.Cut(rest, "'")
			if ok {
				charset, p.text = c, rest
			}
		}
	}
	var b strings.Builder
	for _, p := range pieces {
		if p.encoded {
			p.text = resolve.Unescape(p.text)
		}
		b.WriteString(p.text)
	}
	r, err := CharsetReader(charset, strings.NewReader(b.String()))
	if err != nil {
		return b.String()
	}
	decoded, err := io.ReadAll(r)
	if err != nil {
		return b.String()
	}
	return string(decoded)
}

// Words decodes RFC 2047 words, which mail programs put into file names.
func Words(s string) string {
	d := mime.WordDecoder{CharsetReader: CharsetReader}
	if decoded, err := d.DecodeHeader(s); err == nil {
		return decoded
	}
	return s
}

// CharsetReader returns a reader that converts r to UTF-8 from a charset with a name of the
// Encoding Standard or of mail. Bytes that are invalid in a charset of the standard become U+FFFD.
func CharsetReader(charset string, r io.Reader) (io.Reader, error) {
	if decoded := decodingReader(charset, r); decoded != nil {
		return decoded, nil
	}
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var decoded extract.Text
	if !decoded.AppendDecoded(extract.Span{End: len(b)}, b, charset) {
		return nil, errors.New("cannot be read in the charset " + strconv.Quote(charset))
	}
	return bytes.NewReader(decoded.Data), nil
}

// Unfold joins the lines of a field value (RFC 5322 Section 2.2.3). The blanks at the start of each
// continued line stay.
func Unfold(value string) string {
	if strings.IndexByte(value, '\n') < 0 && strings.IndexByte(value, '\r') < 0 {
		return value
	}
	return unfolder.Replace(value)
}

var unfolder = strings.NewReplacer("\r", "", "\n", "")
