package extract

import (
	"fmt"
	"strings"
	"testing"

	"absolink/base"
)

// TestHeadingBase: the fields of a heading are resolved against the base that the heading gives.
// Its Content-Location is resolved against the Content-Base beside it (RFC 2110 Section 4.2,
// draft-00e 5.1).
func TestHeadingBase(t *testing.T) {
	const data = "Content-Base: http://base.example/b/\r\nContent-Location: loc/x\r\nLocation: y\r\nX-URL: z\r\n" +
		"Referer: r\r\n"
	outer := &base.Layer{Source: base.ContentLocation, Value: "http://outer.example/o/", Inherited: true}
	layer := &base.Layer{Source: base.ContentBase, Value: "http://base.example/b/",
		Outer: &base.Layer{Source: base.ContentLocation, Value: "loc/x", Outer: outer}}
	d := &Doc{Format: Heading, Data: []byte(data), Layer: layer}
	var got []string
	var r Resolver
	for l := range r.Links(d) {
		got = append(got, fmt.Sprintf("%d %s %s %s", l.Start, l.Attr, l.Status, l.URI))
	}
	const want = `14 content-base absolute http://base.example/b/
56 content-location resolved http://base.example/b/loc/x
73 location resolved http://base.example/b/y
83 x-url resolved http://base.example/b/z
95 referer identifier `
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("links of %q:\n%s\nwant\n%s", data, s, want)
	}
	if edits := r.Edits(nil, d); len(edits) > 0 {
		t.Errorf("%d edits, want none", len(edits))
	}
}

// The Content-Base of a heading is the base of its other fields, except fields that need a scheme.
// RFC 2557 does not have it, and no other field gives a base.
func TestHeadingContentBase(t *testing.T) {
	const fields = "Content-Location: 1\nX-URL: 2\nX-Original-URL: 3\nArchived-At: <4>\nList-Unsubscribe: <5>, " +
		"<mailto:u@h.test>\nList-Subscribe: <6>\n" +
		"List-Post: <7>\nList-Help: <8>\nList-Owner: <9>\nList-Archive: <10>\nSnapshot-Content-Location: 11\n" +
		"Content-Base: 12\nX-Archive-URL: <13>\nX-RSS-URL: 14\nOpenPGP: url=15\n"
	const ownBase, location, inherited = "http://b.test/b/", "http://l.test/l/", "http://o.test/o/"
	resolved := func(base string) string { return strings.Repeat(base+" ", 12) }
	const unresolved = "- - - - - - - - - - - - "
	own := func(value string, outer *base.Layer) *base.Layer {
		return &base.Layer{Source: base.ContentBase, Value: value, Outer: outer}
	}
	located := &base.Layer{Source: base.ContentLocation, Value: location}
	around := &base.Layer{Source: base.ContentBase, Value: inherited, Inherited: true}
	for _, tt := range []struct {
		name     string
		layer    *base.Layer
		mime     base.MIMEBase
		location string
		others   string
	}{
		{"Content-Base", own(ownBase, nil), base.MIMERFC2396, ownBase, resolved(ownBase)},
		{"Content-Base under RFC 2110", own(ownBase, nil), base.MIMERFC2110, ownBase, resolved(ownBase)},
		{"Content-Base under RFC 2557", own(ownBase, nil), base.MIMERFC2557, "-", unresolved},
		{"Content-Base in quotes", own(` "http://b.test/ b/" `, nil), base.MIMERFC2396, ownBase, resolved(ownBase)},
		{"Content-Base over Content-Location", own(ownBase, located), base.MIMERFC2396, ownBase, resolved(ownBase)},
		{"a relative Content-Base", own("b/", nil), base.MIMERFC2396, "-", unresolved},
		{"a relative Content-Base in another entity", own("b/", around), base.MIMERFC2396, inherited, unresolved},
		{"Content-Location alone", located, base.MIMERFC2396, "-", unresolved},
		{"Content-Location in another entity",
			&base.Layer{Source: base.ContentLocation, Value: location,
				Outer: around}, base.MIMERFC2396, inherited, unresolved},
		{"the Content-Base of another entity", around, base.MIMERFC2396, inherited, unresolved},
		{"the Content-Base of another entity under RFC 2110", around, base.MIMERFC2110, "-", unresolved},
		{"Content-Base over that of another entity", own(ownBase, around),
			base.MIMERFC2396, ownBase, resolved(ownBase)},
		{"a retrieval URI", &base.Layer{Source: base.Option, Value: inherited},
			base.MIMERFC2396, inherited, unresolved},
		{"nothing", nil, base.MIMERFC2396, "-", unresolved},
	} {
		r := Resolver{Policy: base.Policy{MIME: tt.mime}}
		d := &Doc{Format: Heading, Data: []byte(fields), Layer: tt.layer}
		for range 2 { // the second time with the kept scopes
			var locations, others string
			for l := range r.Links(d) {
				uri := "-"
				if l.Status == Resolved {
					uri = strings.TrimSuffix(string(l.URI), string(l.Value))
				}
				switch {
				case l.Attr == "content-location":
					locations += uri
				case l.Status == AbsoluteRef:
				case l.Attr == "content-base" || l.Attr == "snapshot-content-location":
					if l.Status != Unresolved {
						t.Errorf("%s: %s is %s", tt.name, l.Attr, l.Status)
					}
				default:
					others += uri + " "
				}
			}
			if locations != tt.location || others != tt.others {
				t.Errorf("%s: Content-Location is relative to %s, other fields to %s, want %s and %s",
					tt.name, locations, others, tt.location, tt.others)
			}
		}
	}
}
