package base

import (
	"bytes"
	"testing"

	"absolink/resolve"
)

// TestReasons is a table of layers that give no base. Each has its reason, and the base of the
// layers around it.
func TestReasons(t *testing.T) {
	in := func(l Layer) Layer { l.Part = "1"; return l }
	around := retrieval("http://r.example/d/p")
	stop := location(1, "cid:a@b")
	rfc2557 := Policy{MIME: MIMERFC2557}
	rfc2110 := Policy{MIME: MIMERFC2110}
	const wantsAbsolute = " requires an absolute BASE in a message"
	for _, c := range []struct {
		name        string
		layers      *Layer
		policy      Policy
		reason, uri string
		from        int // number of the layer that gives the base, or -1
	}{
		{"relative BASE in a message, RFC 2557", layers(in(element("x/")), location(0, "http://m.example/")), rfc2557,
			"relative, and rfc2557" + wantsAbsolute, "http://m.example/", 1},
		{"relative BASE in a message, RFC 2110", layers(in(element("x/")), contentBase(0, "http://m.example/")),
			rfc2110, "relative, and rfc2110" + wantsAbsolute, "http://m.example/", 1},
		{"relative BASE in a message that gives no base", layers(element("x/"), location(0, "m/"), around), rfc2557,
			"", "http://r.example/d/x/", 0},
		{"relative Content-Location, RFC 2557", layers(location(0, "x/"), around), rfc2557,
			"relative, and RFC 2557 takes only an absolute Content-Location as base", around.Value, 1},
		{"Content-Base, RFC 2557", layers(contentBase(0, "http://m.example/"), around), rfc2557,
			"RFC 2557 does not use Content-Base", around.Value, 1},
		{"inherited Content-Location, RFC 2110", layers(location(1, "http://m.example/"), around), rfc2110,
			"RFC 2110 does not use the fields of the entities around a part", around.Value, 1},
		{"snapshot, RFC 2110", layers(snapshot("http://s.example/"), around), rfc2110,
			"rfc2110 does not use Snapshot-Content-Location", around.Value, 1},
		{"empty Content-Location", layers(location(0, " "), around), Policy{}, "empty", around.Value, 1},
		{"empty Content-Location, RFC 2557", layers(location(0, ""), around), rfc2557, "empty", around.Value, 1},
		{"empty Content-Base", layers(contentBase(0, `""`), around), Policy{}, "empty", around.Value, 1},
		{"empty option", layers(retrieval(""), around), Policy{}, "empty", around.Value, 1},
		{"relative option", layers(retrieval("x/"), around), Policy{}, "not absolute", around.Value, 1},
		{"relative Content-Base", layers(contentBase(0, "x/"), around), Policy{}, "not absolute", around.Value, 1},
		{"encoded word of no charset", layers(location(0, "=?x-none?q?a?="), around), Policy{},
			"it has an encoded word that cannot be decoded", "", -1},
		{"BASE javascript:", layers(element("JavaScript:x"), around), Policy{},
			"a BASE may not be a javascript: URI", around.Value, 1},
		{"BASE data:", layers(element("data:,x"), around), Policy{},
			"a BASE may not be a data: URI", around.Value, 1},
		{"absolute BASE that does not parse", layers(element("http://["), around), Policy{},
			`whatwg: "http://[": byte 7: an IPv6 address without a closing bracket`, around.Value, 1},
		{"relative BASE that does not parse", layers(element("//["), around), Policy{},
			`whatwg: "//[": byte 2: an IPv6 address without a closing bracket`, around.Value, 1},
		{"BASE with only a scheme and slashes", layers(element("http://")), Policy{},
			`whatwg: "http://": byte 0: no host`, "", -1},
		{"relative BASE without a base around it", layers(element("x/")), Policy{},
			"relative, and no usable base around it", "", -1},

		{"charset without bytes above 127",
			layers(Layer{Source: BaseElement, Value: "\ufffd/", UnknownCharset: "us-ascii"}, around), Policy{},
			`the charset "us-ascii" has no bytes above 127`, "", -1},
		{"unknown charset",
			layers(Layer{Source: BaseElement, Value: "\ufffd/", UnknownCharset: "us-asci"}, around), Policy{},
			`the charset "us-asci" is not known`, "", -1},
		{"Content-Location cid:", layers(stop, around), Policy{},
			"cid: names parts of a message and is no base", "", -1},
		{"Content-Location mid:", layers(location(0, "MID:a"), around), Policy{},
			"mid: names parts of a message and is no base", "", -1},
		{"BASE thismessage:", layers(element("thismessage:/"), around), Policy{},
			"thismessage: names parts of a message and is no base", "", -1},
		{"Content-Location javascript:", layers(location(0, "javascript:x"), around), Policy{},
			"javascript: is no base", "", -1},
		{"Content-Location data:", layers(location(0, "data:/x"), around), Policy{}, "data: is no base", "", -1},
		{"BASE vbscript:", layers(element("vbscript:/x"), around), Policy{}, "vbscript: is no base", "", -1},
		{"BASE without a hierarchy", layers(element("urn:a"), around), Policy{},
			"urn: is not hierarchical", "", -1},
		{"default thismessage: without a slash", layers(Layer{Source: DefaultBase, Value: "thismessage:x"}), Policy{},
			"thismessage: is not hierarchical", "", -1},
		{"default thismessage:", layers(Layer{Source: DefaultBase, Value: "thismessage:/"}), Policy{},
			"", "thismessage:/", 0},
		{"BASE file:", layers(element("file:///x"), around), Policy{},
			"a file: base from the input is used only with --file-base", "", -1},
	} {
		uri, from := c.layers.Base(&c.policy)
		var want *Layer
		steps := c.layers.Explain(&c.policy)
		if c.from >= 0 {
			want = steps[c.from].Layer
		}
		if uri != c.uri || from != want {
			t.Errorf("%s: Base() = %q from %v, want %q from layer %d", c.name, uri, from, c.uri, c.from)
		}
		if got := steps[0].Reason; got != c.reason {
			t.Errorf("%s: Explain()[0].Reason = %q, want %q", c.name, got, c.reason)
		}
	}
}

