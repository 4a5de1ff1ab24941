package unpack

import (
	"bytes"
	"slices"

	"golang.org/x/net/html"

	"absolink/extract"
)

// From a disk a browser does not load content that an element shares with another origin or checks:
// crossorigin and integrity (HTML 2.5.4, Subresource Integrity 3.5). Moreover, content changes once
// its links lead to files. So elements whose links lead to files lose these attributes.

// unguard returns the edits that remove these attributes from a page. links are the offsets of the
// links to files, in ascending order.
func unguard(page []byte, links []int) (edits []extract.Edit) {
	z := html.NewTokenizer(bytes.NewReader(page))
	for start, end := 0, 0; ; start = end {
		kind := z.Next()
		if kind == html.ErrorToken {
			return edits
		}
		end += len(z.Raw())
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		i, _ := slices.BinarySearch(links, start)
		leads := i < len(links) && links[i] < end
		// the files of video and audio may stand in elements below
		if name, _ := z.TagName(); !leads && string(name) != "video" && string(name) != "audio" {
			continue
		}
		for _, a := range guards(page[start:end]) {
			edits = append(edits, extract.Edit{Span: extract.Span{Start: start + a.Start, End: start + a.End}})
		}
	}
}

// guards returns the spans of these attributes in a tag (HTML 13.2.5.32).
func guards(tag []byte) (list []extract.Span) {
	const blanks = " \t\n\f\r"
	i := len(tag) - len(bytes.TrimLeft(tag, "<"))
	i += until(tag[i:], blanks+"/>")
	for i < len(tag) {
		i += past(tag[i:], blanks+"/")
		if i >= len(tag) || tag[i] == '>' {
			break
		}
		start := i
		i++ // a name may begin with '='
		i += until(tag[i:], blanks+"/>=")
		name := bytes.ToLower(tag[start:i])
		end := i
		i += past(tag[i:], blanks)
		if i < len(tag) && tag[i] == '=' {
			i++
			i += past(tag[i:], blanks)
			i += valueLength(tag[i:])
			end = i
		}
		if n := string(name); n == "crossorigin" || n == "integrity" {
			list = append(list, extract.Span{Start: start, End: end})
		}
		i = end
	}
	return list
}

// valueLength returns the length of the attribute value at the beginning of text, including quotes.
func valueLength(text []byte) int {
	if len(text) > 0 && (text[0] == '"' || text[0] == '\'') {
		if n := bytes.IndexByte(text[1:], text[0]); n >= 0 {
			return n + 2
		}
		return len(text)
	}
	return until(text, " \t\n\f\r>")
}

// until returns the number of bytes of text before the first of chars.
func until(text []byte, chars string) int {
	if n := bytes.IndexAny(text, chars); n >= 0 {
		return n
	}
	return len(text)
}

// past returns the number of bytes of chars at the beginning of text.
func past(text []byte, chars string) int { return len(text) - len(bytes.TrimLeft(text, chars)) }
