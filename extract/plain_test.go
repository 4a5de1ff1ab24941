package extract

import (
	"bytes"
	"strings"
	"testing"

	"absolink/base"
)

// A reference that may continue after its end has a warning. A name without a scheme is a reference
// only with an option.
func TestPlainTextWarnings(t *testing.T) {
	d := &Doc{Format: Plain, Options: Options{BareHosts: true},
		Data: []byte("http://a.jp/日本 www.müller.example/x (www.b.example)")}
	var got []string
	var r Resolver
	for l := range r.Links(d) {
		got = append(got, string(l.URI)+" "+strings.Join(l.Warnings, " "))
	}
	const want = "http://a.jp/ unclear-end, http://www.xn--mller-kva.example/x , http://www.b.example/ "
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("links %q, want %q", s, want)
	}
}

func TestPlainTextIsNotRewritten(t *testing.T) {
	d := &Doc{Format: Plain, Data: []byte("<http://a.example/b-\nc> http://d.example/../e x/y"),
		Layer: &base.Layer{Source: base.URL, Value: "http://e.example/"}}
	var r Resolver
	if edits := r.Edits(nil, d); len(edits) > 0 {
		t.Errorf("%d edits, want none", len(edits))
	}
	var got []string
	for l := range r.Links(d) {
		got = append(got, l.Status.String()+" "+string(l.URI)+" "+strings.Join(l.Warnings, " "))
	}
	const want = "absolute http://a.example/b-c line-end-hyphen, absolute http://d.example/e "
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("links %q, want %q", s, want)
	}
}

// FuzzPlainText: spans are in order, and a URI that is written over another one is read back.
func FuzzPlainText(f *testing.F) {
	f.Add([]byte("> <http://a.example/b \r\n> c> x"), uint8(1))
	f.Add([]byte("\"A://  \n>0000\""), uint8(0))
	f.Add([]byte(" http://a.example/b \r\n c -- \nhttp:"), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, flow uint8) {
		d := &Doc{Format: Plain, Data: data, Flowed: flow%3 > 0, DelSp: flow%3 == 2, Charset: "utf-8"}
		var edits []Edit
		for r := range d.Refs() {
			if bytes.ContainsAny(r.Value, "\r\n\t >") {
				t.Errorf("%q: value %q", data, r.Value)
			}
			edits = append(edits, r.Edit([]byte("http://new.example/a b")))
		}
		out := &Doc{Format: Plain, Data: Apply(nil, data, edits), Flowed: d.Flowed, DelSp: d.DelSp, Charset: "utf-8"}
		n := 0
		for r := range out.Refs() {
			if strings.HasPrefix(string(r.Value), "http://new.example/a%20b") {
				n++
			}
		}
		if n < len(edits) {
			t.Errorf("%q became %q: %d of %d URIs read back", data, out.Data, n, len(edits))
		}
	})
}

// A URL continues on the next line of a flowed document only with DelSp, and never in fixed text.
func TestFlowedLinks(t *testing.T) {
	const text = "see http://a.test/x/ \ny and\n> http://b.test/ \n> z\n"
	for _, tt := range []struct {
		flowed, delSp bool
		want          string
	}{
		{false, false, "http://a.test/x/ http://b.test/"},
		{true, false, "http://a.test/x/ http://b.test/"},
		{true, true, "http://a.test/x/y http://b.test/z"},
	} {
		d := &Doc{Format: Plain, Data: []byte(text), Flowed: tt.flowed, DelSp: tt.delSp}
		var got []string
		for r := range d.Refs() {
			got = append(got, string(r.Value))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("flowed %v, delsp %v: got %q, want %s", tt.flowed, tt.delSp, got, tt.want)
		}
	}
}
