package place_test

import (
	"slices"
	"strings"
	"testing"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
)

// The tests compare the compiled tables with the rows themselves, which they search one by one.

// isWild reports whether an element of the table stands for many.
func isWild(e string) bool { return e == "*" || e == "-" || e == "amp-*" || strings.HasSuffix(e, ":*") }

// covers reports whether an element of the table includes the element with a name in a namespace.
func covers(e, space, name string) bool {
	prefix, local, prefixed := strings.Cut(e, ":")
	if !prefixed || prefix != "svg" && prefix != "math" {
		prefix, local = "", e
	}
	switch {
	case e == "*":
		return true
	case space != prefix:
		return false
	case local == "*":
		return true
	case e == "-":
		return strings.Index(name, "-") > 0
	case e == "amp-*":
		return strings.HasPrefix(name, "amp-")
	}
	return local == name
}

// named reports whether an attribute of the table includes the attribute with a name.
func named(a, name string) bool {
	switch {
	case a == name:
		return true
	case a == "on*":
		return strings.HasPrefix(name, "on") && len(name) > 2
	case a == "data-*":
		return strings.HasPrefix(name, "data-") && len(name) > 5
	case a == "xmlns":
		return strings.HasPrefix(name, "xmlns:") && len(name) > 6
	}
	return false
}

// fields holds the words of each column. The tests search the same columns often.
var fields = map[string][]string{}

func wordsOf(column string) []string {
	list, ok := fields[column]
	if !ok {
		list = strings.Fields(column)
		fields[column] = list
	}
	return list
}

// own are the attributes with their own rows.
var own = map[string]bool{}

// htmlRow searches the rows for a place. It returns the first row that names the element and the
// attribute, or else the first row for any element.
func htmlRow(rows []place.Row, space, element, attr string, value func(string) string) *place.Row {
	if element == "image" && space == "" {
		element = "img"
	}
	if len(own) == 0 {
		for _, r := range rows {
			for _, a := range wordsOf(r.Attributes) {
				own[a] = true
			}
		}
	}
	for _, wild := range []bool{false, true} {
		for _, r := range rowsOf(rows, attr) {
			if !slices.ContainsFunc(wordsOf(r.Elements), func(e string) bool {
				return isWild(e) == wild && covers(e, space, element)
			}) {
				continue
			}
			if r.If == "" {
				return r
			}
			return conditional(rows, r, value)
		}
	}
	return nil
}

// conditional returns the first row with the place of first whose condition holds.
func conditional(rows []place.Row, first *place.Row, value func(string) string) *place.Row {
	for i := range rows {
		r := &rows[i]
		if r.Elements != first.Elements || r.Attributes != first.Attributes {
			continue
		}
		if r.If == "" {
			return r
		}
		attrs, values, _ := strings.Cut(r.If, "=")
		for a := range strings.FieldsSeq(attrs) {
			v := strings.ToLower(strings.Trim(value(a), "\t\n\f\r "))
			if v == "" || len(v) > 64 {
				continue
			}
			for want := range strings.FieldsSeq(values) {
				prefix, suffix, open := strings.Cut(want, "*")
				if v == want || open && len(v) >= len(prefix)+len(suffix) &&
					strings.HasPrefix(v, prefix) && strings.HasSuffix(v, suffix) {
					return r
				}
			}
		}
	}
	return nil
}

// withAttribute holds the rows of each attribute. The tests search the same ones often.
var withAttribute = map[string][]*place.Row{}

// rowsOf returns the rows that name an attribute.
func rowsOf(rows []place.Row, attr string) []*place.Row {
	list, ok := withAttribute[attr]
	if ok {
		return list
	}
	for i := range rows {
		if slices.ContainsFunc(wordsOf(rows[i].Attributes), func(a string) bool {
			return a == attr || !own[attr] && named(a, attr)
		}) {
			list = append(list, &rows[i])
		}
	}
	withAttribute[attr] = list
	return list
}

// parts returns all elements, with their namespaces, and all attributes of the table, and some that
// it does not have.
func parts(rows []place.Row) (elements [][2]string, attrs []string) {
	seen := map[string]bool{}
	add := func(space, name string) {
		if !seen[space+":"+name] {
			seen[space+":"+name] = true
			elements = append(elements, [2]string{space, name})
		}
	}
	for _, s := range []string{"", "svg", "math"} {
		for _, e := range []string{"none", "x-y", "amp-x", "ampere-x", "-", "a-", "image", "amp", "data"} {
			add(s, e)
		}
	}
	attrs = []string{"none", "on", "onx", "onload", "data", "data-", "data-x", "xmlns:", "xmlns:x", "xmlnsx", "rel", ""}
	for _, r := range rows {
		for e := range strings.FieldsSeq(r.Elements) {
			prefix, local, ok := strings.Cut(e, ":")
			if ok && (prefix == "svg" || prefix == "math") && local != "*" {
				add(prefix, local)
			} else if !isWild(e) {
				add("", e)
			}
		}
		for a := range strings.FieldsSeq(r.Attributes) {
			if !slices.Contains(attrs, a) && !strings.HasSuffix(a, "*") {
				attrs = append(attrs, a)
			}
		}
	}
	return elements, attrs
}

