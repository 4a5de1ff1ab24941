package mime

import (
	"bytes"
	"sync"

	"absolink/extract"
)

// maxLine is the longest line that SMTP carries, without its line end (RFC 5321 Section 4.5.3.1.6).
const maxLine = 998

// Edits turns edits of the decoded leaf into edits of the message. The given edits must be sorted
// and must not overlap. Quoted-printable is re-encoded only on the lines that an edit touches,
// base64 from the line of the first edit on. Bodies in other encodings get the new bytes as they
// are. Edits verifies that the result decodes to exactly the edited leaf. In 7bit and 8bit, Edits
// may put a line end between two attributes if a line would become too long.
//
// An error says why the leaf must stay unchanged. Edits ignores [Leaf.Protected]; a [Change] checks
// it.
func (l *Leaf) Edits(edits []extract.Edit) ([]Edit, error) {
	if len(edits) == 0 {
		return nil, nil
	}
	raw, _, err := l.encodeEdits(edits)
	if err != nil {
		return nil, err
	}
	out := make([]Edit, 0, len(raw))
	for _, e := range raw {
		out = append(out, Edit{l.inMessage(e.Span), e.New})
	}
	return out, nil
}

// encodeEdits returns verified edits of the encoded body. decoded are the edits that they make in
// the decoded body: the given edits, and line ends that encodeEdits added.
func (l *Leaf) encodeEdits(edits []extract.Edit) (raw, decoded []extract.Edit, err error) {
	if l.Mislabelled != "" {
		return nil, nil, l.Entity.errorf("%s", l.Mislabelled)
	}
	c := codecs[l.encoding]
	raw, decoded, err = c.edit(l, edits)
	if err == nil && !c.verifies {
		err = l.verify(raw, decoded)
	}
	return raw, decoded, err
}

// verify decodes the edited body and compares it with the edited leaf. A decoding problem may have
// disappeared with the text that an edit replaces; a new problem is an error.
func (l *Leaf) verify(raw, decoded []extract.Edit) error {
	s := scratches.Get().(*scratch)
	defer s.release()
	s.text.Reset()
	s.edited = extract.Apply(s.edited[:0], l.raw, raw)
	problem, mislabelled := l.decode(&s.text, s.edited)
	if mislabelled != "" || problem != "" && problem != l.Problem || !isEdited(s.text.Data, l.Data, decoded) {
		return l.Entity.errorf("the edited %s body does not decode to the edited text", l.encoding)
	}
	return nil
}

// scratch is memory for encoding and verifying a leaf.
type scratch struct {
	edited  []byte       // an edited body: encoded in verify, decoded in editBase64
	decoded []byte       // decoded lines of base64
	text    extract.Text // a decoded body
}

// release keeps the memory for the next leaf, unless it is unusually large.
func (s *scratch) release() {
	if cap(s.edited) <= 1<<20 {
		scratches.Put(s)
	}
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// applyEdits returns a copy of src with the edits made.
func applyEdits(src []byte, edits []extract.Edit) []byte {
	n := len(src)
	for _, e := range edits {
		n += len(e.New) - (e.End - e.Start)
	}
	return extract.Apply(make([]byte, 0, n), src, edits)
}

// isEdited reports whether got is src with the edits made.
func isEdited(got, src []byte, edits []extract.Edit) bool {
	at := 0
	for _, e := range append(edits[:len(edits):len(edits)],
		extract.Edit{Span: extract.Span{Start: len(src), End: len(src)}}) {
		rest, ok := bytes.CutPrefix(got, src[at:e.Start])
		if !ok {
			return false
		}
		got, ok = bytes.CutPrefix(rest, e.New)
		if !ok {
			return false
		}
		at = e.End
	}
	return len(got) == 0
}

// eolAt returns the line end that begins at the offset in the encoded body. If there is none, it
// returns the last line end before the offset, or else the last line end of the heading.
func (l *Leaf) eolAt(at int) []byte {
	e := l.Entity
	for _, b := range [...][]byte{l.raw[at:], lastLineEnd(l.raw[:at]), lastLineEnd(e.head)} {
		switch {
		case bytes.HasPrefix(b, []byte("\r\n")):
			return b[:2]
		case len(b) > 0 && b[0] == e.m.eol:
			return b[:1]
		}
	}
	return []byte{e.m.eol}
}

// lastLineEnd returns b from its last line end on, or all of b if it has no line end.
func lastLineEnd(b []byte) []byte {
	i := bytes.LastIndexAny(b, "\r\n")
	if i > 0 && b[i] == '\n' && b[i-1] == '\r' {
		i--
	}
	return b[max(i, 0):]
}

// longestLine returns the length of the longest line, without line ends.
func longestLine(b []byte, eol byte) (longest int) {
	for len(b) > 0 {
		i := bytes.IndexByte(b, eol)
		if i < 0 {
			return max(longest, len(b))
		}
		longest = max(longest, len(bytes.TrimSuffix(b[:i], []byte("\r"))))
		b = b[i+1:]
	}
	return longest
}

// startsBadly reports whether a line must not begin with b. Such a line looks like a boundary, or a
// mailbox would read it as a separator or remove a ">" from it.
func startsBadly(b []byte) bool {
	if bytes.HasPrefix(b, []byte("--")) {
		return true
	}
	return bytes.HasPrefix(bytes.TrimLeft(b[:min(len(b), maxLine)], ">"), []byte("From "))
}

// trimUnchanged returns e without the bytes at both ends that it does not change.
func trimUnchanged(src []byte, e extract.Edit) extract.Edit {
	for len(e.New) > 0 && e.Start < e.End && src[e.Start] == e.New[0] {
		e.Start, e.New = e.Start+1, e.New[1:]
	}
	for n := len(e.New); n > 0 && e.Start < e.End && src[e.End-1] == e.New[n-1]; n-- {
		e.End, e.New = e.End-1, e.New[:n-1]
	}
	return e
}

// lineEnd returns the end of the line at an offset in the encoded body, before its line end.
func (l *Leaf) lineEnd(at int) int {
	i := bytes.IndexByte(l.raw[at:], l.Entity.m.eol)
	if i < 0 {
		return len(l.raw)
	}
	if i > 0 && l.Entity.m.eol == '\n' && l.raw[at+i-1] == '\r' {
		i--
	}
	return at + i
}

// shifted returns the edits with their spans moved by n.
func shifted(edits []extract.Edit, n int) []extract.Edit {
	out := make([]extract.Edit, len(edits))
	for i, e := range edits {
		out[i] = extract.Edit{Span: extract.Span{Start: e.Start + n, End: e.End + n}, New: e.New}
	}
	return out
}
