package mime

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"testing"

	message "github.com/emersion/go-message"
	"golang.org/x/net/html"

	"absolink/base"
	"absolink/extract"
	"absolink/testdata/corpus"
)

// For comparison, these functions do the work of this package with go-message and x/net/html: they
// walk a message and decode its leaves, or make its links absolute and write it.

// peerRewrite reads a message, resolves the links of its HTML and writes it to out.
func peerRewrite(out io.Writer, msg []byte, at *url.URL) error {
	e, err := message.Read(bytes.NewReader(msg))
	if err != nil && !message.IsUnknownCharset(err) {
		return err
	}
	if e, err = peerEntity(e, at); err != nil {
		return err
	}
	return e.WriteTo(out)
}

// peerEntity returns an entity with its links made absolute.
func peerEntity(e *message.Entity, at *url.URL) (*message.Entity, error) {
	if r := e.MultipartReader(); r != nil {
		var parts []*message.Entity
		for {
			p, err := r.NextPart()
			if err == io.EOF {
				return message.NewMultipart(e.Header, parts)
			}
			if err != nil && !message.IsUnknownCharset(err) {
				return nil, err
			}
			if p, err = peerEntity(p, at); err != nil {
				return nil, err
			}
			parts = append(parts, p)
		}
	}
	body, err := io.ReadAll(e.Body)
	if err != nil {
		return nil, err
	}
	if kind, _, _ := e.Header.ContentType(); kind == "text/html" {
		if body, err = peerPage(body, at); err != nil {
			return nil, err
		}
	}
	return &message.Entity{Header: e.Header, Body: bytes.NewReader(body)}, nil
}

func peerPage(page []byte, at *url.URL) ([]byte, error) {
	tree, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return nil, err
	}
	for n := range tree.Descendants() {
		for i, a := range n.Attr {
			if a.Key == "href" || a.Key == "src" || a.Key == "background" || a.Key == "action" {
				if ref, err := url.Parse(a.Val); err == nil {
					n.Attr[i].Val = at.ResolveReference(ref).String()
				}
			}
		}
	}
	var out bytes.Buffer
	err = html.Render(&out, tree)
	return out.Bytes(), err
}

// BenchmarkMail runs the comparison with the messages of the corpus that both can read and write.
// Both do the same work: all leaves are decoded, and those in HTML are rewritten.
func BenchmarkMail(b *testing.B) {
	at := &url.URL{Scheme: "http", Host: "example.test", Path: "/dir/page.html"}
	outer := &base.Layer{Source: base.Option, Value: at.String()}
	var msgs [][]byte
	size := 0
	messages(b, func(_ string, msg []byte) {
		m := benchParseAny(b, msg)
		msg = msg[m.Root.Head.Start:]
		if len(m.Defects) == 0 && peerWrites(msg, at) {
			msgs, size = append(msgs, msg), size+len(msg)
		}
	})
	if least := corpus.Least(1000, 20); len(msgs) < least {
		b.Fatalf("%d messages, want at least %d", len(msgs), least)
	}
	for _, c := range []struct {
		name string
		run  func(msg []byte) error
	}{
		{"extract", func(msg []byte) error { extractMail(b, msg, outer); return nil }},
		{"extract peer", func(msg []byte) error { _, err := peer(msg); return err }},
		{"rewrite", func(msg []byte) error { return rewriteMail(b, msg, outer) }},
		{"rewrite peer", func(msg []byte) error { return peerRewrite(io.Discard, msg, at) }},
	} {
		b.Run(fmt.Sprintf("%s of %d messages", c.name, len(msgs)), func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, msg := range msgs {
					if err := c.run(msg); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// peerWrites reports whether the peer can write a message. On some messages it panics.
func peerWrites(msg []byte, at *url.URL) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	_, err := peer(msg)
	return err == nil && peerRewrite(io.Discard, msg, at) == nil
}

func benchParseAny(b *testing.B, msg []byte) *Message {
	m, err := Parse(bytes.NewReader(msg), int64(len(msg)), Limits{})
	if err != nil {
		b.Fatal(err)
	}
	return m
}

func extractMail(b *testing.B, msg []byte, outer *base.Layer) {
	m := benchParseAny(b, msg)
	names := m.InMessage(nil, outer)
	for e := range m.Root.All() {
		if !e.HTML() || len(e.Parts) > 0 {
			continue
		}
		if l, err := e.Leaf(); err == nil {
			benchResolver.InMessage = names(e)
			l.Fill(&benchDoc, outer)
			for range benchResolver.Links(&benchDoc) {
			}
		}
	}
}

func rewriteMail(b *testing.B, msg []byte, outer *base.Layer) error {
	m := benchParseAny(b, msg)
	c, names := m.Change(), m.InMessage(nil, outer)
	for e := range m.Root.All() {
		if !e.HTML() || len(e.Parts) > 0 {
			continue
		}
		if l, err := e.Leaf(); err == nil {
			benchResolver.InMessage = names(e)
			l.Fill(&benchDoc, outer)
			_ = c.Edit(l, benchResolver.Edits(nil, &benchDoc)) // a leaf may be signed
		}
	}
	edits, err := c.Edits()
	if err != nil {
		return err
	}
	return Write(io.Discard, bytes.NewReader(msg), int64(len(msg)), edits)
}

// Memory that a worker keeps from one message to the next.
var (
	benchDoc      extract.Doc
	benchResolver extract.Resolver
)