func TestOf(t *testing.T) {
	rows := place.Tables()[0].Rows
	for i, r := range rows {
		if r.Attributes == "" { // the texts of elements begin
			rows = rows[:i]
			break
		}
	}
	elements, attrs := parts(rows)
	if len(elements) < 100 || len(attrs) < 100 {
		t.Fatalf("%d elements, %d attributes, want 100 of each", len(elements), len(attrs))
	}
	for _, e := range elements {
		for _, a := range attrs {
			for _, value := range []string{"", "x"} {
				about := func(string) string { return value }
				want := htmlRow(rows, e[0], e[1], a, about)
				for _, upper := range []bool{false, true} {
					element, attr := e[1], a
					if upper {
						element = strings.ToUpper(element)
						attr = strings.ToUpper(attr)
					}
					if got := place.Of(e[0], element, attr, about); !sameRow(got, want) {
						t.Fatalf("Of(%q, %q, %q) with %q is %+v, want %+v", e[0], element, attr, value, got, want)
					}
				}
			}
		}
	}
}

func sameRow(a, b *place.Row) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// Each value of each condition selects its row, in any case and with blanks around it. A value that
// no condition names selects the row without a condition.
func TestConditions(t *testing.T) {
	rows := place.Tables()[0].Rows
	for _, r := range rows {
		if r.If == "" || r.Attributes == "" {
			continue
		}
		attrs, values, _ := strings.Cut(r.If, "=")
		for a := range strings.FieldsSeq(attrs) {
			for v := range strings.FieldsSeq(values) {
				for _, v := range []string{v, strings.Replace(v, "*", "middle", 1), strings.Replace(v, "*", "", 1),
					v + "x",
					"x" + v, v[1:], strings.ToUpper(v), " \t" + v + "\n", strings.Repeat("x", 65)} {
					about := func(attr string) string {
						if attr == a {
							return v
						}
						return ""
					}
					space, element, ok := strings.Cut(strings.Fields(r.Elements)[0], ":")
					if !ok {
						space, element = "", space
					}
					attr := strings.Fields(r.Attributes)[0]
					want := htmlRow(rows, space, element, attr, about)
					if got := place.Of(space, element, attr, about); !sameRow(got, want) {
						t.Errorf("Of(%q, %q, %q) with %s=%q is %+v, want %+v", space, element, attr, a, v, got, want)
					}
				}
			}
		}
	}
}

// If two attributes select rows, the first row of the table wins.
func TestConditionsTogether(t *testing.T) {
	rows := place.Tables()[0].Rows
	values := []string{"", "og:image", "twitter:image", "refresh", "msapplication-task", "author"}
	for _, name := range values {
		for _, property := range values {
			for _, equiv := range values {
				about := func(attr string) string {
					return map[string]string{"name": name, "property": property, "http-equiv": equiv}[attr]
				}
				want := htmlRow(rows, "", "meta", "content", about)
				if got := place.Of("", "meta", "content", about); !sameRow(got, want) {
					t.Errorf("meta with name=%q property=%q http-equiv=%q: %+v, want %+v",
						name, property, equiv, got, want)
				}
			}
		}
	}
}

// Always has exactly the rows that depend on nothing.
func TestAlways(t *testing.T) {
	l := place.HTML()
	rows := place.Tables()[0].Rows
	for i, r := range rows {
		if r.Attributes == "" {
			break
		}
		var want *place.Row
		if r.If == "" && r.Default != place.Bookmarks && r.Default != place.Lazy && r.Default != place.Scripts {
			want = &r
		}
		if !sameRow(l.Always[i+1], want) {
			t.Errorf("Always of row %d, %+v: %+v", i, r, l.Always[i+1])
		}
	}
	if l.Always[0] != nil {
		t.Errorf("Always of no row: %+v", l.Always[0])
	}
	for id, n := range l.Generic {
		if want := n > 0; want != (uint8(id) == place.AttrXMLNS) {
			t.Errorf("attribute %d of any XML has row %d", id, n)
		}
	}
}

