// Package viewer makes web pages that show a document: the figure of RFC 2396 Section 5.1, the
// source with its references, the links, the results of each rule set, and the changes of a
// rewrite. The server makes whole pages, with the functions of the commands. The script in them
// only saves clicks.
//
//	page.go      the requests
//	store.go     the uploads
//	upload.go    the form that uploads a document
//	frugal.go    memory while a page is made
//	reading.go   reads an upload
//
// Package sheet makes the content of the pages.
package viewer

import (
	"cmp"
	"context"
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
	"absolink/cmd/absolink/internal/serve/sheet"
)

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
		func(w http.ResponseWriter, r *http.Request) { p.show(w, http.StatusOK, "") })
	mux.HandleFunc("POST /document", p.upload)
	mux.HandleFunc("GET /document/{id}/{$}", p.withUpload(p.document))
	mux.HandleFunc("GET /document/{id}/download", p.withUpload(p.download))
	mux.HandleFunc("GET /document/{id}/item/{item}", p.withUpload(p.item))
	for name, media := range map[string]string{"style.css": "text/css; charset=utf-8",
		"script.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml"} {
		mux.HandleFunc("GET /assets/"+name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", media)
			data, _ := sheet.Assets.ReadFile(name)
			w.Write(data)
		})
	}
}

// show answers with the first page. problem is the text of an error, or "".
func (p *Pages) show(w http.ResponseWriter, status int, problem string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	begin(w, "absolink")
	sheet.WriteStart(w, &sheet.Start{Error: problem, Action: "/document", Where: "machine"})
	end(w)
}

// begin writes the beginning of a page, before its main element.
func begin(out io.Writer, title string) {
	w := hypertext.NewWriter(out)
	w.Put("<!doctype html>\n"+`<html lang="en">`+"\n"+"<head>\n"+`<meta charset="utf-8">`+"\n"+
		`<meta name="viewport" content="width=device-width, initial-scale=1">`+"\n"+
		`<meta name="referrer" content="same-origin">`+"\n"+"<title>%s</title>\n"+
		`<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">`+"\n"+
		`<link rel="stylesheet" href="/assets/style.css">`+"\n"+
		`<script src="/assets/script.js" defer></script>`+"\n"+"</head>\n"+"<body>\n"+
		`<header class="top"><a class="name" href="/"><img src="/assets/icon.svg" width="24" height="24" alt="">`+
		`absolink</a><span class="motto">which base a link has, and why</span></header>`+"\n", title)
}

// end writes the end of a page.
func end(out io.Writer) { io.WriteString(out, "</body></html>\n") }

func (p *Pages) fail(w http.ResponseWriter, status int, text string) { p.show(w, status, text) }

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
		_, err := p.o.Rewrite(ctx, sheet.Flags(r.URL.Query()), &u.Given, 0, out)
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
	flags := sheet.Flags(r.URL.Query())
	v := &reading{View: sheet.NewView(sheet.OptionsOf(nil)), open: max(n, 1)}
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
		begin(out, s.Name)
		if err := sheet.WriteDocument(out, s); err != nil {
			return err
		}
		end(out)
		return nil
	}) {
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	out.WriteTo(w)
}

// read returns the content of the page of a document, for the query q. If reading fails, the page
// shows only the options and the error.
func (p *Pages) read(ctx context.Context, q url.Values, u *upload) (*sheet.Page, error) {
	flags := sheet.Flags(q)
	v := &reading{View: sheet.NewView(sheet.OptionsOf(q))}
	s := &sheet.Page{View: v.View, Name: sheet.Clip(u.name), Size: u.Size, Query: q}
	if err := p.o.View(ctx, flags, &u.Given, v.command); err != nil {
		return s, err
	}
	v.Finish()
	s.Read = true
	var err error
	switch q.Get("view") {
	case "rules":
		s.Differ, err = sheet.CompareRules(v.Doc, func(v *sheet.View, rules string) error {
			flags.Set("rules", rules)
			again := &reading{View: v}
			return p.o.View(ctx, flags, &u.Given, again.command)
		})
	case "rewrite":
		err = p.diff(ctx, flags, u, s)
	}
	return s, err
}

// diff sets the differences of s, and the reason why something was not rewritten.
func (p *Pages) diff(ctx context.Context, flags url.Values, u *upload, s *sheet.Page) error {
	var text limited
	reason, err := p.o.Rewrite(ctx, flags, &u.Given, sheet.MaxDiff+1, &text)
	if err != nil {
		return err
	}
	s.SetDiff(text.String())
	s.Cut = text.cut
	s.Unwritten = reason
	return nil
}

// limited keeps the first sheet.MaxDiff bytes that are written to it.
type limited struct {
	strings.Builder
	cut bool
}

func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), sheet.MaxDiff-l.Len())
	l.cut = l.cut || n < len(b)
	l.Builder.Write(b[:n])
	return len(b), nil
}
