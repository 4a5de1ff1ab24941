package ref_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// chain returns the layers from l outward.
func chain(l *base.Layer) string {
	var list []string
	for ; l != nil; l = l.Outer {
		s := fmt.Sprint(l.Source, " ", l.Value)
		if l.Part != "" {
			s += " part " + l.Part
		}
		if l.Template {
			s += " unknown"
		}
		if l.UnknownCharset != "" {
			s += " in " + l.UnknownCharset
		}
		list = append(list, s)
	}
	return strings.Join(list, ", ")
}

func TestLayers(t *testing.T) {
	outer := &base.Layer{Source: base.URL, Value: "u"}
	var l ref.Layers
	for range 2 { // built twice
		l.Reset(outer, "1.2")
		l.Unknown = ""
		own := l.Add(base.None, "", ref.OuterLayer)
		inner := l.Add(base.XMLBase, "x", own)
		none := l.Add(base.None, "", inner)
		deep := l.Add(base.BaseElement, "{{ b }}", none)
		late := l.Add(base.None, "", own)
		moved := l.Add(base.XMLBase, "m", inner)
		if own != 1 || moved != 6 || l.OuterOf(deep) != none || l.Has(own) || !l.Has(inner) {
			t.Fatalf("numbers %d to %d, %d around %d, or their sources", own, moved, l.OuterOf(deep), deep)
		}
		l.Set(late, base.FeedLink, "f")
		l.Set(inner, base.None, "")
		l.Set(inner, base.XMLBase, "y")
		l.SetOuter(moved, own)
		l.Finish()
		for n, want := range map[int]string{
			ref.NoLayer: "", ref.OuterLayer: "url u", own: "url u", inner: "xml:base y part 1.2, url u",
			none: "xml:base y part 1.2, url u",
			deep: "base-element {{ b }} part 1.2 unknown, xml:base y part 1.2, url u",
			late: "feed-link f part 1.2, url u", moved: "xml:base m part 1.2, url u",
		} {
			if got := chain(l.Get(n)); got != want {
				t.Errorf("layer %d is %q, want %q", n, got, want)
			}
		}
	}
}

// Many layers need more memory than there was, and few layers after them need none.
func TestManyLayers(t *testing.T) {
	var l ref.Layers
	for _, n := range []int{0, 1, 500, 2} {
		l.Reset(nil, "")
		last := ref.OuterLayer
		for range n {
			last = l.Add(base.XMLBase, "x", last)
		}
		l.Finish()
		if got := chain(l.Get(last)); strings.Count(got, "xml:base x") != n {
			t.Errorf("%d layers: %q", n, got)
		}
	}
}

// A layer is marked if its value may have other characters in an unknown charset.
func TestUnknownCharset(t *testing.T) {
	var l ref.Layers
	l.Reset(nil, "")
	l.Unknown = "x-none"
	for value, want := range map[string]string{"a": "", "é": "", "\ufffd": "x-none", "a\x0e": "x-none",
		"\x0f": "x-none", "\x1bb": "x-none"} {
		n := l.Add(base.BaseElement, value, 0)
		l.Finish()
		if got := l.Get(n).UnknownCharset; got != want {
			t.Errorf("charset of the layer %q is %q, want %q", value, got, want)
		}
	}
}

// The Content-Location of an entity is resolved against the layers around it, or the Content-Base
// beside it (RFC 2110 Section 4.2).
func TestEntityLayers(t *testing.T) {
	around := &base.Layer{Source: base.ContentLocation, Value: "a", Inherited: true}
	location := &base.Layer{Source: base.ContentLocation, Value: "l", Outer: around}
	both := &base.Layer{Source: base.ContentBase, Value: "b", Part: "1", Outer: location}
	own := &base.Layer{Source: base.ContentBase, Value: "b", Outer: around}
	inherited := &base.Layer{Source: base.ContentBase, Value: "i", Inherited: true, Outer: location}
	for _, tt := range []struct {
		name, entity, content string
		outer                 *base.Layer
	}{
		{"nothing", "", "", nil},
		{"a retrieval URI", "url u", "", &base.Layer{Source: base.URL, Value: "u"}},
		{"a Content-Location", "content-location a", "", location},
		{"both fields", "content-base b part 1, content-location a", "content-base b part 1", both},
		{"a Content-Base", "content-base b, content-location a", "content-base b", own},
		{"inherited", "content-location a", "", around},
		{"an inherited Content-Base", "content-base i, content-location l, content-location a", "", inherited},
	} {
		var l ref.Layers
		l.Reset(tt.outer, "")
		l.Finish()
		for range 2 {
			entity, content := chain(l.Get(ref.EntityLayer)), chain(l.Get(ref.ContentLayer))
			if entity != tt.entity || content != tt.content {
				t.Errorf("%s: entity %q, content %q, want %q, %q", tt.name, entity, content, tt.entity, tt.content)
			}
		}
		l.Reset(nil, "")
		l.Finish()
		if l.Get(ref.EntityLayer) != nil || l.Get(ref.ContentLayer) != nil {
			t.Errorf("%s: a layer is kept for the next document", tt.name)
		}
	}
}