// Only the directory of a field must be UTF-8: references inherit nothing else of it.
func TestDirectory(t *testing.T) {
	for _, c := range []struct{ uri, want string }{
		{"", ""}, {"a", ""}, {"/", "/"}, {"a/b", "a/"}, {`a\b`, `a\`}, {"?a/", ""}, {"#a/", ""}, {"a/?b/", "a/"},
		{"a/b#c/?d/", "a/"}, {"http://h/a/b?c/#d/", "http://h/a/"},
	} {
		if got := directory(c.uri); got != c.want {
			t.Errorf("directory(%q) = %q, want %q", c.uri, got, c.want)
		}
	}
}

// upper is a charset that no map may use as a key.
type upper []byte

func (upper) AppendQuery(dst, query []byte) []byte { return append(dst, bytes.ToUpper(query)...) }

// The Base without a URI is made once for each rule set, and each time for other options.
func TestNoBase(t *testing.T) {
	for rules := range resolve.Draft00e + 1 {
		plain := resolve.Options{Rules: rules}
		first := noBase(plain)
		for _, other := range []resolve.Options{
			{Rules: rules, Charset: upper{}}, {Rules: rules, Bare: true}, {Rules: rules, Document: "http://d.example/"},
		} {
			if again := noBase(other); again == first || noBase(other) == again {
				t.Errorf("noBase(%+v) returns a cached Base", other)
			}
		}
		if noBase(plain) != first {
			t.Errorf("noBase(%+v) returns another Base at the second call", plain)
		}
	}
	p := &Policy{Rules: resolve.Options{Charset: upper{}}}
	if got, _ := layers(retrieval("http://a.example/?\u00e9x")).Base(p); got != "http://a.example/?\u00c9X" {
		t.Errorf("Base() with a charset = %q", got)
	}
}
