package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/cli"
)

// flagCases lists flags, each with the rest of a command line in which the flag changes the result.
// Text after "for" is only for some commands. The rest does not contain the flag itself, so that
// leaving it out makes a difference.
var flagCases = []struct{ given, rest string }{
	{"--base http://b.test/", "page.html"},
	{"--root .=http://r.test/", "page.html"},
	{"--default-base http://d.test/", "page.html"},
	{"--force-base http://f.test/", "based.html"},
	{"--image-base http://i.test/", "--base http://b.test/ page.html"},
	{"--root-base http://r.test/d", "--base http://b.test/ rooted.html"},
	{"--rules rfc2396", "--base http://b.test/q weak.html"},
	{"--excess-dots remove", "--rules rfc2396 --base http://b.test/ dots.html"},
	{"--same-scheme compat", "--rules rfc3986 --base http://b.test/x/ scheme.html"},
	{"--mime-base rfc2557", "part.eml"},
	{"--no-inherit-across-messages", "inner.eml"},
	{"--file-base", "file.html"},
	{"--trust-base none", "based.eml"},
	{"--type text", "--base http://b.test/ page.html"},
	{"--flavor commonmark", "--base http://b.test/ note.md"},
	{"--mbox cl", "--default-base http://b.test/ list.mbox"},
	{"--charset utf-16be", "--base http://b.test/ based.html"},
	{"--max-size 10", "--base http://b.test/ page.html"},
	{"--max-depth 1", "--default-base http://d.test/ inner.eml"},
	{"--report r", "--base http://b.test/ page.html"},
	{"--quiet", "--root nowhere=http://r.test/ page.html"},
	{"--verbose", "--base http://b.test/ page.html"},
	{"--include *.eml", "dir"},
	{"--exclude *.eml", "dir"},
	{"--urls list", "page.html"},
	{"--files-from list", "dir"},
	{"--html5-objects", "--base http://b.test/ object.html"},
	{"--lazy", "--base http://b.test/ rest.html"},
	{"--scripts", "--base http://b.test/ rest.html"},
	{"--comments", "--base http://b.test/ rest.html"},
	{"--bare-hosts", "--base http://b.test/ bare.txt"},
	{"--kind res", "--base http://b.test/ page.html"},
	{"--element img", "--base http://b.test/ page.html"},
	{"--attribute src", "--base http://b.test/ page.html"},
	{"--scheme ftp", "--base http://b.test/ page.html"},
	{"--status invalid", "--base http://b.test/ page.html"},
	{"--host x.test", "--base http://b.test/ page.html"},
	{"--rel next", "--base http://b.test/ page.html"},
	{"--robot-name googlebot", "--base http://b.test/ --rel !nofollow robot.html"},
	{"--match x", "--base http://b.test/ page.html"},
	{"--no-match .", "--base http://b.test/ page.html"},
	{"--same-host", "--base http://b.test/ page.html"},
	{"--unwrap", "wrapped.html"},
	{"--tracking strip", "wrapped.html"},
	{"--select img", "--base http://b.test/ page.html"},
	{"--check-files", "--root .=http://r.test/ page.html"},
	{"--check-fragments never", "--check-files --root .=http://r.test/ page.html"},
	{"--absolutize-fragments", "--base http://b.test/ page.html"},
	{"--strip-fragment", "--base http://b.test/ page.html"},
	{"--strict", "weak.html"},
	{"--units units", "page.html"},
	{"--shard 2/2", "--units units"},
	{"--dead-letter dead", "--units bad"},
}

// otherFlags lists flags that other tests cover. They need a server, a terminal, an output
// directory, or another flag.
var otherFlags = strings.Fields(`user-agent header max-redirects timeout allow-private proxy ignore-robots jobs progress follow
	units-format prefix stream format fields unique seen pages edges context figure summary index http-base
	output overwrite in-place backup journal resume undo maildir-size dkim break-signatures dry-run diff verify
	normalize base-element pipe map map-regex map-file unwayback find-old no-text skip-footers visible-text redirects redirects-format to keep any-depth version help`)