// shapeFields returns the fields of a shape, also those of the structs that it embeds.
func shapeFields() []reflect.StructField {
	list := reflect.VisibleFields(reflect.TypeFor[ref.Shape]())
	return slices.DeleteFunc(list, func(f reflect.StructField) bool { return f.Anonymous })
}

// differ returns shapes that differ from the first one in one field each.
func differ() []ref.Shape {
	first := ref.Shape{Element: "a", Attr: "href", Rel: "next"}
	list := []ref.Shape{first}
	for _, field := range shapeFields() {
		s := first
		f := reflect.ValueOf(&s).Elem().FieldByIndex(field.Index)
		switch field.Name {
		case "Layer", "Plain": // set at the end
			continue
		case "Context":
			s.Context.Quote = '"'
		default:
			switch f.Kind() {
			case reflect.String:
				f.SetString("x")
			case reflect.Bool:
				f.SetBool(true)
			case reflect.Int:
				f.SetInt(1)
			default:
				f.SetUint(1)
			}
		}
		list = append(list, s)
	}
	return list
}

// Every field of a shape makes another shape.
func TestShapes(t *testing.T) {
	var s ref.List
	data := []byte("xyz")
	shapes := differ()
	if len(shapes) < 20 {
		t.Fatalf("%d shapes, want 20", len(shapes))
	}
	s.Reset(data)
	var want []ref.Shape
	for _, shape := range shapes {
		for range 2 {
			for _, shape := range []ref.Shape{shape, shapes[0]} {
				*s.Add() = ref.Ref{Span: text.Span{Start: 1, End: 2}, Value: data[1:2], Shape: shape}
				want = append(want, shape)
			}
		}
	}
	if s.Len() != len(want) {
		t.Errorf("%d references, want %d", s.Len(), len(want))
	}
	s.End()
	if len(s.Shapes) >= len(want) {
		t.Errorf("%d shapes of %d references", len(s.Shapes), len(want))
	}
	for i, k := range s.Kept {
		if got := s.Shapes[k.Shape]; !reflect.DeepEqual(got, want[i]) {
			t.Errorf("reference %d has the shape %+v, want %+v", i, got, want[i])
		}
	}
}

func TestList(t *testing.T) {
	data := []byte("http://a.test/ b #c")
	var s ref.List
	for range 2 {
		s.Reset(data)
		if s.Len() != 0 || s.End() != 0 || s.HasRelative(0) || s.Open {
			t.Fatalf("an empty list has %d references, ends at %d", s.Len(), s.End())
		}
		r := s.Add()
		*r = ref.Ref{Span: text.Span{Start: 0, End: 14}, Value: data[:14:14], Shape: ref.Shape{Relative: true}}
		if !s.Open || s.Len() != 1 || len(s.Kept) != 0 {
			t.Errorf("one reference: open %v, %d, %d kept", s.Open, s.Len(), len(s.Kept))
		}
		r.Kind = place.KindRes // it may still be changed
		if shape := s.CloseLast(); shape != 0 || s.Open || s.Shapes[0].Kind != place.KindRes {
			t.Errorf("the shape closed is %d, open %v", shape, s.Open)
		}
		s.Append(text.Span{Start: 15, End: 16}, 0, []byte("b")) // another slice than the bytes in data
		s.Append(text.Span{Start: 16, End: 16}, 0, data[16:16])
		s.Append(text.Span{Start: 17, End: 19}, 0, []byte("other"))
		var got []string
		for i := range s.Kept {
			got = append(got, string(s.Value(&s.Kept[i])))
		}
		if want := []string{"http://a.test/", "b", "", "other"}; !slices.Equal(got, want) {
			t.Errorf("values %q, want %q", got, want)
		}
		if v := s.Value(&s.Kept[0]); &v[0] != &data[0] || cap(v) != 14 {
			t.Errorf("a value that stands in the document is copied, or can be appended to: %d of %d", len(v), cap(v))
		}
		if s.End() != 19 || s.Len() != 4 {
			t.Errorf("the list ends at %d with %d references, want 19, 4", s.End(), s.Len())
		}
	}
}

