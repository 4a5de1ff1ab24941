package mime

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"io"
	"strconv"

	"absolink/extract"
)

// growth is the number of bytes and lines that edits add to a body.
type growth struct{ bytes, lines int64 }

// addedLines returns the number of line ends that an edit of the encoded body adds.
func (l *Leaf) addedLines(e extract.Edit) int64 {
	eol := []byte{l.Entity.m.eol}
	return int64(bytes.Count(e.New, eol) - bytes.Count(l.raw[e.Start:e.End], eol))
}

// uniqueValue returns the value of the field with this name, without blanks around it, and the span
// of the value. Both are empty if the heading has no such field, or has several, because then
// nobody knows which of them counts.
func (e *Entity) uniqueValue(name string) (string, Span) {
	value, n := e.Get(name)
	if n != 1 {
		return "", Span{}
	}
	f, _ := e.field(name)
	at := f.Colon + 1 + int64(bytes.Index(e.bytes(Span{f.Colon + 1, f.End}), []byte(value)))
	return value, Span{at, at + int64(len(value))}
}

// digestEdit returns the edit that corrects Content-MD5 (RFC 1864) after edits of the decoded body.
// It returns false if there is no such field, or if the field was wrong before. RFC 1864 computes
// the digest over CRLF line ends. A digest over the stored line ends also counts as right, because
// some programs write it.
func (l *Leaf) digestEdit(edits []extract.Edit) (Edit, bool) {
	value, at := l.Entity.uniqueValue("Content-MD5")
	if value == "" {
		return Edit{}, false
	}
	for _, form := range []func([]byte) []byte{canonical, func(b []byte) []byte { return b }} {
		if value == md5Base64(form(l.Data)) {
			return Edit{at, []byte(md5Base64(form(applyEdits(l.Data, edits))))}, true
		}
	}
	return Edit{}, false
}

// md5Base64 returns the MD5 digest of b in base64.
func md5Base64(b []byte) string {
	s := md5.Sum(b)
	return base64.StdEncoding.EncodeToString(s[:])
}

// canonical returns b with CRLF line ends.
func canonical(b []byte) []byte {
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))
}

// correctFields adds the edits of Lines and Content-Length. It starts with the inner entities: if a
// number grows by a digit, the bodies around it get longer.
func (c *Change) correctFields() error {
	var grown []*Entity
	for e := range c.m.Root.All() {
		if _, ok := c.growth[e]; ok {
			grown = append(grown, e)
		}
	}
	for i := len(grown) - 1; i >= 0; i-- {
		e := grown[i]
		g := c.growth[e]
		c.correctNumber(e, "Content-Length", e.Body.Len(), g.bytes)
		if value, _ := e.uniqueValue("Lines"); value == "" {
			continue
		}
		ended, unended, err := e.countLines()
		if err != nil {
			return err
		}
		if !c.correctNumber(e, "Lines", ended, g.lines) { // the field may also count the unended line
			c.correctNumber(e, "Lines", ended+unended, g.lines)
		}
	}
	return nil
}

// correctNumber adds the edit that changes a field from current to current+added. If the field does
// not hold current, correctNumber adds nothing and returns false.
func (c *Change) correctNumber(e *Entity, name string, current, added int64) bool {
	value, at := e.uniqueValue(name)
	if n, err := strconv.ParseInt(value, 10, 64); err != nil || n != current {
		return false
	}
	if added != 0 {
		c.needsScan = true
		c.add(e.Parent, Edit{at, strconv.AppendInt(nil, current+added, 10)}, 0)
	}
	return true
}

// countLines returns the number of lines in the body that have a line end. unended is 1 if the last
// line has none, and 0 otherwise.
func (e *Entity) countLines() (ended, unended int64, err error) {
	r := io.NewSectionReader(e.m.r, e.Body.Start, e.Body.Len())
	buf := make([]byte, windowSize)
	last := e.m.eol
	for {
		n, err := r.Read(buf)
		ended += int64(bytes.Count(buf[:n], []byte{e.m.eol}))
		if n > 0 {
			last = buf[n-1]
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return ended, unended, err
		}
	}
	if last != e.m.eol {
		unended = 1
	}
	return ended, unended, nil
}
