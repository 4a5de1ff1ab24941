package escape_test

import (
	"bytes"
	stdxml "encoding/xml"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"absolink/extract/internal/escape"
)

// attribute is the context of an attribute in quotes; 0 means no quotes.
func attribute(quote byte) escape.Context { return escape.Context{Quote: quote} }

// listed is the context of one of several references in an attribute.
func listed(list escape.List, inner byte) escape.Context {
	return escape.Context{Quote: '"', List: list, Inner: inner}
}

// sheet is the context of a token in text without character references.
func sheet(token escape.Token, inner byte) escape.Context {
	return escape.Context{Quote: '"', Sheet: true, Token: token, Inner: inner}
}

// within returns c inside other contexts.
func within(c escape.Context, outer ...escape.Context) escape.Context {
	at := &c
	for i := range outer {
		at.Outer = &outer[i]
		at = at.Outer
	}
	return c
}

// xmlIn is the context of an attribute of XML.
func xmlIn(quote byte) escape.Context { return escape.Context{Quote: quote, XML: true} }

// classes show how each byte of ASCII is written between two letters: '.' unchanged, '%'
// percent-encoded, '#' as a numeric character reference, '&' as a named one, '\' with an escape of
// a token, '?' in another way. For the start and the end only the differences are listed. A row has
// 32 bytes.
var classes = []struct {
	name               string
	p                  escape.Context
	middle, start, end string
}{
	{"double quotes", attribute('"'),
		`
%###############################
..&...&.....................&...
................................
...............................#`,
		"",
		""},
	{"single quotes", attribute('\''),
		`
%###############################
......&#....................&...
................................
...............................#`,
		"",
		""},
	{"no quotes", attribute(0),
		`
%###############################
#.&...&#....................&##.
................................
#..............................#`,
		"",
		""},
	{"no quotes, a part", escape.Context{Bare: escape.BarePart},
		`
%###############################
#.&...&#....................&##.
................................
#..............................#`,
		"",
		""},
	{"attribute of XML", xmlIn('"'),
		`
%%%%%%%%%##%%#%%%%%%%%%%%%%%%%%%
..&...&.....................&.&.
................................
...............................#`,
		"",
		""},
	{"attribute of XML in single quotes", xmlIn('\''),
		`
%%%%%%%%%##%%#%%%%%%%%%%%%%%%%%%
......&#....................&.&.
................................
...............................#`,
		"",
		""},
	{"XML without quotes", xmlIn(0),
		`
%%%%%%%%%##%%#%%%%%%%%%%%%%%%%%%
#.&...&#....................&#&.
................................
#..............................#`,
		"",
		""},
	{"CDATA", escape.Context{XML: true, CDATA: true},
		`
%%%%%%%%%..%%%%%%%%%%%%%%%%%%%%%
..............................%.
................................
...............................%`,
		"",
		""},
	{"sheet", sheet(escape.NoToken, 0),
		`
................................
................................
................................
................................`,
		"",
		""},
	{"string of CSS", sheet(escape.CSS, '"'),
		`
%\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\
..\.........................\.\.
............................\...
...............................\`,
		"",
		""},
	{"string of CSS in single quotes", sheet(escape.CSS, '\''),
		`
%\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\
.......\....................\.\.
............................\...
...............................\`,
		"",
		""},
	{"url() of CSS", sheet(escape.CSS, 0),
		`
%\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\
\.\....\\\..................\.\.
............................\...
...............................\`,
		"",
		""},
	{"string of JSON", sheet(escape.Literal, '"'),
		`
%\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\
..\....\....................\.\.
............................\...
\..........................\...\`,
		"",
		""},
	{"javascript URL", sheet(escape.Percent, '"'),
		`
?\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\
..\..%.\....................\.\.
............................\...
\..........................\...\`,
		"",
		""},
	{"Blanks", listed(escape.Blanks, 0),
		`
%########%%#%%##################
%.&...&.....................&...
................................
...............................#`,
		"",
		""},
	{"Commas", listed(escape.Commas, 0),
		`
%###############################
..&...&.....%...............&...
................................
...............................#`,
		`
         %% %%                  
%                               
                                
                                `,
		`
         %% %%                  
%                               
                                
                                `},
	{"Srcset", listed(escape.Srcset, 0),
		`
%########%%#%%##################
%.&...&.....................&...
................................
...............................#`,
		`
                                
            %                   
                                
                                `,
		`
                                
            %                   
                                
                                `},
	{"Refresh", listed(escape.Refresh, 0),
		`
%###############################
..&...&.....................&...
................................
...............................#`,
		`
         %% %%                  
% %    %                        
                                
                                `,
		`
         %% %%                  
%                               
                                
                                `},
	{"Semicolons", listed(escape.Semicolons, 0),
		`
%###############################
..&...&....................%&...
................................
...............................#`,
		`
         %% %%                  
%                               
                                
                                `,
		`
         %% %%                  
%                               
                                
                                `},
	{"Angles", listed(escape.Angles, 0),
		`
%###############################
..&...&.....................%.%.
................................
...............................#`,
		`
         %% %%                  
%                               
                                
                                `,
		`
         %% %%                  
%                               
                                
                                `},
	{"Policy", listed(escape.Policy, 0),
		`
%########%%#%%##################
%.&...&.....%..............%&...
................................
...............................#`,
		"",
		""},
	{"Guess", listed(escape.Guess, 0),
		`
%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
%.%...&.....................%.%.
................................
...............................#`,
		"",
		""},
	{"Name", listed(escape.Name, 0),
		`
%###############################
..&...&.....................&...
................................
...............................#`,
		"",
		""},
	{"Prose", listed(escape.Prose, 0),
		`
%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
%.%...&.....................%.%.
................................
...............................%`,
		"",
		""},
	{"Likely", listed(escape.Likely, 0),
		`
%###############################
..&...&.....................&...
................................
...............................#`,
		"",
		""},
	{"Joined", listed(escape.Joined, 0),
		`
%###############################
..&...&.....................&...
................................
...............................#`,
		"",
		""},
	{"Text", listed(escape.Text, 0),
		`
%###############################
..&...&.....................&...
................................
...............................#`,
		"",
		""},
	{"Unquoted", listed(escape.Unquoted, 0),
		`
%###############################
..&...&.....................&...
................................
...............................#`,
		"",
		""},
	{"Specifier", listed(escape.Specifier, 0),
		`
%###############################
..&...&.....................&...
................................
...............................#`,
		"",
		""},
	{"Key", listed(escape.Key, 0),
		`
%###############################
..&...&.....................&...
................................
...............................#`,
		"",
		""},
	{"Pattern", listed(escape.Pattern, 0),
		`
%###############################
..&...&.....................&...
................................
...............................#`,
		"",
		""},
	{"Map", listed(escape.Map, 0),
		`
%########%%#%%##################
%.%...&%....................&...
................................
...............................#`,
		"",
		""},
	{"Quotes", listed(escape.Quotes, '"'),
		`
%###############################
..%...&.....................&...
................................
...............................#`,
		"",
		""},
	{"Refresh in quotes", listed(escape.Refresh, '\''),
		`
%###############################
..&...&%....................&...
................................
...............................#`,
		`
         %% %%                  
%                               
                                
                                `,
		`
         %% %%                  
%                               
                                
                                `},
	{"comment", within(attribute('"'), escape.Context{Comment: true}),
		`
%###############################
..&...&.....................&.%.
................................
...............................#`,
		"",
		""},
	{"comment around no quotes", within(attribute(0), escape.Context{Comment: true}),
		`
%###############################
#.&...&#....................&##.
................................
#..............................#`,
		"",
		`
                                
             %                  
                                
                                `},
	{"srcdoc", within(attribute('"'), attribute('"')),
		`
%&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&
..&...&.....................&...
................................
...............................&`,
		"",
		""},
}

