package mime

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"absolink/base"
	"absolink/extract"
	"absolink/testdata/chromium"
)

// shown holds the parts of an archive that a browser shows.
type shown struct {
	Text   string
	Images []image // in the order of the document
	Colors []string
	Frames int
}

type image struct{ Alt, Size string }

// showScript collects a shown. An image that was not loaded has no size.
const showScript = `({
	text: document.body.innerText,
	images: [...document.images].map(i => ({alt: i.alt, size: i.naturalWidth + "x" + i.naturalHeight})),
	colors: [...document.querySelectorAll("h1, h2, p, td")].map(e => getComputedStyle(e).color),
	frames: frames.length,
})`

// show opens an archive in the browser.
func show(t *testing.T, browser context.Context, archive []byte) shown {
	t.Helper()
	path := filepath.Join(t.TempDir(), "archive.mht")
	if err := os.WriteFile(path, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(browser, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate("file://"+path)); err != nil {
		t.Fatal(err)
	}
	s, err := chromedp.Run(ctx, chromedp.Evaluate[shown](showScript))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// archives returns the project's own archives and those of the corpus.
func archives(t *testing.T) map[string][]byte {
	all := map[string][]byte{}
	add := func(name string, msg []byte) {
		if ext := filepath.Ext(name); ext == ".mht" || ext == ".mhtml" {
			all[filepath.Base(name)] = msg
		}
	}
	everyMessage(t)(add)
	return all
}

// TestChromium opens archives before and after the rewriting. The text, the images and the styles
// must be the same.
func TestChromium(t *testing.T) {
	browser := chromium.Start(t)
	outer := &base.Layer{Source: base.DefaultBase, Value: "http://example.test/dir/page.html"}
	rewritten := 0
	for name, msg := range archives(t) {
		out, _ := madeAbsolute(t, name, msg, outer)
		if bytes.Equal(out, msg) {
			continue
		}
		rewritten++
		was, is := show(t, browser, msg), show(t, browser, out)
		if !reflect.DeepEqual(was, is) {
			t.Errorf("%s: Chromium shows\n%+v\nbefore it was rewritten\n%+v", name, is, was)
		}
		if name == "saved.mht" {
			want := shown{Text: was.Text, Images: []image{{"by location", "3x2"}, {"by name", "5x4"}},
				Colors: []string{"rgb(1, 2, 3)", "rgb(0, 0, 0)", "rgb(0, 0, 0)"}, Frames: 1}
			if !strings.Contains(is.Text, "to the next page") || !reflect.DeepEqual(is, want) {
				t.Errorf("%s: Chromium shows %+v, want %+v", name, is, want)
			}
		}
	}
	if rewritten == 0 {
		t.Error("no archive was rewritten")
	}
	t.Logf("%d rewritten archives", rewritten)
	showsNothing(t, browser)
}

// showsNothing opens archives without the bytes that Chromium needs. It proves that TestChromium
// would notice such damage.
func showsNothing(t *testing.T, browser context.Context) {
	msg := mailFiles(t)["saved.mht"]
	for _, c := range []struct{ name, old, new string }{
		{"LF alone", "\r\n", "\n"},
		{"a blank behind a boundary", "--x1\r\n", "--x1 \r\n"},
		{"no final boundary", "--x1--\r\n", ""},
	} {
		if s := show(t, browser, bytes.ReplaceAll(msg, []byte(c.old), []byte(c.new))); s.Text != "" {
			t.Errorf("%s: Chromium shows %+v, want nothing", c.name, s)
		}
	}
}

// TestArchiveLines rewrites archives. No line loses its CR, and no boundary changes.
func TestArchiveLines(t *testing.T) {
	for name, msg := range archives(t) {
		marked := func(l *Leaf) []extract.Edit { return linkEdits(l.Data) }
		for kind, edit := range map[string]func(*Leaf) []extract.Edit{"marked": marked} {
			p := prove(t, name+" "+kind, msg, func(*Message) func(*Leaf) []extract.Edit { return edit })
			bare := func(b []byte) int { return bytes.Count(b, []byte("\n")) - bytes.Count(b, []byte("\r\n")) }
			if got, want := bare(p.is), bare(p.was); got > want {
				t.Errorf("%s: %d lines end at LF alone, %d before", p.name, got, want)
			}
			if got, want := dashed(p.is), dashed(p.was); got != want {
				t.Errorf("%s: lines with dashes\n%s\nwant\n%s", p.name, got, want)
			}
		}
	}
}

// dashed returns the lines that begin with two dashes.
func dashed(msg []byte) string {
	var b strings.Builder
	for line := range bytes.Lines(msg) {
		if bytes.HasPrefix(line, []byte("--")) {
			b.Write(line)
		}
	}
	return b.String()
}