func TestHasRelative(t *testing.T) {
	for value, want := range map[string]bool{
		"x": true, "/x": true, "?x": true, "?a:b": true, "./a:b": true, "//a.test/": true, ":a": true, " x ": true,
		"": false, "  ": false, "#x": false, " #x": false, "a:b": false, "mailto:x": false, "a:/b": false,
	} {
		var s ref.List
		data := []byte(value)
		s.Reset(data)
		at := text.Span{Start: 0, End: len(data)}
		*s.Add() = ref.Ref{Span: at, Value: data, Shape: ref.Shape{Relative: true, LayerNumber: 3}}
		if s.HasRelative(3) {
			t.Errorf("%q: the last one counts", value)
		}
		s.CloseLast()
		if got := s.HasRelative(3); got != want {
			t.Errorf("HasRelative with %q = %v, want %v", value, got, want)
		}
		if s.HasRelative(2) {
			t.Errorf("%q is of another layer", value)
		}
		s.Reset(data)
		*s.Add() = ref.Ref{Span: at, Value: data, Shape: ref.Shape{LayerNumber: 3}}
		*s.Add() = ref.Ref{Span: at, Value: data, Shape: ref.Shape{Relative: true, Identifier: true, LayerNumber: 3}}
		s.CloseLast()
		if s.HasRelative(3) {
			t.Errorf("%q counts without a base, or as a name", value)
		}
	}
}

// References that overlap or touch a piece of a template are marked, and no others.
func TestMarkTemplate(t *testing.T) {
	data := make([]byte, 60)
	pieces := []text.Span{{Start: 10, End: 12}, {Start: 20, End: 30}, {Start: 40, End: 41}}
	for start := range 50 {
		for length := range 9 {
			want := false
			for _, p := range pieces {
				want = want || start <= p.End && start+length >= p.Start
			}
			var s ref.List
			s.Reset(data)
			for _, at := range []text.Span{{Start: 0, End: 1}, {Start: start, End: start + length}, {Start: 50,
				End: 51}} {
				*s.Add() = ref.Ref{Span: at, Value: data[at.Start:at.End]}
			}
			s.MarkTemplate(pieces)
			for i, k := range s.Kept {
				if got := s.Shapes[k.Shape].Template; (got == ref.NearPiece) != (i == 1 && want) {
					t.Fatalf("reference %d from %d to %d is marked: %v", i, k.Start, k.End, got)
				}
			}
		}
	}
}

// A shape that is marked twice is copied once, and a shape that has a mark keeps it.
func TestMarkTemplateShapes(t *testing.T) {
	data := make([]byte, 10)
	for _, mark := range []ref.Template{ref.NearPiece, ref.InXSLT} {
		var s ref.List
		s.Reset(data)
		for i, has := range []ref.Template{ref.NoTemplate, ref.NoTemplate, ref.NoTemplate, mark} {
			*s.Add() = ref.Ref{Span: text.Span{Start: i, End: i + 1}, Value: data[i : i+1],
				Shape: ref.Shape{Template: has}}
		}
		s.MarkTemplate([]text.Span{{Start: 0, End: 4}})
		marked := s.Shapes[1].Template
		if len(s.Shapes) != 3 || s.Kept[0].Shape != s.Kept[2].Shape || s.Kept[3].Shape != 1 || marked != mark {
			t.Errorf("%d shapes of %v with the mark %d, want 3", len(s.Shapes), s.Kept, marked)
		}
	}
}

func TestSort(t *testing.T) {
	var s ref.List
	data := []byte("abcdef")
	s.Reset(data)
	for _, at := range []int{5, 3, 1, 3, 2} {
		s.Append(text.Span{Start: at, End: at + 1}, uint32(s.Len()), data[at:at+1])
	}
	s.Sort(1)
	var got []string
	for _, k := range s.Kept {
		got = append(got, fmt.Sprint(k.Start, ":", k.Shape))
	}
	if want := []string{"5:0", "1:2", "2:4", "3:1", "3:3"}; !slices.Equal(got, want) {
		t.Errorf("sorted from 1 on: %q, want %q", got, want)
	}
}

