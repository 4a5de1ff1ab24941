package mime

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	message "github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset"

	"absolink/base"
	"absolink/extract"
	"absolink/testdata/corpus"
)

// peer reads a message with go-message and returns its decoded leaves. The transfer encoding is
// decoded, the charset is kept. It returns an error if go-message cannot read the whole message.
func peer(msg []byte) (leaves [][]byte, err error) {
	e, err := message.Read(bytes.NewReader(msg))
	if err != nil && !message.IsUnknownCharset(err) {
		return nil, err
	}
	return peerLeaves(nil, e)
}

func peerLeaves(leaves [][]byte, e *message.Entity) ([][]byte, error) {
	kind, _, _ := e.Header.ContentType()
	if r := e.MultipartReader(); r != nil {
		for {
			p, err := r.NextPart()
			if err == io.EOF {
				return leaves, nil
			}
			if err != nil && !message.IsUnknownCharset(err) {
				return nil, err
			}
			if leaves, err = peerLeaves(leaves, p); err != nil {
				return nil, err
			}
		}
	}
	body, err := io.ReadAll(e.Body)
	if err != nil {
		return nil, err
	}
	if kind == "message/rfc822" {
		inner, err := peer(body)
		return append(leaves, inner...), err
	}
	return append(leaves, body), nil
}

// peerOther lists the project's own messages that go-message splits into other parts.
var peerOther = map[string]string{
	"mail/cr.eml":          "its lines end with CR alone",
	"mail/hz.eml":          "it is in a charset that go-message decodes",
	"mail/rfc2110-9.2.eml": "RFC 2110 writes start=foo3*foo1@bar.net without quotes: no type to go-message",
	"mail/rfc2110-9.3.eml": "the same",
	"mail/rfc2110-9.4.eml": "the same",
}

// TestLeafCorpus compares leaves with go-message in every message that go-message reads without an
// error. go-message decodes charsets, so text that is not ASCII counts only if it declares UTF-8.
func TestLeafCorpus(t *testing.T) {
	all, read, leaves := 0, 0, 0
	messages(t, func(name string, msg []byte) {
		all++
		m, err := Parse(bytes.NewReader(msg), int64(len(msg)), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := peer(msg[m.Root.Head.Start:])
		if crlf := bytes.Count(msg, []byte("\r\n")); err != nil ||
			len(m.Defects) > 0 || crlf > 0 && crlf < bytes.Count(msg, []byte("\n")) {
			return // go-message misses boundaries after the other kind of line end
		}
		read++
		var got []*Entity
		for e := range m.Root.All() {
			if len(e.Parts) == 0 && (!strings.HasPrefix(e.mediaType, "multipart/") || e.whyNotEntered != "") {
				got = append(got, e)
			}
			if e.mediaType == "multipart/digest" || e.mediaType == "message/rfc822" && !e.holdsMessage() {
				return // go-message lacks the default type there, and decodes encoded messages
			}
		}
		if peerOther[name] != "" {
			return
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d leaves, go-message finds %d", name, len(got), len(want))
			return
		}
		for i, e := range got {
			leaves += comparePeer(t, name, e, want[i])
		}
	})
	t.Logf("%d of %d messages read by go-message too, %d leaves equal", read, all, leaves)
	if leastRead, leastLeaves := corpus.Least(1500, 25), corpus.Least(2200, 40); read < leastRead ||
		leaves < leastLeaves {
		t.Errorf("%d messages with %d leaves compared, want at least %d with %d", read, leaves, leastRead, leastLeaves)
	}
}

func comparePeer(t *testing.T, name string, e *Entity, want []byte) int {
	l, err := e.Leaf()
	if err != nil || l.Problem != "" || l.Mislabelled != "" {
		return 0 // go-message also decodes text that was never encoded
	}
	charset := strings.ToLower(e.Param("charset"))
	if strings.HasPrefix(e.mediaType, "text/") && charset != "" && charset != "utf-8" && !isASCII(l.Data) ||
		strings.HasPrefix(charset, "iso-2022") {
		return 0
	}
	if !bytes.Equal(l.Data, want) {
		t.Errorf("%s part %s: leaf\n%.200q\ngo-message decodes\n%.200q", name, e.Section, l.Data, want)
	}
	return 1
}

// TestRewriteCorpus makes the links of real messages absolute under a base. The output has the same
// links as the input, and a second rewriting changes nothing.
func TestRewriteCorpus(t *testing.T) {
	outer := &base.Layer{Source: base.Option, Value: "http://example.test/dir/page.html"}
	edited, kept := 0, map[string]int{}
	messages(t, func(name string, msg []byte) {
		out, reasons := madeAbsolute(t, name, msg, outer)
		for part, reason := range reasons {
			t.Logf("%s part %s: %s", name, part, reason)
			kept[reason]++
		}
		if bytes.Equal(out, msg) {
			return
		}
		edited++
		was, is := linksUnder(t, msg, outer), linksUnder(t, out, outer)
		for i, r := range was {
			if r.status == extract.Resolved && !r.listOnly && reasons[r.part] == "" {
				was[i].status, was[i].value = extract.AbsoluteRef, ""
			}
			was[i].value = ""
		}
		for i := range is {
			is[i].value = ""
		}
		if !slices.Equal(was, is) {
			t.Errorf("%s: links after rewriting\n%v\nwant\n%v", name, is, was)
		}
		if again, _ := madeAbsolute(t, name, out, outer); !bytes.Equal(again, out) {
			t.Errorf("%s: rewriting twice changes more", name)
		}
	})
	t.Logf("%d messages rewritten; leaves kept: %v", edited, kept)
	if least := corpus.Least(35, 20); edited < least {
		t.Errorf("%d messages rewritten, want at least %d; leaves kept: %v", edited, least, kept)
	}
}

func linksUnder(t *testing.T, msg []byte, outer *base.Layer) (rows []row) {
	m, err := Parse(bytes.NewReader(msg), int64(len(msg)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	names := m.InMessage(nil, outer)
	for e := range m.Root.All() {
		if l, err := e.Leaf(); err == nil && e.HTML() {
			r := extract.Resolver{InMessage: names(e)}
			for link := range r.Links(l.Doc(outer)) {
				rows = append(rows, row{e.Section, string(link.Value), string(link.URI), link.Status, link.ListOnly})
			}
		}
	}
	return rows
}

func madeAbsolute(t *testing.T, name string, msg []byte, outer *base.Layer) (out []byte, kept map[string]string) {
	m, err := Parse(bytes.NewReader(msg), int64(len(msg)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c, names := m.Change(), m.InMessage(nil, outer)
	kept = map[string]string{}
	for e := range m.Root.All() {
		l, err := e.Leaf()
		if err != nil || !e.HTML() {
			continue
		}
		r := extract.Resolver{InMessage: names(e)}
		if err := c.Edit(l, r.Edits(nil, l.Doc(outer))); err != nil {
			kept[e.Section] = err.(*Defect).Text
		}
	}
	edits, err := c.Edits()
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return []byte(applied(t, string(msg), edits)), kept
}
