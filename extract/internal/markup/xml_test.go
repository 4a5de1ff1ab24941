package markup

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
)

// tokensXML returns "kind text [attributes]" of each token of an XML text.
func tokensXML(data string) (list []string) {
	var s Scanner
	s.Reset([]byte(data))
	for {
		switch k := s.NextXML(); k {
		case EOF:
			return list
		case StartTag, EndTag:
			t := []string{"start", "end"}[k-StartTag] + " " + data[s.NameStart:s.NameEnd]
			for _, a := range s.Attrs {
				t += " " + data[a.NameStart:a.NameEnd] + "=" + data[a.Start:a.End]
			}
			if k == StartTag && s.SelfClosing {
				t += " /"
			}
			list = append(list, t)
		default:
			name := map[Kind]string{Comment: "comment", Doctype: "doctype", CDATA: "cdata", Instruction: "pi"}[k]
			list = append(list, name+" "+data[s.TextStart:s.TextEnd])
		}
	}
}

func TestXML(t *testing.T) {
	tests := []struct {
		name, data string
		want       []string
	}{
		{"tags", `<a x='1' Y="2"><b/></a >`, []string{"start a x=1 Y=2", "start b /", "end a"}},
		{"names as written", `<_a:B é='1'></_a:B>`, []string{"start _a:B é=1", "end _a:B"}},
		{"equal names", `<a x="1" x="2"/>`, []string{"start a x=1 x=2 /"}},
		{"nothing is raw text", `<title><a/></title><script><b/></script>`,
			[]string{"start title", "start a /", "end title", "start script", "start b /", "end script"}},
		{"comment", `<!--><a/>--!><b/>--><c/>`, []string{"comment ><a/>--!><b/>", "start c /"}},
		{"cdata", `<![CDATA[<a>]]]]><![CDATA[>]]><b/>`, []string{"cdata <a>]]", "cdata >", "start b /"}},
		{"instruction", `<?xml-stylesheet href="a>b"?><a/>`, []string{`pi xml-stylesheet href="a>b"`, "start a /"}},
		{"doctype", `<!DOCTYPE a SYSTEM "x>y"><a/>`, []string{`doctype  a SYSTEM "x>y"`, "start a /"}},
		{"subset", `<!DOCTYPE a [<!ENTITY b "]>"><!-- ]> ' --><?p ]> " ?>]><a/>`,
			[]string{`doctype  a [<!ENTITY b "]>"><!-- ]> ' --><?p ]> " ?>]`, "start a /"}},
		{"unclosed subset", `<!DOCTYPE a [<!ENTITY><a/>`, []string{"doctype  a [<!ENTITY", "start a /"}},
		{"second doctype", `<!DOCTYPE a><!DOCTYPE b [ '>' ]>`, []string{"doctype  a", "doctype  b [ '"}},
		{"unfinished", `<a/><b x="`, []string{"start a /"}},
		{"no markup", `a < b </> <3 </`, nil},
		{"unclosed", `<![CDATA[x`, []string{"cdata x"}},
		{"values without quotes", `<a x=1 y></a>`, []string{"start a x=1 y=", "end a"}},
	}
	for _, tt := range tests {
		got := tokensXML(tt.data)
		if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s: NextXML over %q =\n  %s\nwant\n  %s", tt.name, tt.data,
				strings.Join(got, "\n  "), strings.Join(tt.want, "\n  "))
		}
	}
}

func TestDeclarations(t *testing.T) {
	const data = ` html PUBLIC '-//W3C//DTD XHTML 1.0//EN' "x.dtd" [
		<!ENTITY a "b'&#60;"> <!ENTITY % p SYSTEM 'p.ent'> %p;
		<!-- <!ENTITY no "x"> --> <?x <!ENTITY no "x"> ?>
		<!ENTITY pic PUBLIC "pub" "pic.gif" NDATA gif>
		<!NOTATION gif SYSTEM "gif.exe"> <!ATTLIST a b CDATA "]"> <!ENTITY> <!ENTITY c 'unclosed> ]`
	want := []string{
		`0 html "" "-//W3C//DTD XHTML 1.0//EN" "x.dtd"`,
		`1 a "b'&#60;" "" ""`,
		`3 p "" "" "p.ent"`,
		`1 pic "" "pub" "pic.gif"`,
		`2 gif "" "" "gif.exe"`,
		`1 c "" "" ""`,
	}
	var got []string
	at := func(s [2]int) string { return data[s[0]:s[1]] }
	Declarations([]byte(data), 0, len(data), func(d Declaration) {
		got = append(got, fmt.Sprintf("%d %s %q %q %q", d.What, at(d.Name), at(d.Literal), at(d.Public), at(d.System)))
	})
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("Declarations(%q) =\n%s\nwant\n%s", data, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// FuzzXML asserts that tokens are in order and that each span is inside its token. If encoding/xml
// accepts the document as well-formed, both must find the same tags.
func FuzzXML(f *testing.F) {
	f.Add(`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a x="1"><![CDATA[<]]><!-- - --><b/></a>`)
	f.Add(`<a b='>'/><c></c >`)
	f.Fuzz(func(t *testing.T, data string) {
		var s Scanner
		s.Reset([]byte(data))
		for end := 0; ; end = s.End {
			kind := s.NextXML()
			if kind == Instruction {
				kind = Comment // the same spans
			}
			if err := checkSpans(&s, kind, end, len(data)); err != nil {
				t.Fatalf("NextXML over %q: %v", data, err)
			}
			if kind == Doctype {
				Declarations([]byte(data), s.TextStart, s.TextEnd, func(d Declaration) {
					for _, p := range [][2]int{d.Name, d.Literal, d.Public, d.System} {
						if p[1] > 0 && (p[0] < s.TextStart || p[1] < p[0] || p[1] > s.TextEnd) {
							t.Fatalf("declaration in %q: span %v", data, p)
						}
					}
				})
			}
			if kind == EOF {
				break
			}
		}
		if want, ok := oracleXML(data); ok {
			var got []string
			for _, token := range tokensXML(data) {
				if kind, _, _ := strings.Cut(token, " "); kind == "start" || kind == "end" {
					got = append(got, token)
				}
			}
			if strings.Join(got, "\n") != want {
				t.Errorf("tags of %q =\n%s\nwant\n%s", data, strings.Join(got, "\n"), want)
			}
		}
	})
}

// oracleXML returns the tags of a well-formed document without character references in attributes,
// in the form of tokensXML.
func oracleXML(data string) (string, bool) {
	if strings.ContainsAny(data, "&\r") || strings.Contains(data, "<!DOCTYPE") || strings.Contains(data, "<!doctype") {
		return "", false // encoding/xml does not read the internal subset
	}
	d := xml.NewDecoder(strings.NewReader(data))
	var list []string
	for {
		before := d.InputOffset()
		token, err := d.RawToken()
		if err == io.EOF {
			return strings.Join(list, "\n"), true
		}
		if err != nil {
			return "", false
		}
		written := data[before:d.InputOffset()]
		switch token := token.(type) {
		case xml.StartElement:
			t := "start " + rawName(token.Name)
			for _, a := range token.Attr {
				t += " " + rawName(a.Name) + "=" + a.Value
			}
			if strings.HasSuffix(written, "/>") {
				t += " /"
			}
			list = append(list, t)
		case xml.EndElement:
			if before < d.InputOffset() {
				list = append(list, "end "+rawName(token.Name))
			}
		case xml.Directive:
			return "", false
		}
	}
}

func rawName(n xml.Name) string {
	if n.Space != "" {
		return n.Space + ":" + n.Local
	}
	return n.Local
}
