package e2e

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// movedPages lists pages whose names would have a special meaning in the configuration of a server,
// unless they were quoted.
var movedPages = []string{
	"index.html", "d/index.html", "a b.html", "q\"uote.html", "semi;colon.html", "br{ace}.html",
	"dollar$1 ${HOME} $host.html", `back\slash.html`, `end\`, "per%cent%20%41.html",
	"ü.html", "latin\xe4.html", "hash#.html", "quest?x=1.html", "plus+and&.html",
	"'single'.html", "star*.html", "col:on.html", "[x](y)|z^.html", "%{HTTP_HOST}.html",
	"x\"; } location = \"y\" { return 302 \"http:.html", "-dash.html",
	" blank.html", "tab\there.html", "new\nline.html", "cr\rhere.html",
	":placeholder/x.html", "splat*", "split*/y.html", "a;b=c,d@e!.html",
	// Names that wget writes, with -E and for Windows.
	"show.php?id=1.html", "show.php?id=2.html", "show.php?id=1&page=2.html",
	"show.php.html", "index.html?p=7.html", "d/index.html@p=8.html",
	"s p.php?q=a b.html", "s.php?url=http:%2F%2Fx.test%2F?a=b&c.html", "s.php?$a=$1 ${b}.html",
	"s.php?q=\"quote'.html", "s.php?q=ü.html", "s.php?q=latin\xe4.html",
	"s.php?a[]=1&a[]=2.html", "s.php?q=a=b.html", "s.php?word.html", "s.php?q=x#y.html",
	"s.php?q=:x.html", "s.php?q=*.html", "s.php?q=a+b.html", `s.php?q=a\b|{c}^.html`,
	"s.php?a-b_c=.html", "s.php?1=2.html", "$p.php?a=1.html", "theme.css?v=5.css", "tab.php?q=a\tb.html",
}

// savedNames maps the old addresses of some pages to their file names, if the two differ.
var savedNames = map[string]string{
	"http://old.test/quest?x=1":                      "quest?x=1.html",
	"http://old.test/show.php?id=1":                  "show.php?id=1.html",
	"http://old.test/show.php":                       "show.php.html",
	"http://old.test/?p=7":                           "index.html?p=7.html",
	"http://old.test/index.html?p=7":                 "index.html?p=7.html",
	"http://old.test/d/?p=8":                         "d/index.html@p=8.html",
	"http://old.test/s%20p.php?q=a%20b":              "s p.php?q=a b.html",
	"http://old.test/s.php?url=http://x.test/?a=b&c": "s.php?url=http:%2F%2Fx.test%2F?a=b&c.html",
	"http://old.test/s.php?q=latin%E4":               "s.php?q=latin\xe4.html",
	"http://old.test/s.php?q=x%23y":                  "s.php?q=x#y.html",
	"http://old.test/theme.css?v=5":                  "theme.css?v=5.css",
	"http://old.test/s.php?q=a%5Cb%7C%7Bc%7D%5E":     `s.php?q=a\b|{c}^.html`,
	"http://old.test/s.php?$a=$1%20$%7Bb%7D":         "s.php?$a=$1 ${b}.html",
}

// asked maps other spellings of old addresses to the addresses for which redirects are written.
var asked = map[string]string{
	"http://old.test/s.php?url=http%3A%2F%2Fx.test%2F%3Fa%3Db%26c": "http://old.test/s.php?url=http://x.test/?a=b&c",
	"http://old.test/s.php?url=http%3a%2f%2fx.test/%3fa=b&c":       "http://old.test/s.php?url=http://x.test/?a=b&c",
	"http://old.test/s%20p.php?q=a+b":                              "http://old.test/s%20p.php?q=a%20b",
	"http://old.test/s.php?q=latin%e4":                             "http://old.test/s.php?q=latin%E4",
	"http://old.test/s.php?a[]=1&a%5b%5d=2":                        "http://old.test/s.php?a%5B%5D=1&a%5B%5D=2",
}

// unasked lists addresses that no document had.
var unasked = []string{"http://old.test/nothing.html",
	"http://old.test/d/other.html", "http://old.test/y", "http://old.test/starX.html",
	"http://old.test/s.php", "http://old.test/s.php?q=other", "http://old.test/s.php?q=latinXe4",
	"http://old.test/theme.css", "http://old.test/s.php?Q=a=b", "http://old.test/$p.php"}

// leftOut lists the pages that no line of a configuration can hold.
var leftOut = []string{"tab\there.html", "new\nline.html", "cr\rhere.html", "tab.php?q=a\tb.html"}

// leftOutOfNetlify lists the pages that Netlify cannot hold, because it would take some names for
// patterns.
var leftOutOfNetlify = append([]string{":placeholder/x.html", "splat*",
	"split*/y.html", "s p.php?q=a b.html", "s.php?url=http:%2F%2Fx.test%2F?a=b&c.html",
	"s.php?$a=$1 ${b}.html", "s.php?q=latin\xe4.html", "s.php?a[]=1&a[]=2.html", "s.php?q=a=b.html",
	"s.php?word.html", "s.php?q=:x.html", "s.php?q=a+b.html", "s.php?1=2.html"}, leftOut...)

// redirected moves these pages. It returns the file of redirects for a server, and the rows of old
// and new addresses.
func redirected(t *testing.T, format string) (file string, moved [][]string) {
	t.Helper()
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	for _, name := range movedPages {
		path := filepath.Join(old, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("<!DOCTYPE html>"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{"csv", format} {
		file = filepath.Join(dir, f)
		ran(t, "rewrite", "-q", "--type", "html", "--root", old+"=http://old.test/", "--map",
			"http://old.test/=https://new.test/a b/$x/", "--redirects", file,
			"--redirects-format", f, "-o", filepath.Join(dir, "to-"+f), old)
	}
	f, err := os.Open(filepath.Join(dir, "csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	moved, err = csv.NewReader(f).ReadAll()
	// the header, four directories, and both names of two files
	if want := 1 + len(movedPages) + 6; err != nil || len(moved) != want {
		t.Fatalf("csv: %d lines, %v, want %d", len(moved), err, want)
	}
	files := make(map[string]string)
	for _, m := range moved[1:] {
		files[m[0]] = fileOf(t, m[1])
	}
	for old, want := range savedNames {
		if files[old] != want {
			t.Errorf("csv: %s leads to the file %q, want %q", old, files[old], want)
		}
	}
	return file, moved[1:]
}

// fileOf returns the name of the file at a new address.
func fileOf(t *testing.T, to string) string {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil || u.RawQuery != "" {
		t.Fatalf("%q: a new address with a query, or none: %v", to, err)
	}
	return strings.TrimPrefix(u.Path, "/a b/$x/")
}

// asks returns the requests for servers, each with the new address that the server must answer, or
// an empty string. left lists the names of the files that the format cannot hold.
func asks(t *testing.T, moved [][]string, left []string) map[string]string {
	t.Helper()
	want := make(map[string]string)
	for _, m := range moved {
		want[m[0]] = ""
		if !slices.Contains(left, fileOf(t, m[1])) {
			want[m[0]] = m[1]
		}
	}
	for spelt, old := range asked {
		to, ok := want[old]
		if !ok {
			t.Fatalf("%s is no old address", old)
		}
		want[spelt] = to
	}
	for _, uri := range unasked {
		want[uri] = ""
	}
	return want
}

// ask checks that a server answers each old address with its new one, except for those left out.
func ask(t *testing.T, server string, moved [][]string) {
	t.Helper()
	client := &http.Client{Timeout: 10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for uri, want := range asks(t, moved, leftOut) {
		path := strings.TrimPrefix(uri, "http://old.test")
		r, err := client.Get(server + path)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		got := r.Header.Get("Location")
		if plainURI(t, got) != plainURI(t, want) || want != "" && r.StatusCode != http.StatusMovedPermanently {
			t.Errorf("%q: the server says %s, %q, want %q", path, r.Status, got, want)
		}
	}
}

// plainURI returns a URI with its path percent-decoded, because a server may write ';' as %3B.
func plainURI(t *testing.T, uri string) string {
	t.Helper()
	u, err := url.Parse(uri)
	if err != nil {
		t.Fatal(err)
	}
	return u.Scheme + "://" + u.Host + u.Path + "?" + u.RawQuery
}

// serving starts a server in the foreground and waits until it listens on a port of the loopback
// address. The test ends it. If the server is not installed, the test is skipped.
func serving(t *testing.T, name string, config func(port int) string, args func(config string) []string) string {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/" + name); err != nil {
			t.Skipf("the server %s is not installed", name)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	file := filepath.Join(t.TempDir(), "server.conf")
	if err := os.WriteFile(file, []byte(config(port)), 0o666); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	c := exec.Command(program, args(file)...)
	c.Stderr, c.Stdout = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	t.Cleanup(func() { c.Process.Kill() })
	address := fmt.Sprintf("127.0.0.1:%d", port)
	for range 100 {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return "http://" + address
		}
		select {
		case err := <-ended:
			t.Fatalf("%s does not take the redirects: %v\n%s", name, err, said.String())
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Fatalf("%s does not listen", name)
	return ""
}

func TestRedirectsInNginx(t *testing.T) {
	file, moved := redirected(t, "nginx")
	dir := t.TempDir()
	server := serving(t, "nginx", func(port int) string {
		var temp strings.Builder
		for _, what := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
			fmt.Fprintf(&temp, "%s_temp_path %s/%s; ", what, dir, what)
		}
		return fmt.Sprintf("daemon off; master_process off; pid %s/pid; error_log stderr; events {}\nhttp { "+
			"access_log off; %s server { listen 127.0.0.1:%d; root %s/none; include %s; } }\n",
			dir, temp.String(), port, dir, file)
	}, func(config string) []string { return []string{"-p", dir, "-e", "stderr", "-c", config} })
	ask(t, server, moved)
}

func TestRedirectsInApache(t *testing.T) {
	file, moved := redirected(t, "apache")
	dir := t.TempDir()
	server := serving(t, "apache2", func(port int) string {
		const modules = "/usr/lib/apache2/modules/"
		return fmt.Sprintf("ServerRoot %s\nPidFile %s/pid\nErrorLog /dev/stderr\nListen 127.0.0.1:%d\nServerName "+
			"old.test\nDocumentRoot %s\nUser www-data\nGroup www-data\nLoadModule mpm_event_module "+
			"%smod_mpm_event.so\nLoadModule authz_core_module %smod_authz_core.so\nLoadModule rewrite_module "+
			"%smod_rewrite.so\nInclude %s\n",
			dir, dir, port, dir, modules, modules, modules, file)
	}, func(config string) []string { return []string{"-f", config, "-X"} })
	ask(t, server, moved)
}

// netlifyScript reads a file like Netlify's build, and prints the answers of its matcher to each
// URI of a list on standard input. Netlify's servers use the same matcher.
const netlifyScript = `
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import fs from "node:fs"
const require = createRequire(process.argv[2] + "/package.json")
const { parseAllRedirects } = await import(pathToFileURL(process.argv[2] + "/node_modules/netlify-redirect-parser/lib/index.js"))
const { redirects, errors } = await parseAllRedirects({ redirectsFiles: [process.argv[3]] })
for (const e of errors) { console.error(e.message); process.exitCode = 1 }
for (const r of redirects) r.params = r.query // what Netlify's servers call it
const rules = await require("netlify-redirector").parseJSON(JSON.stringify(redirects), {})
for (const uri of JSON.parse(fs.readFileSync(0, "utf8"))) {
	const [path, query = ""] = uri.slice("http://old.test".length).split(/\?(.*)/s)
	const found = rules.match({ scheme: "http", host: "old.test", path, query, getHeader() { return "" }, getCookie() { return "" } })
	console.log(JSON.stringify(found && { to: found.to, status: found.status, force: found.force }))
}
`

// TestRedirectsInNetlify asks Netlify's own reader and matcher for each old address.
// ABSOLINK_NETLIFY is the directory in which npm has installed netlify-redirect-parser and
// netlify-redirector.
func TestRedirectsInNetlify(t *testing.T) {
	file, moved := redirected(t, "netlify")
	dir := os.Getenv("ABSOLINK_NETLIFY")
	if dir == "" {
		t.Skip("netlify-redirect-parser is not installed: ABSOLINK_NETLIFY names the directory where npm did it")
	}
	script := filepath.Join(t.TempDir(), "match.mjs")
	if err := os.WriteFile(script, []byte(netlifyScript), 0o666); err != nil {
		t.Fatal(err)
	}
	wants := asks(t, moved, leftOutOfNetlify)
	paths := slices.Sorted(maps.Keys(wants))
	asked, err := json.Marshal(paths)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("node", script, dir, file)
	c.Stdin = bytes.NewReader(asked)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("Netlify does not take the redirects: %v", err)
	}
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(answers) != len(paths) {
		t.Fatalf("%d answers, want %d", len(answers), len(paths))
	}
	for i, old := range paths {
		want := "null"
		if wants[old] != "" {
			to := strings.NewReplacer("$", "%24", "/:", "/%3A", "|", "%7C",
				"^", "%5E").Replace(strings.TrimPrefix(wants[old], "https:/"))
			want = fmt.Sprintf(`{"to":"https:/%s","status":301,"force":true}`, to)
		}
		if answers[i] != want {
			t.Errorf("%q: Netlify answers %s, want %s", old, answers[i], want)
		}
	}
}

// TestRedirectsOfNetlify checks that a line has three fields, and none of the fields has a
// placeholder.
func TestRedirectsOfNetlify(t *testing.T) {
	file, moved := redirected(t, "netlify")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != len(moved)-len(leftOutOfNetlify) {
		t.Fatalf("%d lines, want %d", len(lines), len(moved)-len(leftOutOfNetlify))
	}
	for _, line := range lines {
		fields := strings.Fields(line)
		if n := len(fields); n < 3 || fields[n-1] != "301!" || strings.ContainsAny(fields[0], "#?") ||
			strings.HasSuffix(fields[0], "*") || fields[0][0] != '/' {
			t.Errorf("a line is %q", line)
			continue
		}
		parameters, to := fields[1:len(fields)-2], fields[len(fields)-2]
		if !slices.ContainsFunc(moved, func(m []string) bool {
			old, query, _ := strings.Cut(m[0], "?")
			decoded, err := url.PathUnescape(query)
			return err == nil && plainURI(t, old) == plainURI(t, "http://old.test"+fields[0]) &&
				decoded == strings.Join(parameters, "&") && plainURI(t, m[1]) == plainURI(t, to)
		}) {
			t.Errorf("%q is no redirect of the site", line)
		}
	}
}
