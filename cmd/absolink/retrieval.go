package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/document"
	"absolink/cmd/absolink/internal/fetch"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/resolve"
)

// retrieval are the flags that say how URLs are retrieved, and the clients.
type retrieval struct {
	urls         string
	fetch        fetch.Options
	headers      flag.List
	ignoreRobots bool

	retrieved sync.Once
	single    *fetch.Client // for URLs that are named
	listed    *fetch.Client // for those of a list, under robots.txt
}

const (
	defaultRedirects = 10
	defaultTimeout   = time.Minute
	// atOnce is how many URLs of a list are retrieved at once, unless --jobs says
	// otherwise: waiting takes no processor.
	atOnce = 16
)

// register adds the flags to c.
func (f *retrieval) register(c *cobra.Command) {
	fs := c.Flags()
	fs.Var((*flag.Text)(&f.urls), "urls", "also the URLs in `FILE`, one a line; - for standard input")
	fs.Var((*flag.Text)(&f.fetch.UserAgent), "user-agent", "`NAME` that servers are told (default: absolink)")
	fs.VarP(&f.headers, "header", "H", "send `'NAME: VALUE'` to the origin (scheme, host, port) of the URL, never to one that it redirects to (repeatable)")
	fs.IntVar(&f.fetch.MaxRedirects, "max-redirects", defaultRedirects, "`N` redirects that are followed")
	f.fetch.Timeout = defaultTimeout
	fs.Var((*flag.Seconds)(&f.fetch.Timeout), "timeout", "time for one URL, its redirects and its body included, waiting for others of its host not")
	fs.BoolVar(&f.fetch.AllowPrivate, "allow-private", false, "also connect to private, loopback and link-local addresses")
	fs.BoolVar(&f.ignoreRobots, "ignore-robots", false, "do not ask robots.txt before retrieving the URLs of --urls and --units")
}

// check finds what cannot be carried out.
func (f *retrieval) check() error {
	f.fetch.Header = make(http.Header)
	for _, h := range f.headers {
		name, value, ok := strings.Cut(h, ":")
		name = strings.TrimSpace(name)
		if !ok || !isToken(name) || strings.ContainsAny(value, "\r\n\x00") {
			return usagef("--header %q: 'NAME: VALUE' is needed, such as 'Accept-Language: de'", h)
		}
		switch name = http.CanonicalHeaderKey(name); name {
		case "Connection", "Content-Length", "Transfer-Encoding", "Upgrade", "Te", "Trailer":
			return usagef("--header %q: is not for you to send", h)
		}
		f.fetch.Header.Add(name, strings.TrimSpace(value))
	}
	switch {
	case f.fetch.MaxRedirects < 0:
		return usagef("--max-redirects %d: 0 or more are needed", f.fetch.MaxRedirects)
	case strings.ContainsAny(f.fetch.UserAgent, "\r\n\x00"):
		return usagef("--user-agent %q: it holds a line end", f.fetch.UserAgent)
	}
	return nil
}

// isToken reports whether s can be the name of a field (RFC 9110 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}

// client returns the one for a URL that is named, or for one of a list.
func (f *retrieval) client(listed bool, maxSize int64) *fetch.Client {
	f.retrieved.Do(func() {
		o := f.fetch
		o.MaxSize = maxSize
		f.single = fetch.New(o)
		o.Robots = !f.ignoreRobots
		f.listed = fetch.New(o)
	})
	if listed {
		return f.listed
	}
	return f.single
}

// isURL reports whether an argument is to be retrieved.
func isURL(arg string) bool {
	scheme := strings.ToLower(resolve.Split(arg).Scheme)
	return (scheme == "http" || scheme == "https") && strings.Contains(arg, "//")
}

// urlFile is the input that a URL is.
func urlFile(url string, listed bool) input.File {
	rel := ""
	if b, err := resolve.NewBase(url, resolve.Options{}); err == nil {
		rel = input.RelOf(b.String())
	}
	return input.File{Source: withoutPassword(url), URL: url, Rel: rel, Named: true, Listed: listed, Size: -1}
}

// withoutPassword returns a URL as it is printed: its password is for its server only.
func withoutPassword(url string) string {
	whole := url
	if b, err := resolve.NewBase(url, resolve.Options{}); err == nil {
		whole = b.String()
	}
	authority := resolve.Split(whole).Authority
	i := strings.LastIndexByte(authority, '@')
	user, _, ok := strings.Cut(authority[:max(i, 0)], ":")
	if !ok {
		return url
	}
	return strings.Replace(whole, authority, user+authority[i:], 1)
}

// checkListed says why a line of a list is not to be retrieved.
func checkListed(line string) error {
	shown := clip([]byte(withoutPassword(line)))
	b, err := resolve.NewBase(line, resolve.Options{})
	switch {
	case err != nil:
		return fmt.Errorf("%q is no URL; each line needs one, such as http://example.com/", shown)
	case !strings.HasPrefix(b.String(), "http:") && !strings.HasPrefix(b.String(), "https:"):
		return fmt.Errorf("%q is neither http nor https", shown)
	}
	return nil
}

// list yields the URLs of --urls. Empty lines and those that begin with '#' are
// passed over, and so is a byte order mark; an error of reading belongs to the list
// itself, and what is no URL to its line there.
func (f *retrieval) list(stdin io.Reader) iter.Seq2[input.File, error] {
	return func(yield func(input.File, error) bool) {
		list, in := input.File{Source: f.urls, Named: true, Listed: true, Size: -1}, stdin
		if f.urls != input.Stdin {
			file, err := os.Open(f.urls)
			if err != nil {
				yield(list, pathless(err))
				return
			}
			defer file.Close()
			in = file
		}
		s := bufio.NewScanner(in)
		s.Buffer(nil, 1<<20)
		for n := 1; s.Scan(); n++ {
			url := strings.TrimSpace(s.Text())
			if n == 1 {
				url = strings.TrimPrefix(url, "\ufeff")
			}
			if url == "" || url[0] == '#' {
				continue
			}
			f, err := urlFile(url, true), checkListed(url)
			if err != nil {
				f = input.File{Source: fmt.Sprintf("%s:%d", list.Source, n), Named: true, Listed: true, Size: -1}
			}
			if !yield(f, err) {
				return
			}
		}
		if err := s.Err(); err != nil {
			yield(list, pathless(err))
		}
	}
}

// retrieve opens what a URL leads to. What robots.txt forbids is passed over, and
// that is no defect.
func (r *runner) retrieve(ctx context.Context, w *worker, file input.File, e *report.Entry) *input.Document {
	got, err := r.o.client(file.Listed, int64(r.o.maxSize)).Get(ctx, file.URL)
	var known *fetch.Error
	switch {
	case errors.As(err, &known) && known.Forbidden:
		e.Outcome, e.Reason = report.Skipped, err.Error()
		e.Note("", err.Error())
		return nil
	case err != nil:
		e.Fail(report.Failed, err)
		return nil
	case got.Problem != "":
		e.Add(document.Problem{Offset: -1, Text: got.Problem})
	}
	answer := &input.Retrieved{URL: got.URL, Type: got.Type, Body: got.Body, Coded: got.Coded}
	for _, h := range got.Headings {
		answer.Headings = append(answer.Headings, input.Heading(h))
	}
	in, err := w.reader.OpenRetrieved(ctx, file, answer)
	if err != nil {
		e.Fail(report.Failed, err)
		return nil
	}
	return in
}
