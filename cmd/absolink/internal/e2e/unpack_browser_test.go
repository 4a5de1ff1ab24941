package e2e

import (
	"bytes"
	"context"
	"image"
	_ "image/png"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"absolink/testdata/chromium"
	"absolink/testdata/corpus"
)

// snapshotSite is a site that Chromium saves as MHTML. It has style sheets that import others and
// show pictures, frames, srcset, a BASE, letters beyond ASCII, a part with a query, and two parts
// with the same name.
var snapshotSite = map[string][2]string{
	"/d/page.html": {"text/html; charset=windows-1252",
		`<!DOCTYPE html><title>x</title><base href="/base/"><link rel=stylesheet href="a/style.css?v=1"><link rel=stylesheet crossorigin href="b/style.css?v=2">
<h1 style="background:url(pic.php)">Caf` + "\xe9" + `</h1><p class=a>one<p class=b>two<img src="square.svg" srcset="wide.svg 1x"><svg width=30 height=30><use href="#s"/><rect id=s width=9 height=9 fill=purple /></svg>
<iframe src="frame" width=200 height=80></iframe><img crossorigin=anonymous src="square.svg"><picture><source srcset="wide.svg"><img src=square.svg></picture><a href="elsewhere.html">link</a><a href="page.html#x">self</a>`},
	"/base/a/style.css": {"text/css",
		`@import "more.css"; p { font: 20px/1 monospace } .a { color: rgb(200,0,0); background: url("../square.svg") }`},
	"/base/a/more.css": {"text/css",
		`@charset "utf-8"; .b { border: 5px solid rgb(0,0,200) } .b::before { content: "é→" }`},
	"/base/b/style.css": {"text/css", `.b { background: url(../pic.php) } h1 { margin: 40px }`},
	"/base/square.svg": {"image/svg+xml",
		`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="green"/></svg>`},
	"/base/wide.svg": {"image/svg+xml",
		`<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"><rect width="90" height="20" fill="orange"/></svg>`},
	"/base/pic.php": {"image/svg+xml",
		`<svg xmlns="http://www.w3.org/2000/svg" width="15" height="15"><circle r="7" cx="7" cy="7" fill="navy"/></svg>`},
	"/base/frame": {"text/html; charset=utf-8",
		`<link rel=stylesheet href=/base/b/style.css?v=2><p class=b>framed ü<img src=square.svg>`},
}

// TestUnpackInChromium makes Chromium save a page as MHTML, and unpacks it. Without any server, the
// page from the disk has the same pixels as the archive, in several files or in one.
func TestUnpackInChromium(t *testing.T) {
	browser := chromium.Start(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := snapshotSite[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", answer[0])
		w.Write([]byte(answer[1]))
	}))
	defer server.Close()
	online := screenshot(t, browser, server.URL+"/d/page.html")
	saved, err := chromedp.Run(browser, func(ctx context.Context, target *chromedp.Target) (string, error) {
		r, err := cdp.Call(ctx, target, cdpage.CaptureSnapshot, cdpage.CaptureSnapshotParams{})
		if err != nil {
			return "", err
		}
		return r.Data, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Close() // from here on nothing answers
	dir := t.TempDir()
	archive, out := filepath.Join(dir, "saved.mht"), filepath.Join(dir, "out")
	if err := os.WriteFile(archive, []byte(saved), 0o600); err != nil {
		t.Fatal(err)
	}
	ran(t, "unpack", archive, "-o", out)
	if list := filesOf(t, out); len(list) < 8 {
		t.Errorf("unpacked are %q, want at least 8 files", list)
	}
	if n := differing(t, online, screenshot(t, browser, "file://"+archive)); n > 0 {
		t.Logf("the archive differs from the page by %d pixels", n)
	}
	looksLike(t, browser, archive, filepath.Join(out, "index.html"))
	single := filepath.Join(dir, "single.html")
	ran(t, "unpack", "--single", archive, "-o", single)
	looksLike(t, browser, archive, single)
}

// TestUnpackSavedInChromium does the same for the MHTML files of the corpus that Chromium saved.
func TestUnpackSavedInChromium(t *testing.T) {
	if corpus.Own() {
		t.Skip("ABSOLINK_CORPUS is not set: the project has no pages that somebody saved")
	}
	browser := chromium.Start(t)
	n := 0
	err := filepath.WalkDir(corpus.Path("mail"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".mhtml" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(data, []byte("From: <Saved by Blink>")) ||
			slices.Contains(unsaved, filepath.Base(path)) {
			return err
		}
		n++
		t.Run(filepath.Base(path), func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			ran(t, "unpack", path, "-o", out)
			looksLike(t, browser, path, filepath.Join(out, "index.html"))
			single := filepath.Join(t.TempDir(), "single.html")
			ran(t, "unpack", "--single", path, "-o", single)
			looksLike(t, browser, path, single)
		})
		return nil
	})
	if err != nil || n < 4 {
		t.Errorf("%d pages were compared, %v, want at least 4", n, err)
	}
}

// unsaved lists files that were damaged on purpose after Chromium had saved them, to test readers.
var unsaved = []string{"templates__missing_boundary.mhtml", "templates__missing_boundary_header.mhtml",
	"templates__missing_headers.mhtml", "templates__unexpected_eof.mhtml"}

// disable makes a page look like an archive in Chromium, which disables all form controls of
// archives.
const disable = `document.querySelectorAll("button, input, select, textarea").forEach(e => e.disabled = true)`

// looksLike checks that the page in a file looks like the archive that it was made from. Moving
// parts of a page may take some seconds to come to rest.
func looksLike(t *testing.T, browser context.Context, archive, file string) {
	t.Helper()
	page := "file://" + file
	var want image.Image
	var n int
	for wait := range 5 {
		rest := time.Duration(wait) * 2 * time.Second
		want = shown(t, browser, "file://"+archive, "", rest)
		n = differing(t, want, shown(t, browser, page, disable, rest))
		if n == 0 {
			break
		}
	}
	if n > 0 {
		t.Errorf("%s differs from the archive by %d pixels", filepath.Base(file), n)
	}
	if differing(t, want, screenshot(t, browser, "about:blank")) < 100 {
		t.Error("the archive looks like an empty page: nothing was compared")
	}
}

// screenshot returns a picture of the page at a URL, after it is loaded.
func screenshot(t *testing.T, browser context.Context, url string) image.Image {
	t.Helper()
	return shown(t, browser, url, "", 0)
}

// shown returns a picture of the page at a URL, some time after it was loaded and a script was run.
func shown(t *testing.T, browser context.Context, url, script string, rest time.Duration) image.Image {
	t.Helper()
	ctx, cancel := context.WithTimeout(browser, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	if script != "" {
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("("+script+", true)")); err != nil {
			t.Fatalf("%s: %v", url, err)
		}
	}
	time.Sleep(rest)
	data, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// differing returns the number of pixels that differ between two pictures.
func differing(t *testing.T, a, b image.Image) (n int) {
	t.Helper()
	if a.Bounds() != b.Bounds() {
		t.Fatalf("pictures of %v and %v", a.Bounds(), b.Bounds())
	}
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				n++
			}
		}
	}
	return n
}
