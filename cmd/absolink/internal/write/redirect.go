package write

import (
	"errors"
	"io/fs"
	"os"
	"path"
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
	mu   sync.Mutex
	list []site.Redirect
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
		return flag.Errorf("--redirects-format %s is for one host, and documents were at %s: run it for each", o.RedirectFormat, strings.Join(hosts, " and "))
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
		return flag.Errorf("--redirects %s lies in the output: it is for the server at the old addresses; give another name", o.Redirects)
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
	if _, lost := e.Defects(); lost || w.c.o.Redirects == "" || in.Item > 0 {
		return
	}
	b, err := resolve.NewBase(w.Retrieved(in), w.c.o.Links.Policy.Rules)
	if err != nil {
		return
	}
	old := b.String()
	w.c.redirects.add(old, w.c.site.Map.URI(old))
	if r := resolve.Split(old); !r.HasQuery && w.c.o.Links.IsIndex(path.Base(r.Path)) {
		old = strings.TrimSuffix(old, path.Base(r.Path))
		w.c.redirects.add(old, w.c.site.Map.URI(old))
	}
}

func (r *redirects) add(old, to string) {
	if old == to {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, site.Redirect{Old: old, New: to})
}

// writeRedirects writes the file of them.
func (c *Command) writeRedirects() error {
	if c.o.Redirects == "" {
		return nil
	}
	list := c.redirects.list
	slices.SortFunc(list, func(a, b site.Redirect) int { return strings.Compare(a.Old, b.Old) })
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
