package value

import (
	"bytes"

	"absolink/extract/internal/text"
)

// The text of a script element has its own rules (HTML 13.2.5.15 to 31). After "<!--", a "<script"
// hides the next "</script", until "-->". An edit writes neither '<' nor '>', so it adds none of
// these four marks, but may remove one. Then it could show or hide an end of the script. Every
// string is between quotes, so no mark is partly in a string.

// hasCommentStart reports whether the text of a script contains "<!--", so that it may hide an end
// of the script.
func hasCommentStart(script []byte) bool { return bytes.Contains(script, []byte("<!--")) }

// mayDecideEnd reports whether s, a string as written in a script with "<!--", may decide where the
// script ends.
func mayDecideEnd(s []byte) bool {
	return bytes.Contains(s, []byte("-->")) || bytes.Contains(s, []byte("<!--")) ||
		text.IndexFold(s, "<script") >= 0 || text.IndexFold(s, "</script") >= 0
}
