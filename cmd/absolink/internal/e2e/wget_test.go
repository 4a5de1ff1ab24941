package e2e

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"absolink/testdata/chromium"
)

var everyPage = flag.Bool("every-page", false, "compare all pages with wget's, not some")

// TestWget mirrors the site with wget, which also converts links, and makes the links of the mirror
// relative with absolink. Chromium reports the links of each page at the place that it was
// retrieved from. absolink's links must always agree with Chromium, even where wget's differ. With
// -every-page the test takes all pages.
func TestWget(t *testing.T) {
	browse := browser(t)
	wget, err := exec.LookPath("wget")
	if err != nil {
		t.Skip("wget is not installed: nothing to compare with")
	}
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	server := httptest.NewServer(served("/", old))
	defer server.Close()
	writeSite(t, old)
	rehost(t, old, strings.TrimPrefix(server.URL, "http://"))
	converted, ours := filepath.Join(dir, "converted"), filepath.Join(dir, "ours")
	mirror(t, wget, server.URL, converted)
	ran(t, "rewrite", "-q", "--root", originals(t, converted, filepath.Join(dir, "plain"))+"="+server.URL+"/",
		"--to", "relative", "-o", ours, filepath.Join(dir, "plain"))

	theirs, mine := httptest.NewServer(served("/", converted)), httptest.NewServer(served("/", ours))
	defer theirs.Close()
	defer mine.Close()
	pages, links, differ := 0, 0, 0
	for i, file := range filesOf(t, ours) {
		if ext := strings.ToLower(path.Ext(file)); ext != ".html" && ext != ".htm" ||
			strings.ContainsRune(file, 0xfffd) {
			continue
		}
		if !*everyPage && i%9 != 0 && path.Dir(file) != "/base" {
			continue
		}
		pages++
		at := escapedPath(file)
		want, got, other := browse(server.URL, at), browse(mine.URL, at), browse(theirs.URL, at)
		if len(got) != len(want) {
			t.Errorf("%s: in Chromium absolink's page has %d links, want %d", file, len(got), len(want))
			continue
		}
		links += len(want)
		for i, l := range want {
			if got[i] != l {
				t.Errorf("%s: in Chromium a link of absolink's page is %q, want %q", file, got[i], l)
			}
			if i >= len(other) || other[i] != l {
				differ++
			}
		}
	}
	if pages < 8 || links < 150 {
		t.Errorf("%d pages with %d links were compared, want at least 8 with 150", pages, links)
	}
	t.Logf("%d pages, %d links; wget's lead elsewhere %d times", pages, links, differ)
}

// rehost replaces the host of the site by the host that serves it, and removes the queries, because
// wget makes a file of each query.
func rehost(t *testing.T, dir, host string) {
	t.Helper()
	for _, name := range filesOf(t, dir) {
		file := filepath.Join(dir, name)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		data = bytes.ReplaceAll(data, []byte("//old.test"), []byte("//"+host))
		data = bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("?v=1"), nil), []byte("?a=1&amp;b=2"), nil)
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// mirror makes wget retrieve a site into dir and convert its links. wget keeps the old versions
// too. Its exit status says that some links lead nowhere.
func mirror(t *testing.T, wget, site, dir string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, wget, "--no-config", "--no-proxy", "-e",
		"robots=off", "--no-verbose", "--mirror", "--convert-links", "--backup-converted",
		"--page-requisites", "--restrict-file-names=nocontrol", "--no-iri", "-nH", "-P", dir, site+
			"/", site+"/sitemap.xml").CombinedOutput()
	if ctx.Err() != nil || len(filesOf(t, dir)) < 30 {
		t.Fatalf("wget: %v\n%s", err, out)
	}
}

// originals copies the files that wget retrieved, from before it converted links.
func originals(t *testing.T, converted, plain string) string {
	t.Helper()
	for _, name := range filesOf(t, converted) {
		if _, err := os.Stat(filepath.Join(converted, name+".orig")); err == nil {
			continue
		}
		data, err := os.ReadFile(filepath.Join(converted, name))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(plain, strings.TrimSuffix(name, ".orig"))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, data, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return plain
}

// linkScript lists the URLs to which the elements of a page lead, except for BASE.
const linkScript = `[...document.querySelectorAll("*")].flatMap(e => e.tagName === "BASE" ? [] :
	["href", "src", "action", "data", "currentSrc", "poster"].map(p => e[p]).concat([getComputedStyle(e).backgroundImage])
		.filter(v => typeof v === "string" && v !== "" && v !== "none"))`

// browser starts Chromium. The returned function gives the links of the page at a path of a server,
// which is written as S in them.
func browser(t *testing.T) func(server, at string) []string {
	t.Helper()
	ctx := chromium.Start(t)
	return func(server, at string) []string {
		limited, cancel := context.WithTimeout(ctx, 30*time.Second)
		defer cancel()
		host := strings.TrimPrefix(server, "http://")
		if err := chromedp.Do(limited, chromedp.Navigate(server+at)); err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		list, err := chromedp.Run(limited, chromedp.Evaluate[[]string](linkScript))
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		for i := range list {
			list[i] = strings.ReplaceAll(list[i], host, "S")
		}
		return list
	}
}