// Numbers and names of attributes and elements match each other.
func TestNumbers(t *testing.T) {
	l := place.HTML()
	for name, want := range map[string]uint8{
		"on": 0, "onx": place.AttrOn, "ONLOAD": place.AttrOn, "data": l.Attr([]byte("data")), "data-": 0,
		"data-q": place.AttrData, "rel": place.AttrRel, "Type": place.AttrType, "codebase": place.AttrCodebase,
		"href": place.AttrHref, "action": place.AttrAction, "formaction": place.AttrFormAct,
		"classid": place.AttrClassID, "name": place.AttrName, "content": place.AttrContent, "xmlns": place.AttrXMLNS,
		"xmlns:": 0, "XMLNS:x": place.AttrXMLNS, "": 0, "nothing": 0,
	} {
		if got := l.Attr([]byte(name)); got != want {
			t.Errorf("Attr(%q) = %d, want %d", name, got, want)
		}
	}
	for _, name := range []string{"href", "xlink:href", "srcset", "type"} {
		if got := l.AttrName(l.Attr([]byte(name))); got != name {
			t.Errorf("AttrName(Attr(%q)) = %q", name, got)
		}
	}
	for _, e := range []struct {
		space       markup.Space
		name, known string
	}{
		{markup.HTML, "A", "a"}, {markup.HTML, "IMAGE", "img"}, {markup.SVG, "image", "image"}, {markup.HTML, "x", ""},
		{markup.SVG, "STYLE", "style"}, {markup.HTML, "script", "script"}, {markup.MathML, "a", ""},
		{markup.HTML, "x-y", ""}, {markup.HTML, "amp-y", ""},
	} {
		if _, known := l.Element(e.space, []byte(e.name)); known != e.known {
			t.Errorf("Element(%v, %q): known as %q, want %q", e.space, e.name, known, e.known)
		}
	}
}

// The rows of XML, by namespace, element and attribute.
func TestXML(t *testing.T) {
	rows := place.Tables()[1].Rows
	l := place.XML()
	for _, r := range rows {
		for e := range strings.FieldsSeq(r.Elements) {
			prefix, local, ok := strings.Cut(e, ":")
			if !ok {
				continue // instructions and declarations
			}
			v := place.Usual([]byte(prefix))
			if v == place.OtherSpace || v.Prefix() != prefix {
				t.Errorf("prefix %q has namespace %d with prefix %q", prefix, v, v.Prefix())
			}
			attrs := strings.Fields(r.Attributes)
			if local == "*" {
				for _, a := range attrs {
					if got := l.Any(l.Attr([]byte(a))); got == nil || *got != r {
						t.Errorf("Any(%q) = %+v, want %+v", a, got, r)
					}
				}
				continue
			}
			own, known := l.Element(v, []byte(strings.ToUpper(local)))
			if known != local {
				t.Errorf("Element(%d, %q): known as %q", v, local, known)
			}
			if got := place.XMLRow(own[0]); (got != nil && *got == r) != (len(attrs) == 0) {
				t.Errorf("text of %s: row %+v, want that of %+v", e, got, r)
			}
			for _, a := range attrs {
				if got := place.XMLRow(own[l.Attr([]byte(strings.ToUpper(a)))]); got == nil || *got != r {
					t.Errorf("%s %s: row %+v, want %+v", e, a, got, r)
				}
			}
		}
	}
	own, known := l.Element(place.RSSSpace, []byte("nothing"))
	if known != "" || slices.ContainsFunc(own, func(n int8) bool { return n != 0 }) {
		t.Errorf("an element without rows: known as %q, rows %v", known, own)
	}
	if place.XMLRow(0) != nil || l.Any(0) != nil || l.Attr([]byte("nothing")) != 0 {
		t.Error("what is in no table has a row")
	}
}

// The text of an element and an attribute have a row only if the table names them.
func TestXMLHasNoMore(t *testing.T) {
	l := place.XML()
	count := 0
	for _, r := range place.Tables()[1].Rows {
		for e := range strings.FieldsSeq(r.Elements) {
			prefix, local, ok := strings.Cut(e, ":")
			if !ok || local == "*" {
				continue
			}
			count += max(1, len(strings.Fields(r.Attributes)))
			own, _ := l.Element(place.Usual([]byte(prefix)), []byte(local))
			for id, n := range own {
				if n == 0 {
					continue
				}
				at := place.XMLRow(n)
				if !slices.Contains(strings.Fields(at.Elements), e) || (id == 0) != (at.Attributes == "") {
					t.Errorf("%s has for attribute %d the row %+v", e, id, at)
				}
			}
		}
	}
	if count < 70 {
		t.Errorf("%d places, want 70", count)
	}
}

