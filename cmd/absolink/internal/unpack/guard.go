package unpack

import (
	"bytes"
	"slices"

	"golang.org/x/net/html"

	"absolink/extract"
)

// The attributes crossorigin (HTML 2.5.4) and integrity (Subresource Integrity 3.5) are guards:
// they keep a browser from loading files from a disk. Moreover, the hash in integrity is wrong for
// edited content. So elements with links to files lose both attributes.

// removeGuards returns the edits that remove the guards from page. links are the offsets of the
// links to files, in rising order.
func removeGuards(page []byte, links []int) (edits []extract.Edit) {
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
		hasLink := i < len(links) && links[i] < end
		// The links of video and audio may be in elements inside them.
		if name, _ := z.TagName(); !hasLink && string(name) != "video" && string(name) != "audio" {
			continue
		}
		for _, a := range findGuards(page[start:end]) {
			edits = append(edits, extract.Edit{Span: extract.Span{Start: start + a.Start, End: start + a.End}})
		}
	}
}

// findGuards returns the spans of the guards in a tag (HTML 13.2.5.32).
func findGuards(tag []byte) (list []extract.Span) {
	const blanks = " \t\n\f\r"
	i := len(tag) - len(bytes.TrimLeft(tag, "<"))
	i += lengthUntil(tag[i:], blanks+"/>")
	for i < len(tag) {
		i += lengthOfRun(tag[i:], blanks+"/")
		if i >= len(tag) || tag[i] == '>' {
			break
		}
		start := i
		i++ // a name may begin with '='
		i += lengthUntil(tag[i:], blanks+"/>=")
		name := bytes.ToLower(tag[start:i])
		end := i
		i += lengthOfRun(tag[i:], blanks)
		if i < len(tag) && tag[i] == '=' {
			i++
			i += lengthOfRun(tag[i:], blanks)
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

// valueLength returns the length of the attribute value at the start of text, with its quotes.
func valueLength(text []byte) int {
	if len(text) > 0 && (text[0] == '"' || text[0] == '\'') {
		if n := bytes.IndexByte(text[1:], text[0]); n >= 0 {
			return n + 2
		}
		return len(text)
	}
	return lengthUntil(text, " \t\n\f\r>")
}

// lengthUntil returns the number of bytes of text before the first byte of chars.
func lengthUntil(text []byte, chars string) int {
	if n := bytes.IndexAny(text, chars); n >= 0 {
		return n
	}
	return len(text)
}

// lengthOfRun returns the number of bytes at the start of text that are all in chars.
func lengthOfRun(text []byte, chars string) int { return len(text) - len(bytes.TrimLeft(text, chars)) }
