package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// unresolvedHint matches the hints about unresolved references. Its group is the flag that helps.
var unresolvedHint = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)(?: is relative, and .* Add | is unresolved: .*; )(--[a-z-]+) `)
})

// A hint helps if it is followed: with any flag that a message suggests for unresolved references,
// these references are resolved.
func TestUnresolvedHints(t *testing.T) {
	const head, link = "Content-Type: text/html", "\n\n<a href=x>x</a>"
	tests := []struct {
		name, text string
		flags      string // flags that the message suggests, or empty
	}{
		{"bare.html", "<a href=x>x</a>", "--base"},
		{"relative.html", "<base href=d/><a href=x>x</a>", "--base"},
		{"invalid.html", "<base href='http://a b[/'><a href=x>x</a>", "--base"},
		{"javascript.html", "<base href=javascript:1><a href=x>x</a>", "--base"},
		{"urn.html", "<base href=urn:a:b><a href=x>x</a>", "--force-base"},
		{"mailto.html", "<base href=mailto:a@b><a href=x>x</a>", "--force-base"},
		{"file.html", "<base href=file:///d/><a href=x>x</a>", "--force-base"},
		{"message.html", "<base href=thismessage:/><a href=x>x</a>", "--force-base"},
		{"template.html", "<base href='{{ site }}'><a href=x>x</a>", "--force-base"},
		{"long.html", "<base href=http://h.example/" + strings.Repeat("d", 9000) + "/><a href=x>x</a>", "--force-base"},
		{"codebase.html", "<object codebase=urn:a data=x></object>", "--force-base"},
		{"feed.xml", `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="urn:a:b"><link href="x"/></feed>`,
			"--force-base"},
		{"bare.eml", head + link, "--default-base"},
		{"base-byte.eml", head + "\nContent-Base: http://h\xff.example/" + link, "--force-base"},
		{"location-byte.eml", head + "\nContent-Location: http://h.example/\xff/x" + link, "--force-base"},
		{"base-charset.eml", head + "; charset=x-nope\n\n<base href='http://h.example/\xe9/'><a href=x>x</a>",
			"--force-base"},
		{"base-ascii.eml", head + "; charset=us-ascii\n\n<base href='http://h.example/\xe9/'><a href=x>x</a>",
			"--force-base"},
		{"word-charset.eml", head + "\nContent-Base: =?x-nope?B?/w==?=" + link, "--force-base"},
		{"location-cid.eml", head + "\nContent-Location: cid:a" + link, "--force-base"},
		{"base-this.eml", head + "\nContent-Base: thismessage:/" + link, "--force-base"},
		{"location-file.eml", head + "\nContent-Location: file:///d/x" + link, "--force-base"},
		{"fine.html", "<base href=http://h.example/><a href=x>x</a>", ""},
	}
	for _, tt := range tests {
		dir := t.TempDir()
		file := filepath.Join(dir, tt.name)
		if err := os.WriteFile(file, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, input := range []string{file, dir} {
			want := tt.flags
			if input == dir {
				want = map[string]string{"--base": "--root"}[want]
				if want == "" {
					want = tt.flags
				}
			}
			got := hinted(t, input)
			if got != want {
				t.Errorf("extract %s: got the hint %q, want %q", tt.name, got, want)
				continue
			}
			for _, flag := range strings.FieldsFunc(got, func(r rune) bool { return r == ' ' }) {
				args := []string{flag, "http://given.example/"}
				switch {
				case flag == "--root":
					args[1] = dir + "=http://given.example/"
				case !strings.HasPrefix(flag, "--"):
					continue
				}
				if left := hinted(t, append(args, input)...); left != "" {
					t.Errorf("extract %s %s: the hint did not help: got the hint %q again", flag, tt.name, left)
				}
			}
		}
	}
}

// hinted runs extract, and returns the flags that it suggests for unresolved references, or an
// empty string.
func hinted(t *testing.T, args ...string) string {
	t.Helper()
	var out, messages bytes.Buffer
	absolink(append([]string{"extract"}, args...), strings.NewReader(""), &out, &messages)
	if m := unresolvedHint().FindStringSubmatch(messages.String()); m != nil {
		return m[1]
	}
	if strings.Contains(messages.String(), "unresolved:") || strings.Contains(messages.String(), "for want of") {
		t.Errorf("extract %q: no hint in %q", args, messages.String())
	}
	return ""
}
