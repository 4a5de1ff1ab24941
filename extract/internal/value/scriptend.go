package value

import (
	"bytes"

	"absolink/extract/internal/text"
)

// The text of a script element has its own rules (HTML 13.2.5.15 to 31). After "<!--" a "<script"
// hides the next "</script", until "-->". An edit writes neither '<' nor '>'. So an edit of a
// string that contains one of these four could show or hide an end of the script. Every string is
// between quotes, so the four cannot overlap its edge.

// hides reports whether the text of a script may hide an end of the script.
func hides(script []byte) bool { return bytes.Contains(script, []byte("<!--")) }

// decidesEnd reports whether a string may decide where its script ends. The string is as written,
// in a script for which hides is true.
func decidesEnd(s []byte) bool {
	return bytes.Contains(s, []byte("-->")) || bytes.Contains(s, []byte("<!--")) ||
		text.IndexFold(s, "<script") >= 0 || text.IndexFold(s, "</script") >= 0
}