func TestVocabularies(t *testing.T) {
	for name, want := range map[string]place.Vocabulary{
		"http://www.w3.org/1999/xhtml": place.HTMLSpace, "http://www.w3.org/2000/svg": place.SVGSpace,
		"http://www.w3.org/XML/1998/namespace": place.XMLSpace, "urn:schemas-microsoft-com:vml": place.VMLSpace,
		"http://purl.org/rss/1.0/": place.RSSSpace, "http://backend.userland.com/rss2": place.RSSSpace,
		"http://www.w3.org/2005/Atom": place.AtomSpace, "http://opml.org/spec2": place.OPMLSpace,
		"http://www.google.com/schemas/sitemap/0.84":  place.SitemapSpace,
		"http://www.w3.org/1999/02/22-rdf-syntax-ns#": place.RdfSpace, "http://search.yahoo.com/mrss": place.MediaSpace,
	} {
		if got, ok := place.VocabularyOf([]byte(name)); !ok || got != want {
			t.Errorf("VocabularyOf(%q) = %d, %v, want %d", name, got, ok, want)
		}
	}
	for _, name := range []string{"", "http://www.w3.org/1999/XHTML", "urn:x"} {
		if got, ok := place.VocabularyOf([]byte(name)); ok {
			t.Errorf("VocabularyOf(%q) = %d, want none", name, got)
		}
	}
	for prefix, want := range map[string]place.Vocabulary{"": place.NoSpace, "html": place.HTMLSpace,
		"?":    place.OtherSpace,
		"none": place.OtherSpace, "v": place.VMLSpace} {
		if got := place.Usual([]byte(prefix)); got != want {
			t.Errorf("Usual(%q) = %d, want %d", prefix, got, want)
		}
	}
	math, _ := place.VocabularyOf([]byte("http://www.w3.org/1998/Math/MathML"))
	for v, want := range map[place.Vocabulary]struct {
		space  markup.Space
		isHTML bool
	}{
		place.HTMLSpace: {markup.HTML, true}, place.VMLSpace: {markup.HTML, true}, place.SVGSpace: {markup.SVG, true},
		math: {markup.MathML, true}, place.NoSpace: {markup.HTML, false}, place.AtomSpace: {markup.HTML, false},
	} {
		if space, isHTML := v.MarkupSpace(); space != want.space || isHTML != want.isHTML {
			t.Errorf("MarkupSpace of %d = %v, %v, want %v, %v", v, space, isHTML, want.space, want.isHTML)
		}
	}
}

// The lookups of members, fields, properties and scripts find each row of their tables.
func TestSmallTables(t *testing.T) {
	tables := place.Tables()
	for _, r := range tables[2].Rows {
		for name := range strings.FieldsSeq(r.Attributes) {
			if got := place.Field([]byte(name)); got == nil || *got != r {
				t.Errorf("Field(%q) = %+v, want %+v", name, got, r)
			}
			if !place.MayBeField([]byte(name)) || !place.MayBeField([]byte(strings.ToUpper(name))) {
				t.Errorf("MayBeField(%q) = false", name)
			}
		}
	}
	for _, name := range []string{"", "subject", "x", strings.Repeat("l", 63), strings.Repeat("l", 64), "@",
		"\x00ink"} {
		if place.Field([]byte(name)) != nil || place.MayBeField([]byte(name)) {
			t.Errorf("%q may be a field with a row", name)
		}
	}
	for _, r := range tables[4].Rows {
		for name := range strings.FieldsSeq(r.Attributes) {
			for _, top := range strings.Split(r.Elements, " ") {
				if got := place.Member(top, name); got == nil || *got != r {
					t.Errorf("Member(%q, %q) = %+v, want %+v", top, name, got, r)
				}
			}
		}
	}
	if place.Member("none", "src") != nil || place.Member("", "src") != nil {
		t.Error("a member without a row has one")
	}
	for _, r := range tables[3].Rows {
		lexicon := place.Calendar()
		if r.Elements == "vcard" || r.Attributes == "geo author" {
			lexicon = place.Card()
		}
		for name := range strings.FieldsSeq(r.Attributes) {
			got := lexicon.Parameter([]byte(name))
			if r.Elements != "*" {
				got = lexicon.Property([]byte(name), false)
			}
			if got == nil || *got != r {
				t.Errorf("%s %s: row %+v, want %+v", r.Elements, name, got, r)
			}
		}
	}
}

