package mime

import (
	"bytes"
	"testing"

	"absolink/extract"
	"absolink/mime/internal/header"
	"absolink/testdata/corpus"
)

// messages calls f for each message of the corpus.
func messages(t testing.TB, f func(name string, msg []byte)) {
	for _, d := range corpus.Documents(t, "mail", "mhtml") {
		f(d.Name, d.Data)
	}
}

// TestCorpus edits every HTML leaf of real messages: each start tag of a link or image gets an
// attribute with a long value.
func TestCorpus(t *testing.T) {
	leaves, edited, refused := 0, 0, map[string]int{}
	messages(t, func(name string, msg []byte) {
		m, err := Parse(bytes.NewReader(msg), int64(len(msg)), Limits{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		verbatim(t, name, m, int64(len(msg)))
		c := m.Change()
		made := map[*Entity][]extract.Edit{}
		for e := range m.Root.All() {
			if !e.HTML() || len(e.Parts) > 0 {
				continue
			}
			leaves++
			l, err := e.Leaf()
			if err != nil {
				refused[err.(*Defect).Text]++
				continue
			}
			if err := c.Edit(l, linkEdits(l.Data)); err != nil {
				refused[err.(*Defect).Text]++
				continue
			}
			edited++
			made[e] = linkEdits(l.Data)
			checkTouched(t, name, l, msg, made[e])
		}
		edits, err := c.Edits()
		if err != nil {
			t.Errorf("%s: Change.Edits: %v", name, err)
			return
		}
		checkEdited(t, name, m, msg, made, edits)
	})
	t.Logf("%d HTML leaves, %d edited, refused: %v", leaves, edited, refused)
	if least := corpus.Least(450, 20); edited < least {
		t.Errorf("%d of %d HTML leaves edited, want at least %d; refused: %v", edited, leaves, least, refused)
	}
}

// linkEdits inserts an attribute into every start tag of a link or image.
func linkEdits(data []byte) (edits []extract.Edit) {
	for i := range data {
		if rest := data[i:]; bytes.HasPrefix(rest, []byte("<a ")) || bytes.HasPrefix(rest, []byte("<A ")) {
			edits = append(edits, extract.Edit{Span: extract.Span{Start: i + 2, End: i + 2},
				New: []byte(` data-x="http://example.test/dir/page.html?a=b&c=d-------------------------------------------"`)})
		}
	}
	return edits
}

// checkEdited applies the edits and compares the messages leaf by leaf.
func checkEdited(t *testing.T, name string, m *Message, msg []byte, leaves map[*Entity][]extract.Edit, edits []Edit) {
	var out bytes.Buffer
	if err := Write(&out, bytes.NewReader(msg), int64(len(msg)), edits); err != nil {
		t.Fatal(err)
	}
	m2, err := Parse(bytes.NewReader(out.Bytes()), int64(out.Len()), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var after []*Entity
	for e := range m2.Root.All() {
		after = append(after, e)
	}
	for e := range m.Root.All() {
		f := after[0]
		after = after[1:]
		if len(e.Parts) > 0 || len(f.Parts) > 0 {
			continue
		}
		made := leaves[e]
		if made == nil {
			if got, want := out.Bytes()[f.Body.Start:f.Body.End], msg[e.Body.Start:e.Body.End]; !bytes.Equal(got,
				want) {
				t.Errorf("%s part %s: body changed without an edit", name, e.Section)
			}
			continue
		}
		l, err := e.Leaf()
		if err != nil {
			t.Fatal(err)
		}
		l2, err := f.Leaf()
		if err != nil {
			t.Fatal(err)
		}
		want := extract.Apply(nil, l.Data, made)
		if !bytes.Equal(l2.Data, want) &&
			!(header.Identity(e.Encoding()) && bytes.Equal(withoutLineEnds(l2.Data), withoutLineEnds(want))) {
			t.Errorf("%s part %s: edited leaf decodes to\n%.300q\nwant\n%.300q", name, e.Section, l2.Data, want)
		}
	}
}

// verbatim checks that the spans of a tree nest, without gaps between neighbours.
func verbatim(t testing.TB, name string, m *Message, size int64) {
	t.Helper()
	for e := range m.Root.All() {
		at := e.Head.Start
		for _, f := range e.fields {
			if f.Start != at || f.End <= f.Start || f.Colon >= 0 && (f.Colon < f.Start || f.Colon >= f.End) {
				t.Fatalf("%s part %s: field %v, want it to begin at %d", name, e.Section, f, at)
			}
			at = f.End
		}
		blank := make([]byte, max(0, e.Body.Start-at))
		if _, err := m.r.ReadAt(blank, at); err != nil && len(blank) > 0 {
			t.Fatal(err)
		}
		if at != e.Head.End || e.Body.Start < at || len(bytes.Trim(blank, "\r\n")) > 0 ||
			e.Body.End < e.Body.Start || e.Body.End > size {
			t.Fatalf("%s part %s: fields end at %d, head %v, body %v of %d bytes",
				name, e.Section, at, e.Head, e.Body, size)
		}
		at = e.Body.Start
		for _, p := range e.Parts {
			if p.Parent != e || p.Head.Start < at || p.Body.End > e.Body.End {
				t.Fatalf("%s part %s: %v %v does not lie in %v after %d", name, p.Section, p.Head, p.Body, e.Body, at)
			}
			at = p.Body.End
		}
	}
	if m.Root.Body.End != size {
		t.Fatalf("%s: the body ends at %d, want %d", name, m.Root.Body.End, size)
	}
}

// checkTouched checks that lines of quoted-printable and 8bit without an edit do not change. Lines
// of base64 must not change before the first edit.
func checkTouched(t *testing.T, name string, l *Leaf, msg []byte, edits []extract.Edit) {
	t.Helper()
	out, err := l.Edits(edits)
	if err != nil {
		t.Fatal(err)
	}
	eol := l.Entity.m.eol
	lines := func(e extract.Edit) Span {
		s := l.Source(e.Span)
		end := len(msg)
		if i := bytes.IndexByte(msg[s.End:], eol); i >= 0 {
			end = int(s.End) + i
		}
		return Span{int64(bytes.LastIndexByte(msg[:s.Start], eol) + 1), int64(end)}
	}
	for _, o := range out {
		ok := l.encoding == "base64" && o.Start >= lines(edits[0]).Start
		for i := 0; i < len(edits) && !ok; i++ {
			at := lines(edits[i])
			ok = at.Start <= o.Start && o.End <= at.End
		}
		if !ok {
			t.Errorf("%s part %s: %v edits lines that hold no edit", name, l.Entity.Section, o.Span)
		}
	}
}

func withoutLineEnds(b []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("\r"), nil), []byte("\n"), nil)
}
