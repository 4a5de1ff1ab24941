package value

import (
	"bytes"

	"absolink/extract/internal/text"
)

// The text of a script element goes by rules of its own (HTML 13.2.5.15 to 31). Behind "<!--"
// a "<script" hides the next "</script", until "-->". An edit writes no '<' and no '>', so an
// edit of a string that holds one of these four could show or hide an end of the script. A
// quote stands at both ends of every string, so none of them begins outside of it.

// hides reports whether an end of the script can be hidden in its text.
func hides(script []byte) bool { return bytes.Contains(script, []byte("<!--")) }

// decidesEnd reports whether a string, as it is written in a script that hides, may decide
// where that script ends.
func decidesEnd(s []byte) bool {
	return bytes.Contains(s, []byte("-->")) || bytes.Contains(s, []byte("<!--")) ||
		text.IndexFold(s, "<script") >= 0 || text.IndexFold(s, "</script") >= 0
}
