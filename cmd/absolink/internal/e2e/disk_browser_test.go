package e2e

import (
	"bytes"
	"context"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// siteArchive reads one of the small sites.
func siteArchive(t *testing.T, name string) *txtar.Archive {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", "sites", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestDiskInChromium opens the pages of small sites from a server, and from the disk after --to
// disk. Each link of a page on the disk must lead to the file that the server sends for it. So the
// file exists, and is not a directory listing. Pages of javadoc are six directories deep.
func TestDiskInChromium(t *testing.T) {
	browse := browser(t)
	for _, site := range []struct {
		name         string
		pages, local int // at least
	}{{"mkdocs", 6, 40}, {"sphinx", 7, 40}, {"pydoc", 4, 15}, {"javadoc", 6, 38}} {
		t.Run(site.name, func(t *testing.T) {
			dir := t.TempDir()
			old, out := filepath.Join(dir, "old"), filepath.Join(dir, "disk")
			if err := txtar.Write(siteArchive(t, site.name), old); err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(prettily(old))
			defer server.Close()
			rename(t, old, "http://kettles.example", server.URL)
			ran(t, "rewrite", "-q", "--root", old+"="+server.URL+"/", "--to", "disk", "-o", out, old)
			pages, local := 0, 0
			for _, file := range filesOf(t, out) {
				if path.Ext(file) != ".html" || file == "/404.html" {
					continue
				}
				pages++
				local += sameOnDisk(t, server.URL, out, file,
					browse(server.URL, escapedPath(file)), browse("file://"+out, escapedPath(file)))
			}
			if pages < site.pages || local < site.local {
				t.Errorf("%d pages with %d local links were opened, want at least %d with %d",
					pages, local, site.pages, site.local)
			}
		})
	}
}

// prettily serves a directory like servers of generated sites: an index file for a directory, and
// NAME.html for NAME. Each answer names its file.
func prettily(dir string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, add := range []string{"", "/index.html", ".html"} {
			name := path.Clean(r.URL.Path) + add
			data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			if err != nil {
				continue
			}
			if add == "/index.html" && !strings.HasSuffix(r.URL.Path, "/") {
				http.Redirect(w, r, r.URL.Path+"/", http.StatusMovedPermanently)
				return
			}
			w.Header().Set("Content-Type", mime.TypeByExtension(filepath.Ext(name)))
			w.Header().Set("X-File", path.Clean(name))
			w.Write(data)
			return
		}
		http.NotFound(w, r)
	})
}

// rename replaces a prefix by another one in all files of a directory.
func rename(t *testing.T, dir, from, to string) {
	t.Helper()
	for _, name := range filesOf(t, dir) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name),
			[]byte(strings.ReplaceAll(string(data), from, to)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// sameOnDisk compares the links of a page on a server with the links on the disk below dir. It
// returns the number of links to files.
func sameOnDisk(t *testing.T, server, dir, page string, want, got []string) (local int) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: in Chromium the page has %d links on the disk and %d on the server", page, len(got), len(want))
		return 0
	}
	for i, l := range want {
		rest, inside := strings.CutPrefix(plainLink(l), "http://S/")
		if !inside {
			if plainLink(got[i]) != plainLink(l) {
				t.Errorf("%s: in Chromium a link is %q on the disk and %q on the server", page, got[i], l)
			}
			continue
		}
		r, err := http.Get(server + "/" + rest)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		file := r.Header.Get("X-File")
		if file == "" { // a link to a missing file stays absolute
			if got[i] != strings.Replace(l, "http://S", server, 1) &&
				!strings.Contains(got[i], strings.TrimPrefix(server, "http://")) {
				t.Errorf("%s: the server says %s to %q, and the link on the disk is %q", page, r.Status, l, got[i])
			}
			continue
		}
		local++
		if on := onDisk(t, dir, got[i]); on != file {
			t.Errorf("%s: a link leads to %q on the disk, and to %q on the server, by %q and %q",
				page, on, file, got[i], l)
		}
		if _, a, _ := strings.Cut(got[i], "#"); a != fragmentOf(l) && !strings.Contains(l, "url(") {
			t.Errorf("%s: a link is %q on the disk and %q on the server, with another fragment", page, got[i], l)
		}
	}
	return local
}

// plainLink returns the URL of a link that the browser reported.
func plainLink(l string) string { return strings.Trim(strings.TrimPrefix(l, "url("), `")`) }

func fragmentOf(l string) string {
	_, fragment, _ := strings.Cut(l, "#")
	return fragment
}

