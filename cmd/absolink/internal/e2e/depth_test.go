package e2e

import (
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"absolink/testdata/effort"
)

// The tests of this file use the sites of hosts whose names have 1 to 30 letters. Each site has
// files in directories 0 to 9 levels deep. Each file links to all other files of its site, in
// four forms in turn.

// deepDirs is the depth of the deepest directory.
const deepDirs = 9

// deepHosts returns the lengths of the names of hosts. Their parity decides where a site moves to.
func deepHosts() []int {
	list := []int{1, 9, 30}
	if effort.Whole() {
		list = nil
		for letters := 1; letters <= 30; letters++ {
			list = append(list, letters)
		}
	}
	return list
}

// deepFiles returns the files of each site.
func deepFiles() (list []string) {
	for depth := range deepDirs + 1 {
		dir := strings.Repeat("d/", depth)
		list = append(list, dir+"page.html", dir+"sheet.css")
		if depth > 0 {
			list = append(list, "other/"+strings.Repeat("e e/", depth-1)+"x:y.html")
		}
	}
	return list
}

// deepLink returns link number n, from one file of a site to another.
func deepLink(site, from, to string, n int) string {
	switch n % 4 {
	case 0:
		return site + escapedPath(to)
	case 1:
		return "/" + escapedPath(to)
	case 2:
		return strings.TrimPrefix(site, "http:") + escapedPath(to)
	}
	rel, err := filepath.Rel(path.Dir("/"+from), "/"+to)
	if err != nil {
		panic(err)
	}
	return strings.Replace("./"+escapedPath(filepath.ToSlash(rel)), "./../", "../", 1)
}

// writeDeep writes the sites below dir, one directory each, and returns their flags --root and
// --map.
func writeDeep(t *testing.T, dir string) (roots, maps []string) {
	t.Helper()
	for _, letters := range deepHosts() {
		name := fmt.Sprint(letters)
		site := "http://" + strings.Repeat("h", letters) + "/"
		roots = append(roots, "--root", filepath.Join(dir, name)+"="+site)
		maps = append(maps, "--map", site+"="+deepPlace(letters, true))
		for i, from := range deepFiles() {
			text := "<!doctype html>"
			format := "<a href=\"%s\">x</a>\n"
			if path.Ext(from) == ".css" {
				text = ""
				format = "b { background: url(\"%s\") }\n"
			}
			for n, to := range deepFiles() {
				text += fmt.Sprintf(format, deepLink(site, from, to, i+n))
			}
			save(t, filepath.Join(dir, name, filepath.FromSlash(from)), []byte(text))
		}
	}
	return roots, maps
}

// deepPlace returns the place of a site after the run.
func deepPlace(letters int, mapped bool) string {
	switch {
	case !mapped:
		return "http://" + strings.Repeat("h", letters) + "/"
	case letters%2 == 0:
		return fmt.Sprintf("https://new.example/archive/%d/", letters)
	}
	return fmt.Sprintf("http://n%d/", letters)
}

// deepDir returns the directory of a site after the run. In place, its name is the length of the
// host. Below the directory of -o, it is the place of the site.
func deepDir(letters int, mapped, inPlace bool) string {
	if inPlace {
		return fmt.Sprint(letters)
	}
	_, dir, _ := strings.Cut(deepPlace(letters, mapped), "//")
	return filepath.FromSlash(dir)
}

// deepWritten matches a link of the files.
var deepWritten = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"([^"]*)"`)
})

// TestDepths rewrites the sites in every form, with and without --map, into a directory and in
// place. Each link to a file must have the requested form and lead to that file.
func TestDepths(t *testing.T) {
	for _, form := range []string{"absolute", "root-relative", "relative", "disk"} {
		for _, mapped := range []bool{false, true} {
			for _, inPlace := range []bool{false, true} {
				if mapped != inPlace && !effort.Whole() {
					continue
				}
				t.Run(fmt.Sprintf("%s map=%v in-place=%v", form, mapped, inPlace), func(t *testing.T) {
					old := filepath.Join(quickDir(t), "old")
					out := old
					args := []string{"rewrite", "-q", "--to", form}
					roots, maps := writeDeep(t, old)
					args = append(args, roots...)
					if mapped {
						args = append(args, maps...)
					}
					if inPlace {
						args = append(args, "--in-place", old)
					} else {
						out = filepath.Join(quickDir(t), "out")
						args = append(args, "-o", out, old)
					}
					ran(t, args...)
					if form == "disk" && !inPlace && !mapped {
						again := filepath.Join(quickDir(t), "again")
						args := []string{"rewrite", "-q", "--to", form}
						for _, letters := range deepHosts() {
							args = append(args, "--root",
								filepath.Join(out, deepDir(letters, false, false))+"="+deepPlace(letters, false))
						}
						ran(t, append(args, "-o", again, out)...)
						out = again // a second run must change nothing
					}
					for _, letters := range deepHosts() {
						for _, from := range deepFiles() {
							checkDeep(t, filepath.Join(out, deepDir(letters, mapped, inPlace)),
								from, form, deepPlace(letters, mapped))
						}
					}
				})
			}
		}
	}
}

// checkDeep checks the links of a file of a site. The file is below dir, and at place after the
// run.
func checkDeep(t *testing.T, dir, from, form, place string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(from)))
	if err != nil {
		t.Fatal(err)
	}
	links := deepWritten().FindAllStringSubmatch(string(data), -1)
	want := deepFiles()
	if len(links) != len(want) {
		t.Fatalf("%s: has %d links, want %d", from, len(links), len(want))
	}
	base, err := url.Parse(place + escapedPath(from))
	if form == "disk" {
		base, err = url.Parse("file:///" + escapedPath(from))
		place = "file:///"
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range links {
		u, err := url.Parse(l[1])
		if err != nil {
			t.Fatal(err)
		}
		rooted := strings.HasPrefix(u.Path, "/")
		ok := u.Scheme == "" && u.Host == "" && !rooted && l[1] != ""
		switch form {
		case "absolute":
			ok = u.Scheme != "" && u.Host != ""
		case "root-relative":
			ok = u.Scheme == "" && u.Host == "" && rooted
		}
		if !ok {
			t.Errorf("%s: a link to %q is %q, want it %s", from, want[i], l[1], form)
		}
		if at := base.ResolveReference(u).String(); at != place+escapedPath(want[i]) {
			t.Errorf("%s: a link to %q is %q, which leads to %s, want %s",
				from, want[i], l[1], at, place+escapedPath(want[i]))
		}
	}
}
