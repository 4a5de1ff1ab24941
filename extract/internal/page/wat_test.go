package page_test

import (
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract/internal/charset"
	"absolink/extract/internal/page"
	"absolink/extract/internal/readingtest"
)

// watDoc returns a WAT record with the members of a description of a response.
func watDoc(members string) *readingtest.Doc {
	data := `{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{` + members + `}}}}`
	return &readingtest.Doc{Data: []byte(data), Declared: charset.FixedUTF8, Find: (*page.Finder).WAT,
		Layer: &base.Layer{Source: base.WARCTarget, Value: "u"}}
}

func TestWAT(t *testing.T) {
	for _, tt := range []struct{ name, members, want string }{
		{"headers", `"Headers":{"LINK":"<a>;rel=icon","X":"b","Location":["c","d"],"Content-Type":"e","Link":{"x":"f"}}`,
			`header@link res "a"|header@location nav "c"|header@location nav "d"`},
		{"paths", `"HTML-Metadata":{"Links":[{"path":"A@/HREF","url":"a"},{"path":"STYLE/#text","href":"b"},` +
			`{"path":"x@/y","url":"c"},{"path":"IFRAME@/srcdoc","url":"d"},{"path":"A@/ping","url":"e f"}]}`,
			`a@href nav "a"|style@ res "b"|x@y nav "c"|a@ping ping "e"|a@ping ping "f"`},
		{"members of other objects", `"HTML-Metadata":{"Links":[{"x":{"path":"A@/href","url":"a"}},[{"path":"A@/href","url":"b"}]],` +
			`"X":[{"path":"A@/href","url":"c"}]},"X":{"Links":[{"path":"A@/href","url":"d"}]}`, ""},
		{"the first member counts", `"HTML-Metadata":{"Links":[{"path":"A@/href","url":"a","url":"b"}]}`, `a@href nav "a"`},
		{"metas", `"HTML-Metadata":{"Head":{"Metas":[{"content":"1;url=a","http-equiv":"refresh"},{"content":"b"},` +
			`{"name":"twitter:url","content":"c"}],"Base":["x"]}}`, `meta@content nav "a"|meta@content meta "c"`},
		{"no response", `},"X":{"Links":[{"url":"a"}]`, ""},
	} {
		var got []string
		for r := range watDoc(tt.members).Refs() {
			if !r.ListOnly {
				t.Errorf("%s: %q is not only listed", tt.name, r.Value)
			}
			_, s, _ := strings.Cut(readingtest.Describe(r), " ")
			s, _, _ = strings.Cut(s, `" `)
			got = append(got, s+`"`)
		}
		if s := strings.Join(got, "|"); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
	}
}

// The base counts for links before it. Header fields and the base itself have the base around.
func TestWATBase(t *testing.T) {
	d := watDoc(`"Headers":{"Location":"h"},"HTML-Metadata":{"Links":[{"path":"A@/href","url":"a"}],` +
		`"Head":{"Base":"\/b","Link":[{"path":"LINK@/href","url":"c","rel":"icon"}]}}`)
	var got []string
	for r := range d.Refs() {
		got = append(got, string(r.Value)+" in "+r.Layer.Value)
	}
	if s, want := strings.Join(got, ", "), "h in u, a in /b, /b in u, c in /b"; s != want {
		t.Errorf("%s, want %s", s, want)
	}
}

// Texts are those of the links at their offsets.
func TestWATTexts(t *testing.T) {
	d := watDoc(`"HTML-Metadata":{"Links":[{"path":"A@/href","url":"a","title":"t","text":" x \n y"},` +
		`{"path":"IMG@/src","url":"b","title":"t","alt":""},{"path":"A@/href","url":"c"}]}`)
	in, _ := d.Read()
	var got []string
	for _, text := range in.Texts {
		got = append(got, string(d.Data[text.At:text.At+1])+" "+text.Text)
	}
	if s, want := strings.Join(got, ", "), "a x y, b t"; s != want {
		t.Errorf("texts %s, want %s", s, want)
	}
	d.Data = []byte(`{"Envelope":{}}`)
	if in, _ := d.Read(); len(in.Texts) > 0 {
		t.Errorf("the texts of another document stay: %v", in.Texts)
	}
}

// JSON that is not valid is a problem, and the links in it are found.
func TestWATInvalid(t *testing.T) {
	d := watDoc(`"HTML-Metadata":{"Links":[,{"path":"A@/href","url":"a"}]}`)
	if got := strings.Join(d.Problems(), ", "); got != "0 invalid-json" {
		t.Errorf("problems %s", got)
	}
	n := 0
	for range d.Refs() {
		n++
	}
	if n != 1 {
		t.Errorf("%d references, want 1", n)
	}
	if got := watDoc(`"Headers":{}`).Problems(); len(got) > 0 {
		t.Errorf("problems of valid JSON: %s", got)
	}
}
