package rewrite_test

import (
	"errors"
	"strings"
	"testing"

	"absolink/extract"
	_ "absolink/extract/markdown"
	"absolink/mime/document"
	"absolink/mime/rewrite"
)

// Markdown above 4 MB is not read. If an output grows beyond that, no reference is to blame: the
// error says so, and Mend makes no further plans.
func TestUnreadOutput(t *testing.T) {
	text := strings.Repeat("[a](b)\n\n", 1000)
	text += strings.Repeat("c", 4<<20-len(text))
	for _, data := range []string{text, "Content-Type: text/markdown\n\n" + text} {
		src := &document.Source{At: strings.NewReader(data), Size: int64(len(data)), Data: []byte(data),
			Format: extract.Markdown, Message: data[0] == 'C'}
		var r rewrite.Rewriter
		p, err := r.Plan(src, outer)
		if err != nil || p.References != 1000 {
			t.Fatalf("%d references are edited, error %v", p.References, err)
		}
		out, err := p.Output()
		if err != nil {
			t.Fatal(err)
		}
		err = r.Verify(p, out)
		const want = "the output is too large or too complex to be read back"
		if !errors.Is(err, rewrite.ErrReferences) || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		if q := p.Mend(func(*rewrite.Plan) bool { t.Error("Mend makes a plan"); return true }); q != nil {
			t.Error("Mend returns a plan")
		}
		less := strings.TrimSuffix(data, strings.Repeat("c", 100000))
		p, err = r.Plan(&document.Source{At: strings.NewReader(less), Size: int64(len(less)), Data: []byte(less),
			Format: extract.Markdown, Message: data[0] == 'C'}, outer)
		if err != nil {
			t.Fatal(err)
		}
		if out, err = p.Output(); err != nil || r.Verify(p, out) != nil {
			t.Errorf("a shorter document is not read back: %v, %v", err, r.Verify(p, out))
		}
	}
}
