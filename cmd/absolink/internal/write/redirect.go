package write

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/site"
	"absolink/resolve"
)

// redirects are collected as documents are done, and written when all are.
type redirects struct {
	mu      sync.Mutex
	list    []redirect
	unended bool // a page whose name has a query has no ending
}

// redirect is one of them, as sure as its old address.
type redirect struct {
	site.Redirect
	sure site.Sure
}

// checkRedirects refuses redirects that would say nothing, and a file in the place of another.
func (c *Command) checkRedirects() error {
	o := c.o
	switch {
	case o.Redirects == "" && o.RedirectFormat != "":
		return flag.Errorf("--redirects-format needs --redirects FILE: add it")
	case o.Redirects == "":
		return nil
	case c.site.Map.Empty():
		return flag.Errorf("--redirects needs --map, which says where documents move to")
	case len(o.Links.Mapped()) == 0 && o.Links.Base == "":
		return flag.Errorf("--redirects needs --root DIR=URI, which says where documents were")
	case o.shows():
		return flag.Errorf("--redirects is written by a run that writes: leave --dry-run and --diff out")
	}
	if hosts := c.oldHosts(); o.RedirectFormat.OneHost() && len(hosts) > 1 {
		return flag.Errorf("--redirects-format %s is for one host, and documents were at %s: run it for each",
			o.RedirectFormat, strings.Join(hosts, " and "))
	}
	for _, other := range append([]string{o.Run.Report, o.MapFile, o.Journal}, o.Run.Inputs.Args()...) {
		if other == "" || other == input.Stdin {
			continue
		}
		if output.Same(o.Redirects, other) || input.IsDir(other) && output.Within(o.Redirects, other) {
			return flag.Errorf("--redirects %s is %s, or lies in it; give another name", o.Redirects, other)
		}
	}
	switch {
	case o.Dir != "" && output.Within(o.Redirects, o.Dir):
		return flag.Errorf("--redirects %s lies in the output: it is for the server at the old addresses; give "+
			"another name", o.Redirects)
	case input.IsDir(o.Redirects):
		return flag.Errorf("--redirects %s is a directory; give the name of a file", o.Redirects)
	case !input.IsDir(filepath.Dir(o.Redirects)):
		return flag.Errorf("--redirects %s: %s", o.Redirects, output.Why(o.Redirects, fs.ErrNotExist))
	}
	return nil
}

// oldHosts returns the hosts that documents were at.
func (c *Command) oldHosts() (hosts []string) {
	for _, r := range c.o.Links.Mapped() {
		if host := resolve.Split(r.URI).Authority; !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// noteRedirect notes where in, a document, has moved. An index file was at its directory too.
func (w *worker) noteRedirect(in *input.Document, e *report.Entry) {
	if e.Result.Lost() || w.c.o.Redirects == "" || in.Place.Number > 0 {
		return
	}
	b, err := resolve.NewBase(w.Retrieved(in), w.c.o.Links.Policy.Rules)
	if err != nil {
		return
	}
	uri := b.String()
	addresses := []site.Address{{URI: uri}}
	if !resolve.Split(uri).HasQuery {
		addresses = site.Addresses(uri, w.c.o.Links.IsIndex)
	}
	for _, a := range addresses {
		if in.Kind == input.HTML && a.Sure == site.Certain && resolve.Split(a.URI).HasQuery {
			w.c.redirects.noteUnended()
		}
		w.c.redirects.add(a, w.newAddress(uri, a.URI))
	}
}

// newAddress returns where a document has moved that was at the address old. Its file has the URI
// uri by its root. A server has it there, but for an index file also at its directory.
func (w *worker) newAddress(uri, old string) string {
	m := &w.c.site.Map
	if to := m.URI(uri); to != uri && !strings.HasSuffix(old, "/") {
		return to
	}
	return m.URI(old)
}

func (r *redirects) noteUnended() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unended = true
}

func (r *redirects) add(old site.Address, to string) {
	if old.URI == to {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, redirect{site.Redirect{Old: old.URI, New: to}, old.Sure})
}

// sorted returns the redirects in the order of old addresses, each of which has one.
func (r *redirects) sorted() (list []site.Redirect) {
	slices.SortFunc(r.list, func(a, b redirect) int {
		return cmp.Or(strings.Compare(a.Old, b.Old), cmp.Compare(a.sure, b.sure), strings.Compare(a.New, b.New))
	})
	for _, one := range r.list {
		if one.sure == site.Unended && !r.unended {
			continue
		}
		if n := len(list); n == 0 || list[n-1].Old != one.Old {
			list = append(list, one.Redirect)
		}
	}
	return list
}

// writeRedirects writes the file of them.
func (c *Command) writeRedirects() error {
	if c.o.Redirects == "" {
		return nil
	}
	list := c.redirects.sorted()
	f, err := os.Create(c.o.Redirects)
	if err != nil {
		return err
	}
	left, err := site.WriteRedirects(f, c.o.RedirectFormat, list)
	for _, r := range left {
		c.run.Console.Printf("--redirects: left out, since %s cannot hold it: %s", c.o.RedirectFormat, r.Old)
	}
	if len(list) == 0 && !c.o.Run.Quiet {
		c.run.Console.Printf("--redirects: no document was at an address that the maps move")
	} else if c.o.Run.Verbose {
		c.run.Console.Printf("--redirects: %s", console.Plural(len(list)-len(left), "address", "addresses"))
	}
	return errors.Join(err, f.Close())
}