// class returns the class of out, the output for c.
func class(c byte, out string) byte {
	lower := strings.ToLower(out)
	switch {
	case out == string([]byte{c}):
		return '.'
	case strings.HasPrefix(lower, "&#") && strings.HasSuffix(out, ";"):
		return '#'
	case strings.HasPrefix(out, "&") && strings.HasSuffix(out, ";") && strings.Count(out, "&") == 1:
		return '&'
	case strings.HasPrefix(out, `\`):
		return '\\'
	case len(out) == 3 && out[0] == '%':
		return '%'
	}
	return '?'
}

// rows returns the classes of all bytes of ASCII between two pieces, without the bytes that are
// written like other.
func rows(p *escape.Context, before, after, other string) string {
	var b strings.Builder
	for c := range byte(128) {
		if c%32 == 0 {
			b.WriteByte('\n')
		}
		out := string(p.Append(nil, []byte(before+string([]byte{c})+after)))
		out = strings.TrimSuffix(strings.TrimPrefix(out, before), after)
		k := class(c, out)
		if n := b.Len(); other != "" && other[n] == k {
			k = ' '
		}
		b.WriteByte(k)
	}
	if strings.TrimSpace(b.String()) == "" {
		return ""
	}
	return b.String()
}

func TestClasses(t *testing.T) {
	for _, tt := range classes {
		middle := rows(&tt.p, "ab", "cd", "")
		start := rows(&tt.p, "", "cd", middle)
		end := rows(&tt.p, "ab", "", middle)
		if middle != tt.middle || start != tt.start || end != tt.end {
			t.Errorf("%s:\n%s\nat the start\n%s\nat the end\n%s\nwant\n%s\nat the start\n%s\nat the end\n%s",
				tt.name, middle, start, end, tt.middle, tt.start, tt.end)
		}
	}
}

// values are texts that need escapes, as single bytes, pairs and characters.
func values() (list []string) {
	for c := range 128 {
		list = append(list, string(rune(c)), "a"+string(rune(c))+"b")
		for _, d := range "&;<>\"'=#x-! ]%\\" {
			list = append(list, string(rune(c))+string(d))
		}
	}
	return append(list, "", "é", "a\u0080b", "\u009f", "\u00a0", "\ud7ff", "\ue000", "\ufffd", "\ufffe", "\U00010000",
		"\U0010ffff", "\xff", "a\xc3", "http://a.test/?b&amp;c=\"d\"&lt", "]]>", "a]]", "]", "--", "-->")
}

// percentUnheld returns s and percent-encodes each character that is not held.
func percentUnheld(s string, isHeld func(r rune) bool) string {
	var b strings.Builder
	for i, r := range s {
		n := len(string(r))
		if r == 0xfffd && !strings.HasPrefix(s[i:], "\ufffd") {
			n = 1
		}
		if n == 1 && r == 0xfffd || !isHeld(r) {
			for _, c := range []byte(s[i : i+n]) {
				b.WriteString("%" + string("0123456789ABCDEF"[c>>4]) + string("0123456789ABCDEF"[c&15]))
			}
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// x/net/html reads an attribute of HTML as it was written. Numeric references to the controls of
// Latin-1 mean other characters, and NUL has no reference.
func TestReadByHTML(t *testing.T) {
	for _, v := range values() {
		want := percentUnheld(v, func(r rune) bool { return r != 0 && (r < 0x80 || r >= 0xa0) })
		for _, p := range []struct {
			context       escape.Context
			before, after string
		}{
			{attribute('"'), `href="`, `"`}, {attribute('\''), `href='`, `'`}, {attribute(0), `href=a`, ``},
			{escape.Context{Bare: escape.BareAbsent}, `href`, ``}, {escape.Context{Bare: escape.BareWhole}, `href=`,
				``},
			{escape.Context{Bare: escape.BarePart}, `href=a`, ``},
			{escape.Context{Quote: '"', Open: 1}, `href="a&amp`, `"`},
			{escape.Context{Quote: '\'', Open: 1}, `href='a&#97`, `'`},
		} {
			text := "<a " + p.before + string(p.context.Append(nil, []byte(v))) + p.after + " title=x>"
			z := html.NewTokenizer(strings.NewReader(text))
			z.Next()
			token := z.Token()
			expect := want
			switch {
			case strings.HasSuffix(p.before, "=a"):
				expect = "a" + want
			case strings.HasSuffix(p.before, "&amp"):
				expect = "a&" + want
			case strings.HasSuffix(p.before, "&#97"):
				expect = "aa" + want
			}
			if len(token.Attr) != 2 || token.Attr[0].Val != expect {
				t.Errorf("%q in %+v is written as %q and read as %q, want %q", v, p.context, text, token.Attr, expect)
			}
		}
	}
}

// encoding/xml reads a text of XML as it was written.
func TestReadByXML(t *testing.T) {
	held := func(r rune) bool {
		return r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r < 0xfffe || r >= 0x10000
	}
	heldByCDATA := func(r rune) bool { return r == '\t' || r == '\n' || ' ' <= r && r < 0x7f && r != '>' }
	bareXML := func(b escape.Bare) escape.Context { return escape.Context{XML: true, Bare: b} }
	for _, v := range values() {
		for _, p := range []struct {
			context       escape.Context
			before, after string
			held          func(r rune) bool
		}{
			{xmlIn('"'), `<a b="`, `"/>`, held}, {xmlIn('\''), `<a b='`, `'/>`, held}, {xmlIn('"'), `<a>`, `</a>`,
				held},
			{bareXML(escape.BareAbsent), `<a b`, `/>`, held}, {bareXML(escape.BareWhole), `<a b=`, `/>`, held},
			{escape.Context{XML: true, CDATA: true}, `<a><![CDATA[`, `]]></a>`, heldByCDATA},
		} {
			text := p.before + string(p.context.Append(nil, []byte(v))) + p.after
			d := stdxml.NewDecoder(strings.NewReader(text))
			got := ""
			for {
				token, err := d.Token()
				if err != nil {
					if token != nil || err.Error() != "EOF" {
						t.Errorf("%q in %+v is written as %q: %v", v, p.context, text, err)
					}
					break
				}
				switch token := token.(type) {
				case stdxml.StartElement:
					if len(token.Attr) > 0 {
						got = token.Attr[0].Value
					}
				case stdxml.CharData:
					got += string(token)
				}
			}
			if want := percentUnheld(v, p.held); got != want {
				t.Errorf("%q in %+v is written as %q and read as %q, want %q", v, p.context, text, got, want)
			}
		}
	}
}

// A document inside another one is written from the inside out.
func TestAppendOuter(t *testing.T) {
	tests := []struct {
		name      string
		p         escape.Context
		uri, want string
	}{
		{"srcdoc", within(attribute('"'), attribute('\'')), `a"b'c&d`, `a&amp;quot;b&#39;c&amp;amp;d`},
		{"srcdoc twice", within(attribute('"'), attribute('"'), attribute('"')), `a"b`, `a&amp;amp;quot;b`},
		{"open outward", within(escape.Context{Quote: '"', Open: 2}, attribute('"')), `ab`, `&#97;b`},
		{"open at the second", within(escape.Context{Quote: '"', Open: 4}, attribute('"'), attribute('"')),
			`ab`, `&#97;b`},
		{"open inside", within(escape.Context{Quote: '"', Open: 1}, attribute('"')), `ab`, `&amp;#97;b`},
		{"XML around HTML", within(attribute('\''), xmlIn('"')), `a'b<c`, `a&amp;#39;b&amp;lt;c`},
		{"a CDATA section around HTML", within(escape.Context{Quote: '"', CDATA: true}, escape.Context{XML: true}),
			`a"b>]]`, `a&quot;b%3E]]]]><![CDATA[`},
		{"comment", within(attribute('"'), escape.Context{Comment: true}), `a>--`, `a%3E--`},
		{"JSON around HTML", within(attribute('\''), escape.Context{Literal: true, Sheet: true}), `a'b"\`,
			`a&#39;b\u0022\u005c`},
		{"JSON around quotes to be", within(escape.Context{Bare: escape.BareWhole},
			escape.Context{Literal: true, Sheet: true}), `a b`, `\u0022a b\u0022`},
		{"variables in JSON", escape.Context{Sheet: true, Token: escape.Literal, List: escape.Variables},
			`a?${b}"`, `a?${b}\u0022`},
		{"variables in an attribute", escape.Context{Quote: '"', List: escape.Variables}, `a?{b}&"`, `a?{b}&amp;&quot;`},
		{"comment around no quotes", within(escape.Context{Bare: escape.BarePart}, escape.Context{Comment: true}),
			`a-`, `a%2D`},
		{"comment around no quotes, a mark", within(escape.Context{Bare: escape.BarePart},
			escape.Context{Comment: true}),
			`a-!`, `a-%21`},
		{"comment around no quotes, a mark alone",
			within(escape.Context{Bare: escape.BarePart}, escape.Context{Comment: true}), `a!`, `a!`},
		{"comment around a mark", within(escape.Context{Bare: escape.BarePart}, escape.Context{Comment: true}),
			`!`, `%21`},
		{"comment around quotes to be", within(escape.Context{Bare: escape.BareWhole}, escape.Context{Comment: true}),
			`a`, `"a"`},
		{"no comment around quotes to be", within(escape.Context{Bare: escape.BareWhole}, attribute('"')), `a`, `a`},
		{"comment around a sheet", within(sheet(escape.CSS, 0), escape.Context{Comment: true}), `a-`, `a-`},
		{"comment around a guess",
			within(escape.Context{Quote: '"', List: escape.Guess}, escape.Context{Comment: true}), `a-`, `a%2D`},
		{"comment around angles",
			within(escape.Context{Quote: '"', List: escape.Angles}, escape.Context{Comment: true}), `a-`, `a%2D`},
		{"comment around prose",
			within(escape.Context{Quote: '"', List: escape.Prose}, escape.Context{Comment: true}), `a-`, `a%2D`},
		{"UTF-16", within(attribute('"'), escape.Context{Sheet: true, Wide: escape.UTF16LE}), `a"`,
			"a\x00&\x00q\x00u\x00o\x00t\x00;\x00"},
		{"UTF-16, big-endian", within(attribute('"'), escape.Context{Sheet: true, Wide: escape.UTF16BE}), `a`, "\x00a"},
		{"JIS X 0201", escape.Context{Quote: '"', Roman: escape.RomanBefore}, `a`, "\x1b(Ba"},
		{"JIS X 0201 behind", escape.Context{Quote: '"', Roman: escape.RomanAfter}, `a`, "a\x1b(J"},
		{"JIS X 0201 around", escape.Context{Quote: '"', Roman: escape.RomanBefore | escape.RomanAfter}, `a`, "a"},
		{"JIS X 0201 around a tilde", escape.Context{Quote: '"', Roman: escape.RomanBefore | escape.RomanAfter},
			`~`, "\x1b(B~\x1b(J"},
		{"JIS X 0201 around a backslash", escape.Context{Quote: '"', Roman: escape.RomanBefore | escape.RomanAfter},
			`\`, "\x1b(B\\\x1b(J"},
	}
	for _, tt := range tests {
		if got := string(tt.p.Append([]byte("x"), []byte(tt.uri))); got != "x"+tt.want {
			t.Errorf("%s: Append(%q) = %q, want %q", tt.name, tt.uri, got[1:], tt.want)
		}
	}
}

// A comma at an end of a srcset candidate is percent-encoded.
func TestFit(t *testing.T) {
	for _, tt := range []struct {
		list      escape.List
		uri, want string
	}{
		{escape.Srcset, "a,b", "a,b"}, {escape.Srcset, ",a", "%2Ca"}, {escape.Srcset, "a,", "a%2C"},
		{escape.Srcset, ",", "%2C"}, {escape.Srcset, "", ""}, {escape.Commas, "a,", "a,"}, {escape.Single, ",", ","},
	} {
		p := listed(tt.list, 0)
		if got := p.Fit([]byte(tt.uri)); string(got) != tt.want || p.CutsComma([]byte(tt.uri)) != (tt.uri != tt.want) {
			t.Errorf("list %d: Fit(%q) = %q, CutsComma %v, want %q", tt.list, tt.uri, got,
				p.CutsComma([]byte(tt.uri)), tt.want)
		}
	}
}

// A context is in a comment if it is one itself or has one around it.
func TestCommented(t *testing.T) {
	comment := escape.Context{Comment: true}
	deep := within(attribute('"'), attribute('"'), comment, attribute('"'))
	plain := within(attribute('"'), attribute('"'))
	if !comment.Commented() || !deep.Commented() || plain.Commented() || (*escape.Context)(nil).Commented() {
		t.Errorf("Commented: got %v, %v, %v, want true, true, false",
			comment.Commented(), deep.Commented(), plain.Commented())
	}
}

// IsXML is production 2 of XML 1.0, range by range.
func TestIsXML(t *testing.T) {
	in := [][2]rune{{9, 9}, {0xa, 0xa}, {0xd, 0xd}, {0x20, 0xd7ff}, {0xe000, 0xfffd}, {0x10000, 0x10ffff}}
	for r := rune(-1); r <= 0x110000; r++ {
		want := false
		for _, s := range in {
			want = want || s[0] <= r && r <= s[1]
		}
		if got := escape.IsXML(r); got != want {
			t.Fatalf("IsXML(%#x) = %v, want %v", r, got, want)
		}
	}
}

// Append keeps the content of its slice and does not change the URI.
func TestAppendKeeps(t *testing.T) {
	for _, tt := range classes {
		uri := []byte("a b\"c,;'\\<>&%")
		before := bytes.Clone(uri)
		if got := tt.p.Append([]byte("start"), uri); !bytes.HasPrefix(got, []byte("start")) || !bytes.Equal(uri,
			before) {
			t.Errorf("%s: Append to %q of %q gave %q and left %q", tt.name, "start", before, got, uri)
		}
	}
}
