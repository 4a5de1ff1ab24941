package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tdewolff/parse/v2"
	lexer "github.com/tdewolff/parse/v2/html"
	"golang.org/x/net/html"

	"absolink/base"
	"absolink/extract"
)

// The contenders written in Go run in this program itself.

// work is one kind of work on a page.
type work struct {
	name string
	do   func(page []byte)
}

const retrieved = "http://example.com/dir/page.html"

var (
	doc      = &extract.Doc{}
	resolver extract.Resolver
	layer    = &base.Layer{Source: base.URL, Value: retrieved}
	edits    []extract.Edit
	output   []byte
	sink     int
)

// works lists these contenders. All others are compared with the first.
var works = []work{
	{"x/net/html tokenizer", tokenize},
	{"x/net/html Parse", func(p []byte) { html.Parse(bytes.NewReader(p)) }},
	{"x/net/html Parse + Render", render},
	{"tdewolff/parse lexer", lex},
	{"bytes.IndexByte('<')", index},
	{"**absolink, extract**", func(p []byte) {
		open(p)
		for range doc.Refs() {
			sink++
		}
	}},
	{"**absolink, extract + resolve**", func(p []byte) {
		open(p)
		for range resolver.Links(doc) {
			sink++
		}
	}},
	{"**absolink, rewrite**", func(p []byte) {
		open(p)
		edits = resolver.Edits(edits[:0], doc)
		output = extract.Apply(output[:0], p, edits)
	}},
}

func open(p []byte) {
	doc.Reset()
	doc.Format, doc.Data, doc.Layer = extract.HTML, p, layer
}

// index goes from one '<' to the next: the lower limit for a scan.
func index(p []byte) {
	for i := bytes.IndexByte(p, '<'); i >= 0; i = bytes.IndexByte(p, '<') {
		p = p[i+1:]
		sink++
	}
}

func tokenize(p []byte) {
	z := html.NewTokenizer(bytes.NewReader(p))
	for z.Next() != html.ErrorToken {
		for _, more := z.TagName(); more; sink++ {
			_, _, more = z.TagAttr()
		}
	}
}

func render(p []byte) {
	if n, err := html.Parse(bytes.NewReader(p)); err == nil {
		html.Render(io.Discard, n)
	}
}

func lex(p []byte) {
	l := lexer.NewLexer(parse.NewInputBytes(p))
	for {
		switch tt, _ := l.Next(); tt {
		case lexer.ErrorToken:
			return
		case lexer.AttributeToken:
			sink += len(l.AttrVal())
		}
	}
}

// contend works through the files the given number of times.
func contend(name string, passes int, files []string) {
	var pages [][]byte
	for _, f := range files {
		p, err := os.ReadFile(f)
		if err != nil {
			fmt.Fprintln(os.Stderr, "peers:", err)
			os.Exit(1)
		}
		pages = append(pages, append(p, 0)[:len(p)]) // the lexer needs room for one more byte
	}
	for _, w := range works {
		if w.name != name {
			continue
		}
		for range passes {
			for _, p := range pages {
				w.do(p)
			}
		}
	}
}

// unpack returns the names of uncompressed files, and their total size.
func unpack(dir string, names []string) (files []string, size int64, err error) {
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err == nil && strings.HasSuffix(name, ".gz") {
			name = filepath.Join(dir, fmt.Sprintf("%d.html", i))
			data, err = gunzip(data)
			if err == nil {
				err = os.WriteFile(name, data, 0o600)
			}
		}
		if err != nil {
			return nil, 0, err
		}
		files, size = append(files, name), size+int64(len(data))
	}
	if len(files) == 0 {
		return nil, 0, fmt.Errorf("no pages: run it at the top of the repository, or name some")
	}
	return files, size, nil
}

func gunzip(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
