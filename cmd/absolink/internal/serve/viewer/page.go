// Package viewer makes web pages that show a document: the figure of RFC 2396 Section 5.1, the
// source with its references, the links, the results of each rule set, and the changes of a
// rewrite. The server makes whole pages, with the functions of the commands. The script in them
// only saves clicks.
//
//	page.go      the requests
//	html.go      the first page, the options and the figure; document.go the page of a document
//	samples.go   documents to try
//	store.go     the uploads
//	upload.go    the form that uploads a document
//	frugal.go    memory while a page is made
//	view.go      the result of reading a document
//	rows.go      the references on a page; rank.go finds them in a sorted order
//	rules.go     differences between the rule sets
//	window.go    the source with marks
//	diff.go      the changes of a rewrite
package viewer

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/hypertext"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/run"
)

//go:embed style.css script.js icon.svg
var assets embed.FS

// Options say how pages are made.
type Options struct {
	MaxSize  int64 // largest upload
	KeepSize int64 // largest size of all uploads together
	// WithWorker calls f once a worker is free. Each request calls it once, for all its work on an
	// upload. The error is ErrBusy if no worker will be free soon.
	WithWorker func(ctx context.Context, f func(ctx context.Context) error) error
	// View runs a command on a body, with the flags of a query. It calls command with the options
	// from these flags to get the run.Command. If a flag is wrong, the error is a *flag.Error.
	View func(ctx context.Context, flags url.Values, b *input.Given, command func(*links.Options) run.Command) error
	// Rewrite writes the rewritten document to out. If diff is not 0, it writes about diff bytes of
	// the differences instead. reason says why the document, or a message of a mailbox, was not
	// rewritten. It is empty if all were.
	Rewrite func(ctx context.Context, flags url.Values, b *input.Given,
		diff int, out io.Writer) (reason string, err error)
}

// ErrBusy is the error of Options.WithWorker when too many requests wait.
var ErrBusy = errors.New("the service is busy")

// Pages answers requests for pages. It is safe for concurrent use.
type Pages struct {
	o      *Options
	store  store
	frugal frugal
}

// New returns Pages with the options o.
func New(o *Options) *Pages { return &Pages{o: o, store: store{maxBytes: o.KeepSize}} }

// Add registers the handlers of all pages in mux.
func (p *Pages) Add(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}",
		func(w http.ResponseWriter, r *http.Request) { p.show(w, http.StatusOK, &start{}) })
	mux.HandleFunc("POST /document", p.upload)
	mux.HandleFunc("GET /document/{id}/{$}", p.withUpload(p.document))
	mux.HandleFunc("GET /document/{id}/download", p.withUpload(p.download))
	mux.HandleFunc("GET /document/{id}/item/{item}", p.withUpload(p.item))
	for name, media := range map[string]string{"style.css": "text/css; charset=utf-8",
		"script.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml"} {
		mux.HandleFunc("GET /assets/"+name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", media)
			data, _ := assets.ReadFile(name)
			w.Write(data)
		})
	}
}

// start is the content of the first page.
type start struct{ Error string }

// Figure returns the figure of Section 5.1. Its boxes hold the texts about their possible content.
func (s *start) Figure() *Box {
	var inner *Box
	for _, s := range sections {
		inner = &Box{Section: s.section, Title: s.title, Says: s.says, Inner: inner}
	}
	return inner
}

// show answers with the first page.
func (p *Pages) show(w http.ResponseWriter, status int, s *start) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	page := page{hypertext.NewWriter(w)}
	page.start(s)
}

func (p *Pages) fail(w http.ResponseWriter, status int, text string) {
	p.show(w, status, &start{Error: text})
}

// flagNames lists the flags that a page lets people set.
var flagNames = []string{"base", "default-base", "rules", "mime-base",
	"trust-base", "lazy", "scripts", "comments", "map", "to", "type"}

// chosen returns those parameters of a page that are flags with a value.
func chosen(all url.Values) url.Values {
	flags := make(url.Values)
	for _, name := range flagNames {
		for _, v := range all[name] {
			if v != "" {
				flags.Add(name, v)
			}
		}
	}
	return flags
}

// withUpload returns a handler that calls f with the upload that the request names.
func (p *Pages) withUpload(f func(http.ResponseWriter, *http.Request, *upload)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		u := p.store.acquire(r.PathValue("id"))
		if u == nil {
			p.fail(w, http.StatusNotFound,
				"This document is no longer kept: 15 minutes have passed, or newer ones took its place. Upload it "+
					"again.")
			return
		}
		defer p.store.release(u)
		f(w, r, u)
	}
}

// withWorker calls f once a worker is free. It returns true if f succeeded. Otherwise it has
// answered with the error.
func (p *Pages) withWorker(w http.ResponseWriter, r *http.Request, f func(ctx context.Context) error) bool {
	err := p.o.WithWorker(r.Context(), func(ctx context.Context) error {
		p.frugal.begin()
		defer p.frugal.end()
		return f(ctx)
	})
	switch {
	case err == nil:
		return true
	case errors.Is(err, ErrBusy):
		w.Header().Set("Retry-After", "1")
		p.fail(w, http.StatusServiceUnavailable, "The service is busy. Try again in a moment.")
	case errors.Is(err, context.DeadlineExceeded):
		p.fail(w, http.StatusServiceUnavailable, "The document takes longer than 2 minutes.")
	case r.Context().Err() != nil:
		panic(http.ErrAbortHandler) // the client has gone
	default:
		refused := unstored(err)
		if refused == nil {
			refused = &refusal{http.StatusUnprocessableEntity, err.Error()}
		}
		p.fail(w, refused.status, refused.text)
	}
	return false
}