// onDisk returns the file below dir to which a link leads, or an empty string.
func onDisk(t *testing.T, dir, link string) string {
	t.Helper()
	rest, ok := strings.CutPrefix(plainLink(link), "S/")
	if !ok {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, _, _ = strings.Cut(rest, "?")
	name, err := url.PathUnescape(rest)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return "/" + name
}

// TestDiskAgainstWget makes wget mirror a server and convert the links (-k -E). absolink converts a
// mirror without converted links for the disk. Chromium reports the links of each page. If a link
// of wget leads to a file, ours leads to the same page, which is the page that the server sends.
func TestDiskAgainstWget(t *testing.T) {
	browse := browser(t)
	wget, err := exec.LookPath("wget")
	if err != nil {
		t.Skip("wget is not installed: nothing to compare with")
	}
	dir := t.TempDir()
	converted, plain, ours := filepath.Join(dir, "converted"), filepath.Join(dir, "plain"), filepath.Join(dir, "ours")
	server := httptest.NewServer(answering(siteArchive(t, "wget")))
	defer server.Close()
	adjusted(t, wget, server.URL, plain)
	adjusted(t, wget, server.URL, converted, "--convert-links")
	ran(t, "rewrite", "-q", "--root", plain+"="+server.URL+"/", "--to", "disk", "-o", ours, plain)
	pages, local, more := 0, 0, 0
	for _, file := range filesOf(t, ours) {
		if path.Ext(file) != ".html" {
			continue
		}
		pages++
		theirs, mine := ofElements(browse("file://"+converted,
			escapedPath(file))), ofElements(browse("file://"+ours, escapedPath(file)))
		if len(theirs) != len(mine) {
			t.Errorf("%s: in Chromium absolink's page has %d links and wget's %d", file, len(mine), len(theirs))
			continue
		}
		for i, l := range theirs {
			want, got := onDisk(t, converted, l), onDisk(t, ours, mine[i])
			switch {
			case want != "" && !samePage(plain, want, got) || want != "" && fragmentOf(l) != fragmentOf(mine[i]):
				t.Errorf("%s: wget's link leads to %q, absolink's to %q, by %q and %q", file, want, got, l, mine[i])
			case want != "":
				local++
			case got != "":
				more++
			case strings.Contains(mine[i], "S/"):
				t.Errorf("%s: absolink's link %q leads to no file", file, mine[i])
			}
		}
	}
	if pages < 9 || local < 25 {
		t.Errorf("%d pages with %d local links were compared, want at least 9 with 25", pages, local)
	}
	likeServer(t, browse, server.URL, siteArchive(t, "wget"), plain, ours)
	t.Logf("%d pages, %d links like wget's, %d more that lead to files", pages, local, more)
}

// redirectedFile is wget's name for the answer to /blog, which the server redirects to /blog/. The
// same page is blog/index.html, to which all links lead.
const redirectedFile = "/blog.html"

// samePage reports whether two names are the same file of a mirror, or files with the same page.
func samePage(mirror, want, got string) bool {
	a, err := os.ReadFile(filepath.Join(mirror, want))
	b, failed := os.ReadFile(filepath.Join(mirror, got))
	return want == got || err == nil && failed == nil && got != "" && path.Ext(got) == ".html" && bytes.Equal(a, b)
}

// likeServer opens each page of a from its server. The links of the page on the disk must lead to
// files with the content that the server sends, as mirrored.
func likeServer(t *testing.T, browse func(server, at string) []string,
	server string, a *txtar.Archive, mirror, out string) {
	t.Helper()
	asked := 0
	for _, page := range a.Files {
		file := mirrored(t, mirror, page.Data)
		if path.Ext(file) != ".html" {
			continue
		}
		disk := ofElements(browse("file://"+out, escapedPath(file)))
		for i, l := range ofElements(browse(server, page.Name)) {
			rest, inside := strings.CutPrefix(plainLink(l), "http://S/")
			if !inside || i >= len(disk) {
				continue
			}
			r, err := http.Get(server + "/" + strings.TrimSuffix(rest, "?")) // an empty query has no meaning
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(r.Body)
			r.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			on := onDisk(t, out, disk[i])
			asked++
			if r.StatusCode != http.StatusOK && on == "" {
				continue
			}
			if data, err := os.ReadFile(filepath.Join(mirror, on)); err != nil || !bytes.Equal(data, body) {
				t.Errorf("%s: the server answers %q with another page than %q, to which a link on the disk leads: %v",
					page.Name, l, on, err)
			}
		}
	}
	if asked < 25 {
		t.Errorf("%d links were asked for, want at least 25", asked)
	}
}

// mirrored returns the file of a mirror that holds data, preferably the index file of a directory.
// It returns an empty string if there is no such file.
func mirrored(t *testing.T, mirror string, data []byte) (found string) {
	t.Helper()
	for _, file := range filesOf(t, mirror) {
		got, err := os.ReadFile(filepath.Join(mirror, file))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(got, data) && file != redirectedFile {
			found = file
		}
	}
	return found
}

// ofElements returns the links of elements, because wget's page may lack its style sheet.
func ofElements(list []string) []string {
	return slices.DeleteFunc(list, func(l string) bool { return strings.HasPrefix(l, "url(") })
}

// adjusted makes wget mirror a site into dir, and add .html and .css to names without them. The
// exit status of wget says that some links lead nowhere.
func adjusted(t *testing.T, wget, site, dir string, more ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args := append([]string{"--no-config", "--no-proxy", "-e", "robots=off", "--no-verbose", "--mirror",
		"--page-requisites", "--adjust-extension", "--no-iri", "-nH", "-P", dir, site + "/"}, more...)
	out, err := exec.CommandContext(ctx, wget, args...).CombinedOutput()
	if ctx.Err() != nil || len(filesOf(t, dir)) < 10 {
		t.Fatalf("wget: %v\n%s", err, out)
	}
}

// answering answers requests with the files of an archive, by their names.
func answering(a *txtar.Archive) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, f := range a.Files {
			if f.Name != r.RequestURI {
				continue
			}
			if to, ok := strings.CutPrefix(string(f.Data), "301 "); ok {
				http.Redirect(w, r, strings.TrimSpace(to), http.StatusMovedPermanently)
				return
			}
			kind := "text/html; charset=utf-8"
			switch path.Ext(r.URL.Path) {
			case ".css":
				kind = "text/css"
			case ".png":
				kind = "image/png"
			}
			w.Header().Set("Content-Type", kind)
			w.Write(f.Data)
			return
		}
		http.NotFound(w, r)
	})
}
