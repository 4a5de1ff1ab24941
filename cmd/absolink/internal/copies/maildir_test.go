package copies_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/copies"
)

// letter is a message of 39 bytes, 42 with CRLF. Its copy has 53 and 56 bytes.
const letter = "Content-Type: text/html\n\n<a href=abcd>\n"

// plain is a message of 27 bytes without a link.
const plain = "Subject: x\n\nno link in here"

// The copy of a Maildir is a Maildir, and the names of its messages give the sizes of the copies.
func TestMaildir(t *testing.T) {
	name := func(n int, sizes, flags string) string { return fmt.Sprintf("%d.host%s%s", n, sizes, flags) }
	tests := []struct {
		name  string
		in    []string // names below cur, or below another directory
		text  string
		there []string // below the cur of the output
		o     copies.Options
		want  []string // names below cur
		note  string   // part of the outcome
	}{
		{"both sizes", []string{name(1, ",S=39,W=42", ":2,S")}, letter, nil, copies.Options{},
			[]string{name(1, ",S=53,W=56", ":2,S")}, ""},
		{"one size", []string{name(1, ",W=42", ":2,S")}, letter, nil, copies.Options{},
			[]string{name(1, ",W=56", ":2,S")}, ""},
		{"no size", []string{name(1, "", ":2,S")}, letter, nil, copies.Options{}, []string{name(1, "", ":2,S")}, ""},
		{"a wrong size", []string{name(1, ",S=38", ":2,S")}, letter, nil, copies.Options{},
			[]string{name(1, ",S=38", ":2,S")}, ""},
		{"no edit", []string{name(1, ",S=27", ":2,S")}, plain, nil, copies.Options{},
			[]string{name(1, ",S=27", ":2,S")}, ""},
		{"names are kept", []string{name(1, ",S=39", ":2,S")}, letter, nil, copies.Options{KeepNames: true},
			[]string{name(1, ",S=39", ":2,S")}, ""},
		{"a twin", []string{name(1, ",S=39", ":2,S"), name(1, ",S=39,W=42", ":2,S")}, letter, nil, copies.Options{},
			[]string{name(1, ",S=39,W=42", ":2,S"), name(1, ",S=39", ":2,S")}, "copied"},
		{"other flags in an earlier run", []string{name(1, ",S=39", ":2,S")}, letter,
			[]string{name(1, ",S=53", ":2,FS"), name(2, "", ":2,")}, copies.Options{Overwrite: true},
			[]string{name(1, ",S=53", ":2,S"), name(2, "", ":2,")}, ""},
		{"another size in an earlier run", []string{name(1, ",S=39", ":2,S")}, letter,
			[]string{name(1, ",S=99", ":2,S")}, copies.Options{Overwrite: true},
			[]string{name(1, ",S=53", ":2,S")}, ""},
		{"two of one name in an earlier run", []string{name(1, ",S=39", ":2,S"), name(1, ",S=39", ":2,F")}, letter,
			[]string{name(1, ",S=99", ":2,S")}, copies.Options{Overwrite: true},
			[]string{name(1, ",S=53", ":2,F"), name(1, ",S=53", ":2,S"), name(1, ",S=99", ":2,S")}, ""},
		{"finished with another size", []string{name(1, ",S=39", ":2,S")}, letter,
			[]string{name(1, ",S=53", ":2,S")}, copies.Options{Resume: true},
			[]string{name(1, ",S=53", ":2,S")}, "skipped finished by an earlier run"},
		{"finished with other flags", []string{name(1, ",S=39", ":2,S")}, letter,
			[]string{name(1, ",S=53", ":2,FS")}, copies.Options{Resume: true},
			[]string{name(1, ",S=53", ":2,FS")}, "skipped finished by an earlier run"},
		{"finished, and a flag was added to another",
			[]string{name(1, ",S=39", ":2,S"), name(2, ",S=39", ":2,F")}, letter,
			[]string{name(1, ",S=53", ":2,S"), name(2, ",S=53", ":2,")}, copies.Options{Resume: true},
			[]string{name(1, ",S=53", ":2,S"), name(2, ",S=53", ":2,")}, "skipped finished by an earlier run"},
		{"one of two of one name is finished",
			[]string{name(1, ",S=39", ":2,S"), name(1, ",S=39", ":2,F")}, letter,
			[]string{name(1, ",S=53", ":2,S")}, copies.Options{Resume: true},
			[]string{name(1, ",S=53", ":2,F"), name(1, ",S=53", ":2,S")}, "skipped finished by an earlier run"},
		{"a twin is not finished", []string{name(1, ",S=39", ":2,S"), name(1, ",S=39,W=42", ":2,S")}, letter,
			[]string{name(1, ",S=99", ":2,S")}, copies.Options{Resume: true},
			[]string{name(1, ",S=39,W=42", ":2,S"), name(1, ",S=39", ":2,S"), name(1, ",S=99", ":2,S")}, "copied"},
		{"another message is finished", []string{name(1, ",S=39", ":2,S")}, letter,
			[]string{name(2, ",S=53", ":2,S")}, copies.Options{Resume: true},
			[]string{name(1, ",S=53", ":2,S"), name(2, ",S=53", ":2,S")}, "copied"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			lay(t, "a/box/new/")
			for _, name := range tt.in {
				lay(t, "a/box/cur/"+name+": "+tt.text)
			}
			for _, name := range tt.there {
				lay(t, "out/box/new/", "out/box/cur/"+name+": earlier")
			}
			tt.o.Dir = "out"
			got, err := copyAll(t, tt.o, "a")
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(strings.Join(got.outcomes, "\n"), tt.note) {
				t.Errorf("the outcomes are %q, want %q", got.outcomes, tt.note)
			}
			var names []string
			empty := 0
			for _, line := range tree(t, "out") {
				name, _, _ := strings.Cut(line, ": ")
				if cur, ok := strings.CutPrefix(name, "box/cur/"); ok {
					names = append(names, cur)
				} else if name == "box/new/" || name == "box/tmp/" {
					empty++
				}
			}
			if !slices.Equal(names, tt.want) || empty != 2 {
				t.Errorf("got %q, and %d of new and tmp, want %q and both", names, empty, tt.want)
			}
		})
	}
}

// A message that moved from new to cur since an earlier run has one copy.
func TestMovedMessage(t *testing.T) {
	t.Chdir(t.TempDir())
	lay(t, "a/box/new/", "a/box/cur/1.host:2,S: "+letter, "out/box/cur/", "out/box/new/1.host: earlier")
	if _, err := copyAll(t, copies.Options{Dir: "out", Overwrite: true}, "a"); err != nil {
		t.Fatal(err)
	}
	want := []string{"box/cur/1.host:2,S: " + strings.Replace(letter, "abcd", "http://a.test/abcd", 1), "box/new/",
		"box/tmp/"}
	if got := tree(t, "out"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
