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

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/site"
	"absolink/resolve"
	"absolink/resolve/move"
)

// redirects collects the redirects of --redirects while documents are rewritten. They are written
// at the end of the run.
type redirects struct {
	links *links.Options
	rules *move.Map

	mu   sync.Mutex
	list []redirect
	// noEndingsAdded is true if the name of a saved page ends with a query. This shows that the
	// program that saved the pages added no endings such as .html to their names. If noEndingsAdded
	// is false, redirects with the certainty [site.EndingKept] are not written.
	noEndingsAdded bool
}

// redirect is a redirect from an address that a document probably had. certainty tells how certain
// the address is.
type redirect struct {
	site.Redirect
	certainty site.Certainty
}

// checkRedirects refuses --redirects FILE if another flag is missing that --redirects needs. It
// also refuses a FILE that is another file of the run, or that lies in an input directory or in the
// output. rules are the rules of o. The error is a [*flag.Error].
func checkRedirects(o *Options, rules *move.Map) error {
	file := o.Move.Redirects
	format := o.Move.RedirectFormat
	if file == "" {
		if format != "" {
			return flag.Errorf("--redirects-format needs --redirects FILE: add it")
		}
		return nil
	}
	switch {
	case rules.Empty():
		return flag.Errorf("--redirects needs --map, which says where documents move to")
	case len(o.Links.Bases.ParsedRoots()) == 0 && o.Links.Bases.Retrieval == "":
		return flag.Errorf("--redirects needs --root DIR=URI, which says where documents were")
	case o.Show.On():
		return flag.Errorf("--redirects needs a run that writes its output: leave --dry-run and --diff out")
	}
	if hosts := oldHosts(o.Links); format.OneHost() && len(hosts) > 1 {
		return flag.Errorf("--redirects-format %s is for one host, and documents were at %s: run it for each",
			format, strings.Join(hosts, " and "))
	}
	for _, other := range append([]string{o.Run.Account.Report, o.Move.MapFile, o.To.Journal}, o.Run.Inputs.Args()...) {
		if other == input.Stdin {
			continue
		}
		if files.Same(file, other) || input.IsDir(other) && files.Within(file, other) {
			return flag.Errorf("--redirects %s is %s, or lies in it; give another name", file, other)
		}
	}
	switch {
	case o.To.Dir != "" && files.Within(file, o.To.Dir):
		return flag.Errorf("--redirects %s lies in the output: it is for the server at the old addresses; give "+
			"another name", file)
	case input.IsDir(file):
		return flag.Errorf("--redirects %s is a directory; give the name of a file", file)
	case !input.IsDir(filepath.Dir(file)):
		return flag.Errorf("--redirects %s: %s", file, files.Why(file, fs.ErrNotExist))
	}
	return nil
}

// oldHosts returns the hosts of the roots, each once.
func oldHosts(o *links.Options) (hosts []string) {
	for _, r := range o.Bases.ParsedRoots() {
		if host := resolve.Split(r.URI).Authority; !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// addDocument adds the redirects for a document that was retrieved from uri. It adds none if uri is
// empty or invalid. isPage says that the document is in HTML. If the document is an index file, its
// directory gets a redirect too.
func (r *redirects) addDocument(uri string, isPage bool) {
	b, err := resolve.NewBase(uri, r.links.Bases.Policy.Rules)
	if err != nil {
		return
	}
	uri = b.String()
	addresses := []site.Address{{URI: uri}}
	if !resolve.Split(uri).HasQuery {
		addresses = site.Addresses(uri, r.links.Targets.IsIndex)
	}
	for _, a := range addresses {
		endsWithQuery := isPage && a.Certainty == site.Certain && resolve.Split(a.URI).HasQuery
		r.add(a, r.newAddress(uri, a.URI), endsWithQuery)
	}
}

// newAddress returns the new address of a document with the old address old. uri is the URI that
// --root gives to its file. Usually the new address is the result of the rules for uri. If old is
// the URI of a directory, or if no rule moves uri, the new address is the result of the rules for
// old.
func (r *redirects) newAddress(uri, old string) string {
	isDirectory := strings.HasSuffix(old, "/") && !strings.Contains(old, "?")
	if to := r.rules.URI(uri); to != uri && !isDirectory {
		return to
	}
	return r.rules.URI(old)
}

// add adds a redirect with these old and new addresses, unless they are the same. endsWithQuery is
// true if the document is a page whose file name ends with the query of old.
func (r *redirects) add(old site.Address, to string, endsWithQuery bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.noEndingsAdded = r.noEndingsAdded || endsWithQuery
	if old.URI != to {
		r.list = append(r.list, redirect{site.Redirect{Old: old.URI, New: to}, old.Certainty})
	}
}

// sorted returns the redirects sorted by old address. If several redirects have the same old
// address, it returns only the most certain of them.
func (r *redirects) sorted() (list []site.Redirect) {
	slices.SortFunc(r.list, func(a, b redirect) int {
		return cmp.Or(strings.Compare(a.Old, b.Old), cmp.Compare(a.certainty, b.certainty),
			strings.Compare(a.New, b.New))
	})
	for _, x := range r.list {
		if x.certainty == site.EndingKept && !r.noEndingsAdded {
			continue
		}
		if n := len(list); n == 0 || list[n-1].Old != x.Old {
			list = append(list, x.Redirect)
		}
	}
	return list
}

// write writes the redirects to the file of o. n is the number of all redirects. inexpressible are
// the redirects that were left out because the format cannot express them.
func (r *redirects) write(o *Move) (n int, inexpressible []site.Redirect, err error) {
	list := r.sorted()
	f, err := os.Create(o.Redirects)
	if err != nil {
		return 0, nil, err
	}
	inexpressible, err = site.WriteRedirects(f, o.RedirectFormat, list)
	return len(list), inexpressible, errors.Join(err, f.Close())
}