// flagFiles holds the files that the command lines of flagCases use.
var flagFiles = map[string]string{
	"page.html":    `<a href=a rel=up>a</a> <a href="#s">s</a> <img src=b.png> <a href=//x.test/c>c</a>`,
	"rooted.html":  `<a href=/a>a</a>`,
	"based.html":   `<base href=http://x.test/><a href=a>a</a>`,
	"weak.html":    `<base href="?y"><a href="?z">z</a>`,
	"dots.html":    `<base href="../../d/"><a href=a>a</a>`,
	"scheme.html":  `<a href="http:g">g</a>`,
	"file.html":    `<base href=file:///x/><a href=a>a</a>`,
	"object.html":  `<object codebase=c/ data=d></object>`,
	"rest.html":    `<p data-src="d.png"></p><!-- <a href=c>c</a> --><script>x = "http://s.test/s.html"</script>`,
	"robot.html":   `<meta name=googlebot content=nofollow><a href=a>a</a>`,
	"wrapped.html": `<a href="https://www.google.com/url?q=http%3A%2F%2Fx.test%2F&amp;utm_source=x">a</a>`,
	"note.md":      "[^1]: <base href=\"http://x.test/\">\n\n[a](a)\n", // a definition in CommonMark, else a footnote
	"bare.txt":     "see www.example.org for it\n",
	"part.eml": "Content-Type: multipart/related; boundary=b\nContent-Location: http://o.test/\n\n--b\n" +
		"Content-Type: text/html\nContent-Base: http://c.test/\nContent-Location: l/\n\n<a href=a>a</a>\n--b--\n",
	"based.eml": "Content-Type: text/html\nContent-Base: http://c.test/\n\n<base href=http://x.test/><a href=a>a</" +
		"a>\n",
	"inner.eml": "Content-Type: multipart/mixed; boundary=b\nContent-Base: http://o.test/\n\n--b\nContent-Type: " +
		"message/rfc822\n\nContent-Type: multipart/mixed; boundary=i\n\n--i\nContent-Type: text/html\n\n<a href=a>a</" +
		"a>\n--i--\n--b--\n",
	"list.mbox": "From a@b Thu Jan  1 00:00:00 2026\nContent-Type: text/html\nContent-Length: 60\n\n<a href=a>a</" +
		"a>\n\nFrom a@b Thu Jan  1 00:00:00 2026\n\n<a href=b>b</a>\n\n",
	"dir/one.eml":  "Content-Type: text/html\n\n<a href=a>a</a>\n",
	"dir/two.html": `<base href=http://x.test/><a href=a>a</a>`,
	"list":         "based.html\n",
	"units":        "based.html\npage.html\n",
	"bad":          "missing.html\n",
}

// A flag in the help of a command changes the result of the command. A flag that the help hides
// would change nothing, and is refused.
func TestFlagsCount(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range flagFiles {
		save(t, name, []byte(text))
	}
	counted := make(map[string]bool)
	for _, command := range []string{"extract", "base", "rewrite"} {
		c, _, err := cli.Command([]string{command}).Find([]string{command})
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range flagCases {
			given := strings.Fields(tt.given)
			f := c.Flags().Lookup(strings.TrimPrefix(given[0], "--"))
			if f == nil {
				continue // refused
			}
			rest := strings.Fields(tt.rest)
			if command == "rewrite" {
				rest = append([]string{"--dry-run"}, rest...)
			}
			if command == "base" && f.Name != "units" && f.Name != "shard" && f.Name != "dead-letter" {
				rest = append([]string{"--format", "jsonl"}, rest...)
			}
			without, with := seen(t, append([]string{command}, rest...)), seen(t,
				slices.Concat([]string{command}, given, rest))
			refused := strings.Contains(with, " changes nothing in "+command+": leave it out, or use absolink ")
			if f.Hidden != refused || !refused && without == with {
				t.Errorf("absolink %s %s %s: hidden %v, and with the flag it does\n%s\nwithout it\n%s",
					command, tt.given, tt.rest, f.Hidden, with, without)
			}
			counted[f.Name] = true
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !counted[f.Name] && !slices.Contains(otherFlags, f.Name) {
				t.Errorf("absolink %s --%s: no test says what it changes: add a row to flagCases", command, f.Name)
			}
		})
	}
}

// seen returns all results of a command line that runs in this directory.
func seen(t *testing.T, args []string) string {
	t.Helper()
	code, stdout, stderr := runs(t, "", args...)
	text := fmt.Sprintf("%s%s%d\n", stdout, stderr, code)
	for _, name := range []string{"r", "dead"} {
		if data, err := os.ReadFile(filepath.Join(".", name)); err == nil {
			text += name + ": " + strings.SplitN(string(data), `"seconds"`, 2)[0]
			os.Remove(name)
		}
	}
	return text
}