// A list of many references, shapes or values is not kept.
func TestLarge(t *testing.T) {
	const most = 1 << 15
	data := make([]byte, 1)
	for _, tt := range []struct {
		name string
		fill func(s *ref.List)
		want bool
	}{
		{"nothing", func(*ref.List) {}, false},
		{"few", func(s *ref.List) { s.Append(text.Span{End: 1}, 0, data) }, false},
		{"references", func(s *ref.List) { s.Kept = make([]ref.Kept, 0, most+1) }, true},
		{"as many references as are kept", func(s *ref.List) { s.Kept = make([]ref.Kept, 0, most) }, false},
		{"shapes", func(s *ref.List) { s.Shapes = make([]ref.Shape, 0, most/8+1) }, true},
		{"as many shapes as are kept", func(s *ref.List) { s.Shapes = make([]ref.Shape, 0, most/8) }, false},
		{"values", func(s *ref.List) {
			for range most + 1 {
				s.Append(text.Span{End: 1}, 0, []byte("xy"))
				s.Kept = s.Kept[:0]
			}
		}, true},
	} {
		var s ref.List
		s.Reset(data)
		tt.fill(&s)
		if got := s.Large(); got != tt.want {
			t.Errorf("%s: Large = %v, want %v", tt.name, got, tt.want)
		}
	}
}

// The shapes get their layers at the end, and the simple ones are plain.
func TestFinish(t *testing.T) {
	var l ref.Layers
	l.Reset(nil, "")
	n := l.Add(base.XMLBase, "x", ref.OuterLayer)
	l.Finish()
	plain := ref.Shape{LayerNumber: n, Relative: true, Context: escape.Context{Quote: '"'}}
	shapes := []ref.Shape{plain}
	names := []string{"nothing"}
	other := func(name string, change func(s *ref.Shape)) {
		shape := plain
		change(&shape)
		shapes = append(shapes, shape)
		names = append(names, name)
	}
	for _, field := range shapeFields() {
		if field.Type.Kind() == reflect.Bool && field.Name != "Plain" {
			other(field.Name, func(s *ref.Shape) {
				f := reflect.ValueOf(s).Elem().FieldByIndex(field.Index)
				f.SetBool(!f.Bool())
			})
		}
	}
	other("Template", func(s *ref.Shape) { s.Template = ref.NearPiece })
	other("InXSLT", func(s *ref.Shape) { s.Template = ref.InXSLT })
	typ := reflect.TypeOf(plain.Context)
	for i := range typ.NumField() {
		other(typ.Field(i).Name, func(s *ref.Shape) {
			switch f := reflect.ValueOf(&s.Context).Elem().Field(i); f.Kind() {
			case reflect.Bool:
				f.SetBool(true)
			case reflect.Pointer:
				s.Context.Outer = new(escape.Context)
			default:
				f.SetUint(1)
			}
		})
	}
	var list ref.List
	list.Reset([]byte("x"))
	for _, shape := range shapes {
		*list.Add() = ref.Ref{Span: text.Span{End: 1}, Value: list.Data[:1], Shape: shape}
	}
	list.Finish(&l)
	var special []string
	for i, shape := range list.Shapes {
		if shape.Layer == nil || shape.Layer.Value != "x" {
			t.Errorf("%s: the layer is %v", names[i], shape.Layer)
		}
		if !shape.Plain {
			special = append(special, names[i])
		}
	}
	want := []string{"Identifier", "ListOnly", "Template", "InXSLT", "Outer", "List", "Token", "Sheet", "XML",
		"Comment", "Bare", "Roman", "Fixed", "Open"}
	if !slices.Equal(special, want) {
		t.Errorf("not plain are %q, want %q", special, want)
	}
}

// Relayer gives another layer to the references from an index on, and leaves the others.
func TestRelayer(t *testing.T) {
	data := []byte("abcd")
	var s ref.List
	s.Reset(data)
	for i := range data {
		*s.Add() = ref.Ref{Span: text.Span{Start: i, End: i + 1}, Value: data[i : i+1],
			Shape: ref.Shape{LayerNumber: 7}}
	}
	s.Relayer(1, func(value []byte) int {
		if string(value) == "c" {
			return 9
		}
		return 8
	})
	var got []int
	for _, k := range s.Kept {
		got = append(got, s.Shapes[k.Shape].LayerNumber)
	}
	if want := []int{7, 8, 9, 8}; !slices.Equal(got, want) {
		t.Errorf("layers %v, want %v", got, want)
	}
}