// A property that the table does not name has a row by its prefix or by its VALUE.
func TestProperty(t *testing.T) {
	for _, w := range []*place.Lexicon{place.Calendar(), place.Card()} {
		any, own := w.Property([]byte("*"), false), w.Property([]byte("x-*"), false)
		if any == nil || own == nil || any == own {
			t.Fatalf("%s: no rows for any property", w.Element)
		}
		for _, tt := range []struct {
			name  string
			isURI bool
			want  *place.Row
		}{
			{"x-y", false, own}, {"x-y", true, any}, {"y", false, nil}, {"y", true, any}, {"x", false, nil}, {"x",
				true, any},
			{"url", true, w.Property([]byte("url"), false)},
		} {
			if got := w.Property([]byte(tt.name), tt.isURI); got != tt.want {
				t.Errorf("%s: Property(%q, %v) = %+v, want %+v", w.Element, tt.name, tt.isURI, got, tt.want)
			}
		}
	}
}

func TestScriptText(t *testing.T) {
	for typ, want := range map[string]place.ValueType{
		"": place.TypeScript, " Text/JavaScript ": place.TypeScript, "module": place.TypeScript,
		"application/json": place.TypeScript, "application/ld+json": place.TypeLinkedData,
		"importmap": place.TypeImportMap, "SPECULATIONRULES": place.TypeSpeculation,
	} {
		if got := place.ScriptText([]byte(typ)); got == nil || got.Type != want {
			t.Errorf("ScriptText(%q) = %+v, want type %d", typ, got, want)
		}
	}
	for _, typ := range []string{"text/x", "text/html", "javascript", "importmaps"} {
		if got := place.ScriptText([]byte(typ)); got != nil {
			t.Errorf("ScriptText(%q) = %+v, want none", typ, got)
		}
	}
}

func TestOpaqueClass(t *testing.T) {
	for class, want := range map[string]bool{"clsid:1": true, " \n\f\t\rJAVA:x": true, "clsid": false, "java": false,
		"x.py": false, "": false, "\vclsid:1": false, "CLSID:": true} {
		if got := place.OpaqueClass([]byte(class)); got != want {
			t.Errorf("OpaqueClass(%q) = %v, want %v", class, got, want)
		}
	}
}

// The kinds have different names, and no other number has a name.
func TestKindNames(t *testing.T) {
	seen := map[string]bool{}
	for k := place.KindNav; k <= place.KindScript; k++ {
		if name := k.String(); name == "" || seen[name] {
			t.Errorf("kind %d has the name %q", k, name)
		}
		seen[k.String()] = true
	}
	if name := (place.KindScript + 1).String(); name != "" {
		t.Errorf("a kind that is none has the name %q", name)
	}
}

// The scanner keeps each attribute that has a row with the options, and the attributes in the
// conditions of these rows.
func TestWantFor(t *testing.T) {
	rows := place.Tables()[0].Rows
	elements, attrs := parts(rows)
	l := place.HTML()
	for _, most := range []place.Treatment{place.Rewrite, place.Lazy, place.Scripts} {
		filter := l.WantFor(most >= place.Lazy, most >= place.Scripts)
		for _, e := range elements {
			if e[1] == "" || strings.HasPrefix(e[1], "-") {
				continue
			}
			for _, a := range attrs {
				row := htmlRow(rows, e[0], e[1], a, func(string) string { return "" })
				if a == "" || row == nil || row.Default == place.Lazy && most < place.Lazy ||
					row.Default == place.Scripts && most < place.Scripts {
					continue
				}
				open := ""
				if e[0] != "" {
					open = "<" + e[0] + ">"
				}
				data := []byte(open + "<" + e[1] + " " + a + "=' url(x):/x '>")
				s := markup.Scanner{Filter: filter}
				s.Reset(data)
				kept := false
				for k := s.Next(); k != markup.EOF; k = s.Next() {
					for _, attr := range s.Attrs {
						kept = kept || string(data[attr.NameStart:attr.NameEnd]) == a
					}
				}
				if !kept {
					t.Errorf("the attribute of %q is not kept, up to treatment %d: row %+v", data, most, *row)
				}
			}
		}
	}
}

// Types whose values mail programs encode.
func TestEncoded(t *testing.T) {
	for typ := place.TypeURL; typ <= place.TypeExternal; typ++ {
		want := typ == place.TypeAddress || typ == place.TypeMailing || typ == place.TypeKeyURL || typ == place.TypeText
		if got := typ.Encoded(); got != want {
			t.Errorf("Encoded of type %d = %v, want %v", typ, got, want)
		}
	}
}
