package json

import (
	"slices"
	"strings"
	"testing"
)

// literals returns the literals of a script, without escapes.
func literals(script string) (list []string) {
	var l Literals
	for l.Reset([]byte(script)); l.Next(); {
		list = append(list, string(AppendUnescaped(nil, []byte(script[l.Start:l.End]))))
	}
	return list
}

// The head of literal.go lists the constructs that Literals misreads. These are examples of each.
// The string on the next line is found again, except after an odd backtick.
func TestMisread(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		got, right   []string
	}{
		{"a regular expression after a keyword", "return /'/.test(b + 'a')\n'z'",
			[]string{"/.test(b + ", "z"}, []string{"a", "z"}},
		{"a regular expression after a bracket", "if (b) /'/.test('a')\n'z'",
			[]string{"/.test(", "z"}, []string{"a", "z"}},
		{"a division after a brace", "{} / 2 + 'a' / 3\n'z'", []string{"z"}, []string{"a", "z"}},
		{"a division after ++", "i++ / 2 + 'a' / 3\n'z'", []string{"z"}, []string{"a", "z"}},
		{"a division after --", "i-- / 2 + 'a' / 3\n'z'", []string{"z"}, []string{"a", "z"}},
		{"a template literal in another", "`a${`b`}c`\n'z'",
			[]string{"a${", "}c", "z"}, []string{"a${`b`}c", "b", "z"}},
		{"a string in a substitution", "`a${'b'}c`\n'z'",
			[]string{"a${'b'}c", "z"}, []string{"a${'b'}c", "b", "z"}},
		{"a class in a class", "/[[a]/'[b]]/v + 'a'\n'z'",
			[]string{"[b]]/v + ", "z"}, []string{"a", "z"}},
		{"an escaped CRLF", "'a\\\r\nb'\n'z'", []string{"z"}, []string{"ab", "z"}},
		{"an opening comment of HTML", "<!-- it's 'a'\n'z'", []string{"s ", "z"}, []string{"z"}},
		{"a closing comment of HTML", "--> it's 'a'\n'z'", []string{"s ", "z"}, []string{"z"}},
		{"an open backtick", "`a\n'z'", nil, []string{"z"}},
		{"a misread backtick", "return /`/\n'a'\n`b`\n'z'", []string{"/\n'a'\n"},
			[]string{"a", "b", "z"}},
	} {
		if got := literals(tt.script); !slices.Equal(got, tt.got) {
			t.Errorf("%s: literals of %q: got %q, want %q (right: %q)", tt.name, tt.script, got, tt.got, tt.right)
		}
	}
}

// These are examples of the constructs in the list for which Joined is wrong.
func TestMisjoined(t *testing.T) {
	deep := strings.Repeat("(", maxGroups+1)
	for script, got := range map[string]bool{
		"return +'a'": true, "{} +'a'": true, "b - +'a'": true, "b > +'a'": true, "b / +'a'": true,
		deep + "'a'" + strings.Repeat(")", maxGroups+1) + "+b": false, deep + "a.concat('b'": false,
	} {
		var l Literals
		l.Reset([]byte(script))
		if !l.Next() || l.Joined != got {
			t.Errorf("%s: the string is joined: got %t, want %t (right: %t)", script, l.Joined, got, !got)
		}
	}
}

// The names of modules are found in every form of import and export.
func TestModule(t *testing.T) {
	for script, want := range map[string]string{
		"import 'm'; f('x')":                           "m",
		"import a from\"m\"\nf('x')":                   "m",
		"import{a}from'm',b='x'":                       "m",
		"import a, * as b from 'm'":                    "m",
		"export * from 'm'; export{a}from \t\r\n'n'":   "m n",
		"import('m')":                                  "m",
		"await import /* c */ ( // c\n `m`)":           "m",
		"import(a ? 'm' : 'n').then(f('x'), 'y')":      "m n",
		"import('m', {with: {type: 'json'}}, ['x'])":   "m",
		"import((a ? ('m') : (('n'))), ['x'])":         "m n",
		"new Worker(import.meta.resolve ('m'), 'x')":   "m",
		"import a from/**/'m'; import // c\n'n'":       "m n",
		"// A comment.\nimport('m')":                   "m",
		"import(f('x'))":                               "",
		"a.import('x'), b.from('x')":                   "",
		"Array.from('x'), from('x'), from`x`":          "",
		"reimport('x'), $import('x'), _from 'x'":       "",
		"import.meta.url + 'x', meta.resolve('x')":     "",
		"x = {from: 'x', import: 'x'}":                 "",
		"'from' + 'x'":                                 "",
		strings.Repeat("(", maxGroups) + "import('x')": "",
	} {
		var got []string
		var l Literals
		for l.Reset([]byte(script)); l.Next(); {
			if l.Module {
				got = append(got, script[l.Start:l.End])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: the modules are %q, want %s", script, got, want)
		}
	}
}

// A slash that is written into a string must not end a regular expression. So the strings after a
// division sign that looks like one are SlashUnsafe, up to the end of the line.
func TestSlashUnsafe(t *testing.T) {
	const script = "x('a');y = {} / b + 'c' + `d`\n'e'"
	var l Literals
	for l.Reset([]byte(script)); l.Next(); {
		content := script[l.Start:l.End]
		if want := content == "c" || content == "d"; l.SlashUnsafe != want {
			t.Errorf("in %s, SlashUnsafe of %s: got %t, want %t", script, content, l.SlashUnsafe, want)
		}
	}
}

// If a line ends before a literal does, the fields still describe the literal before.
func TestUnclosedLiteral(t *testing.T) {
	const script = "`a${b}`;'c\n"
	var l Literals
	l.Reset([]byte(script))
	if !l.Next() {
		t.Fatalf("%q has no literal", script)
	}
	want := [3]int{l.Start, l.End, l.Substitution}
	if l.Next() {
		t.Fatalf("%q has a second literal: %q", script, script[l.Start:l.End])
	}
	if got := [3]int{l.Start, l.End, l.Substitution}; got != want {
		t.Errorf("after the last literal of %q: got Start, End, Substitution %d, want %d", script, got, want)
	}
}
