package e2e

import (
	"bufio"
	"bytes"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// Two comparison programs do what a Go program would do with x/net/html: they go through a tree,
// parse each page, resolve the references of the commonest elements with net/url, and print them.
// One uses goquery on the tree of the page, as crawlers written in Go do. The other uses only the
// tokens, which is the fastest way.

// linkAttributes lists the references that both look for.
var linkAttributes = map[string]string{
	"a": "href", "area": "href", "link": "href", "base": "href",
	"img": "src", "script": "src", "iframe": "src", "frame": "src",
	"embed": "src", "source": "src", "video": "src", "audio": "src",
	"track": "src", "input": "src", "form": "action", "object": "data",
	"blockquote": "cite", "q": "cite", "ins": "cite", "del": "cite",
}

// peerTree calls f for the pages below a folder, the second argument. The first argument is the
// number of goroutines. They write in any order.
func peerTree(f func(page []byte, at *url.URL, print func(string))) {
	jobs, _ := strconv.Atoi(os.Args[1])
	runtime.GOMAXPROCS(max(jobs, 1))
	names := make(chan string, 100)
	var out sync.Mutex
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			w := bufio.NewWriterSize(lockedWriter{&out, os.Stdout}, 64<<10)
			defer w.Flush()
			for name := range names {
				page, _ := os.ReadFile(name)
				f(page, &url.URL{Scheme: "http", Host: "example.test", Path: "/" + name}, func(link string) {
					w.WriteString(link)
					w.WriteByte('\n')
				})
			}
		})
	}
	filepath.WalkDir(os.Args[2], func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names <- path
		}
		return err
	})
	close(names)
	workers.Wait()
}

type lockedWriter struct {
	mu *sync.Mutex
	f  *os.File
}

func (l lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.f.Write(p)
}

// linkMatcher matches the elements and attributes of linkAttributes.
var linkMatcher = sync.OnceValue(func() goquery.Matcher {
	var list []string
	for element, attribute := range linkAttributes {
		list = append(list, element+"["+attribute+"]")
	}
	return cascadia.MustCompile(strings.Join(list, ","))
})

func goqueryLinks(page []byte, at *url.URL, print func(string)) {
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(page))
	if err != nil {
		return
	}
	if href, ok := doc.Find("base[href]").Attr("href"); ok {
		at = parsed(at, href)
	}
	doc.FindMatcher(linkMatcher()).Each(func(_ int, s *goquery.Selection) {
		value, _ := s.Attr(linkAttributes[goquery.NodeName(s)])
		if u, err := at.Parse(strings.TrimSpace(value)); err == nil {
			print(u.String())
		}
	})
}

// parsed returns at with a reference resolved against it, or at itself if the reference is invalid.
func parsed(at *url.URL, ref string) *url.URL {
	if u, err := at.Parse(strings.TrimSpace(ref)); err == nil {
		return u
	}
	return at
}

func tokenizerLinks(page []byte, at *url.URL, print func(string)) {
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			attribute := linkAttributes[string(name)]
			isBase := string(name) == "base"
			for more && attribute != "" {
				var key, value []byte
				key, value, more = z.TagAttr()
				if string(key) != attribute {
					continue
				}
				u, err := at.Parse(string(bytes.TrimSpace(value)))
				if err != nil {
					continue
				}
				print(u.String())
				if isBase {
					at = u
				}
			}
		}
	}
}