func (p *Pages) download(w http.ResponseWriter, r *http.Request, u *upload) {
	out := new(files.Spool)
	defer out.Close()
	if !p.withWorker(w, r, func(ctx context.Context) error {
		_, err := p.o.Rewrite(ctx, chosen(r.URL.Query()), &u.Given, 0, out)
		return err
	}) {
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", "attachment; filename*=UTF-8''"+url.PathEscape(u.name))
	out.WriteTo(w)
}

// item stores an item of a container as an upload, and redirects to its page.
func (p *Pages) item(w http.ResponseWriter, r *http.Request, u *upload) {
	n, _ := strconv.Atoi(r.PathValue("item"))
	flags := chosen(r.URL.Query())
	v := newView(&viewOptions{open: max(n, 1)})
	done := p.withWorker(w, r, func(ctx context.Context) error {
		err := p.o.View(ctx, flags, &u.Given, v.command)
		return cmp.Or(err, v.unopened)
	})
	switch {
	case !done:
		v.close()
		return
	case v.opened == nil:
		p.fail(w, http.StatusNotFound, "There is no such item.")
		return
	}
	flags.Set("type", v.openedKind)
	if v.openedURI != "" {
		flags.Set("base", v.openedURI)
	}
	v.opened.name = u.name + " " + strconv.Itoa(n)
	http.Redirect(w, r, "/document/"+p.store.add(v.opened)+"/?"+flags.Encode(), http.StatusSeeOther)
}

// shown is the content of the page of a document.
type shown struct {
	*view
	Name, Size, View string
	Query            url.Values
	Differ           []difference
	Diff             []diffLine
	Cut              bool   // there are more differences than Diff has
	Unwritten        string // why a document was not rewritten
	Error            string
	Rules            []string
	Read             bool // the document was read with these options
}

// document answers with the page of a document. It makes the whole page while it has a worker, and
// sends the page afterwards.
func (p *Pages) document(w http.ResponseWriter, r *http.Request, u *upload) {
	out := new(files.Spool)
	defer out.Close()
	status := http.StatusOK
	if !p.withWorker(w, r, func(ctx context.Context) error {
		s, err := p.read(ctx, r.URL.Query(), u)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.Error = err.Error()
			status = http.StatusUnprocessableEntity
		}
		page := page{hypertext.NewWriter(out)}
		page.document(s)
		return page.Err()
	}) {
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	out.WriteTo(w)
}

// read returns the content of the page of a document, for the query q. If reading fails, the page
// shows only the options and the error.
func (p *Pages) read(ctx context.Context, q url.Values, u *upload) (*shown, error) {
	flags := chosen(q)
	number := func(name string) int { n, _ := strconv.Atoi(q.Get(name)); return max(n, 0) }
	o := &viewOptions{document: -1, page: number("page"), kind: q.Get("kind"),
		status: q.Get("status"), host: q.Get("host"), sort: q.Get("sort")}
	if q.Has("doc") {
		o.document = number("doc")
	}
	v := newView(o)
	s := &shown{view: v, Name: clip(u.name), Size: size(u.Size),
		View: cmp.Or(q.Get("view"), "links"), Query: q, Rules: ruleNames}
	o.rows = s.View != "rules" && s.View != "rewrite"
	if err := p.o.View(ctx, flags, &u.Given, v.command); err != nil {
		return s, err
	}
	v.finish()
	s.Read = true
	var err error
	switch s.View {
	case "rules":
		s.Differ, err = p.compareRules(ctx, flags, u, v.Doc)
	case "rewrite":
		err = p.diff(ctx, flags, u, s)
	}
	return s, err
}

// With returns the query of the page with changed parameters, given as alternating names and
// values. An empty value removes the parameter.
func (s *shown) With(changes ...string) string {
	q := make(url.Values)
	for name, values := range s.Query {
		q[name] = values
	}
	for i := 0; i+1 < len(changes); i += 2 {
		q.Del(changes[i])
		if changes[i+1] != "" {
			q.Set(changes[i], changes[i+1])
		}
	}
	return "?" + q.Encode()
}

// slashes escapes a URI for HTML. It allows a line break after each slash, question mark and
// ampersand.
var slashes = strings.NewReplacer("//", "//", "/", "/<wbr>", "?", "?<wbr>", "&", "&amp;<wbr>",
	`"`, "&#34;", "'", "&#39;", "<", "&lt;", ">", "&gt;", "\x00", "\ufffd")

// breaks returns a URI as HTML text in which lines may break, as slashes says.
func breaks(uri string) hypertext.Source { return hypertext.Source(slashes.Replace(uri)) }

// count returns a number with its noun. word is the singular.
func count(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return strconv.Itoa(n) + " " + word
}

// size returns a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) + " MB"
	case n >= 1<<10:
		return strconv.FormatFloat(float64(n)/(1<<10), 'f', 1, 64) + " KB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
