package extract

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"absolink/testdata/chromium"
	"absolink/testdata/corpus"
)

var updateOracle = flag.Bool("update-oracle", false, "write what Chromium says of the project's own pages")

const oracleURL = "http://example.test/dir/page.html"

// The oracles of the project's own pages, which other tests read, equal the result of Chromium with
// scripting off.
func TestOwnOracle(t *testing.T) {
	ctx := chromium.Start(t)
	t.Setenv("ABSOLINK_CORPUS", "")
	for _, page := range corpus.Documents(t, "pages") {
		path := corpus.Oracle(page)
		got := askChromium(t, ctx, page.Data)
		if *updateOracle {
			writeOracle(t, path, got)
		}
		if want := corpus.Load(t, path); !bytes.Equal(got, want) {
			t.Errorf("%s: Chromium gives %d bytes of rows that are not the %d bytes of %s; -update-oracle writes them",
				page.Name, len(got), len(want), path)
		}
	}
}

func writeOracle(t *testing.T, path string, rows []byte) {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	z.Write(rows)
	z.Close()
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// askChromium loads a page from oracleURL and returns the lines of its oracle.
func askChromium(t *testing.T, ctx context.Context, page []byte) []byte {
	t.Helper()
	ctx, cancel := chromedp.NewContext(ctx)
	defer cancel()
	if err := chromedp.Do(ctx, served(page)); err != nil {
		t.Fatal(err)
	}
	rows, err := chromedp.Run(ctx, chromedp.Evaluate[[]json.RawMessage](oracleScript))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, row := range rows {
		out.Write(row)
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// served is the action of loading page from oracleURL, without scripts and without its resources.
func served(page []byte) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		events, cancel := context.WithCancel(ctx)
		defer cancel()
		requests := cdp.Events(events, tab, fetch.RequestPaused)
		go func() {
			for e, err := range requests {
				if err != nil {
					return
				}
				answer(ctx, tab, e, page)
			}
		}()
		_, failed := cdp.Call(ctx, tab, fetch.Enable, fetch.EnableParams{})
		_, err := cdp.Call(ctx, tab, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true})
		return errors.Join(failed, err, chromedp.Do(ctx, chromedp.Navigate(oracleURL)))
	})
}

// answer returns the page for oracleURL, and nothing for other URLs.
func answer(ctx context.Context, tab *chromedp.Target, e fetch.EventRequestPaused, page []byte) {
	if e.Request.URL != oracleURL {
		cdp.Call(ctx, tab, fetch.FailRequest,
			fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: network.ErrorReasonBlockedByClient})
		return
	}
	cdp.Call(ctx, tab, fetch.FulfillRequest, fetch.FulfillRequestParams{
		RequestID: e.RequestID, ResponseCode: 200, Body: page,
		ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html"}},
	})
}

// oracleScript lists the attributes and style sheets of a document that hold URLs, and their
// resolved URLs, in tree order. The first entry describes the document.
const oracleScript = `(() => {
	const resolve = s => { try { return new URL(s.trim(), document.baseURI).href } catch { return null } };
	const item = s => ({url: s, resolved: resolve(s)});
	const urls = css => [...css.matchAll(/url\("((?:[^"\\]|\\.)*)"\)/g)].map(m => item(m[1]));
	const ofElement = {href: 'a area base link', src: 'audio embed frame iframe img input script source track video', action: 'form', formaction: 'button input',
		cite: 'blockquote del ins q', poster: 'video', data: 'object', background: 'body table td th tr', longdesc: 'img frame iframe', usemap: 'img input object'};
	const isURL = (tag, name) => (ofElement[name] || '').split(' ').includes(tag);
	const lists = ['ping', 'itemtype', 'profile'];
	const rows = [{URL: document.URL, baseURI: document.baseURI, contentType: document.contentType, charset: document.characterSet}];
	let n = 0;
	const elements = top => [...top.querySelectorAll('*')].flatMap(e => e.localName === 'template' ? [e, ...elements(e.content)] : [e]);
	for (const e of elements(document)) {
		n++;
		const tag = e.localName;
		for (const {name: attr, value: raw} of e.attributes) {
			const row = {n, tag, attr, raw};
			if (isURL(tag, attr)) {
				rows.push({...row, kind: 'url', resolved: resolve(raw), ...(typeof e[attr] === 'string' && {prop: e[attr]})});
			} else if (lists.includes(attr)) {
				rows.push({...row, kind: 'list', items: raw.trim().split(/\s+/).map(item)});
			} else if (attr === 'srcset' || attr === 'imagesrcset') {
				const candidates = [...raw.matchAll(/([^\s,]\S*[^\s,])(\s+[^,]+)?/g)].map(m => item(m[1]));
				rows.push({...row, kind: 'srcset', candidates});
			} else if (attr === 'style') {
				rows.push({...row, kind: 'css', urls: urls([...e.style].map(p => e.style.getPropertyValue(p)).join(' '))});
			} else if (tag === 'meta' && attr === 'content' && !e.httpEquiv) {
				rows.push({...row, kind: 'meta', metaname: e.name || e.getAttribute('property') || '', resolved: resolve(raw)});
			}
		}
		if (tag === 'style' && e.sheet) {
			rows.push({n, tag, kind: 'sheet', urls: urls([...e.sheet.cssRules].map(r => r.cssText).join(' '))});
		}
	}
	return rows;
})()`
