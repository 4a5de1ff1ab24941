package input

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/unit"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/httpmsg"
)

func TestContent(t *testing.T) {
	stored := strings.NewReader("stored")
	c := Content{Stored: stored, StoredSize: 6, Size: -1}
	if c.Addressable() {
		t.Error("Addressable without At: got true")
	}
	c.useStored()
	if c.At != stored || c.Size != 6 || !c.Addressable() {
		t.Errorf("asStored: got %+v, want the stored bytes as content", c)
	}
	if got, err := io.ReadAll(c.Reader()); err != nil || string(got) != "stored" {
		t.Errorf("Reader: got %q, %v", got, err)
	}
	room := []byte("decoded and more")
	c.Coding = coding.Gzip
	c.Hold(room[:7])
	if c.Addressable() {
		t.Error("Addressable in a coding: got true")
	}
	if got, err := io.ReadAll(c.Reader()); err != nil || string(got) != "decoded" || c.Size != 7 {
		t.Errorf("Reader after Hold: got %q, %v, size %d", got, err, c.Size)
	}
	if cap(c.Data) != 7 {
		t.Errorf("Hold: Data has the capacity %d, and appending would overwrite what follows", cap(c.Data))
	}
	if got, err := io.ReadAll(c.StoredReader()); err != nil || string(got) != "stored" {
		t.Errorf("StoredReader: got %q, %v", got, err)
	}
	c.dropDecoded()
	if c.At != nil || c.Data != nil || c.Size != -1 || c.Stored != stored || c.StoredSize != 6 {
		t.Errorf("drop: got %+v, want the stored bytes alone", c)
	}
}

func TestRecordDate(t *testing.T) {
	for text, want := range map[string]string{
		"2020-01-02T03:04:05Z":      "2020-01-02T03:04:05Z",
		"2020-01-02T03:04:05.0678Z": "2020-01-02T03:04:05.0678Z",
		"2020-01-02T03:04Z":         "2020-01-02T03:04Z",
		"2020-01-02":                "2020-01-02",
		"2020-01":                   "2020-01",
		"2020":                      "2020",
		"yesterday":                 "",
		"2020-13":                   "",
	} {
		var h httpmsg.Header
		h.ParseFields([]byte("WARC-Date: "+text+"\r\n\r\n"), 0)
		if got := (&Record{Header: &h}).Date(); got != want {
			t.Errorf("Date of %q: got %q, want %q", text, got, want)
		}
	}
}

func TestLastModified(t *testing.T) {
	answer := func(fields string) document.Answer { return document.Answer{Text: []byte(fields)} }
	const monday = "Last-Modified: Mon, 06 Jan 2020 01:02:03 GMT\r\n"
	when := time.Date(2020, 1, 6, 1, 2, 3, 0, time.UTC)
	tests := []struct {
		name    string
		answers []document.Answer
		want    time.Time
	}{
		{"a file", nil, time.Time{}},
		{"one answer", []document.Answer{answer("Server: x\r\n" + monday + "\r\n")}, when},
		{"the last answer", []document.Answer{answer("\r\n"), answer(monday + "\r\n")}, when},
		{"a redirect only", []document.Answer{answer(monday + "\r\n"), answer("\r\n")}, time.Time{}},
		{"before a damaged field", []document.Answer{answer(monday + "no field\r\n\r\n")}, when},
		{"no date", []document.Answer{answer("Last-Modified: soon\r\n\r\n")}, time.Time{}},
	}
	for _, tt := range tests {
		if got := (&Retrieval{Headings: tt.answers}).LastModified(); !got.Equal(tt.want) {
			t.Errorf("LastModified of %s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A document knows the line of its first byte if no coding was undone.
func TestFirstLine(t *testing.T) {
	inner := Place{Inner: true, Line: 7}
	tests := []struct {
		name   string
		d      *Document
		line   int64
		placed bool
	}{
		{"a file", &Document{}, 1, true},
		{"a file of Apple Mail", &Document{frame: new(emlxFrame)}, 2, true},
		{"an item", &Document{Place: inner}, 7, true},
		{"a file in a coding", &Document{Content: Content{Coding: coding.Gzip}}, 0, false},
		{"an item in a coding", &Document{Content: Content{Coding: coding.Gzip}, Place: inner}, 0, false},
		{"a decoded answer", &Document{Retrieval: Retrieval{Decoded: true}}, 0, false},
	}
	for _, tt := range tests {
		if got, placed := tt.d.FirstLine(), tt.d.HasFileOffsets(); got != tt.line || placed != tt.placed {
			t.Errorf("%s: got line %d, placed %v, want %d, %v", tt.name, got, placed, tt.line, tt.placed)
		}
	}
}

func TestLabel(t *testing.T) {
	tests := []struct {
		kind   Kind
		number int
		want   string
	}{{Message, 3, " message 3"}, {HTTP, 4, " record 4"}, {Message, 0, ""}, {HTTP, 0, ""}}
	for _, tt := range tests {
		d := Document{Decision: Decision{Kind: tt.kind}, Place: Place{Number: tt.number}}
		if got := d.ItemLabel(); got != tt.want {
			t.Errorf("Label of item %d of the kind %v: got %q, want %q", tt.number, tt.kind, got, tt.want)
		}
	}
}

func TestRange(t *testing.T) {
	u := &unit.Unit{Path: "a", Ranged: true, Offset: 5, Length: 9}
	at := strings.NewReader("")
	if got := (&Document{File: File{Unit: u}, Content: Content{At: at}}).Range(); got != u {
		t.Errorf("Range: got %+v, want the unit", got)
	}
	if got := (&Document{File: File{Unit: u}}).Range(); got != nil {
		t.Errorf("Range of a container without offsets: got %+v, want nil", got)
	}
	if got := (&Document{Content: Content{At: at}}).Range(); got != nil {
		t.Errorf("Range of a file: got %+v, want nil", got)
	}
	got := (&Document{File: File{Unit: u}, Content: Content{At: at}, records: wholeRecords}).Range()
	if want := (unit.Unit{Path: "a", Ranged: true, Offset: 5, Length: 9, Item: 1}); got == nil || *got != want {
		t.Errorf("Range of whole records: got %+v, want %+v", got, want)
	}
	if u.Item != 0 {
		t.Errorf("Range has changed the unit: %+v", u)
	}
}

// DocumentSource passes on the known facts about a document. The charset of a message does not
// apply to its documents.
func TestDocumentSource(t *testing.T) {
	answers := []document.Answer{{Text: []byte("\r\n")}}
	page := &Document{Decision: Decision{Kind: HTML}, Retrieval: Retrieval{Headings: answers, Charset: "koi8-r"}}
	page.Hold([]byte("<p>"))
	s := page.DocumentSource("")
	if s.Format != extract.HTML || s.Charset != "koi8-r" || len(s.Answers) != 1 || string(s.Data) != "<p>" ||
		s.Size != 3 || s.Unplaced || s.Message || s.LinesBefore != 0 {
		t.Errorf("DocumentSource of a page: got %+v", s)
	}
	if got := page.DocumentSource("utf-8").Charset; got != "utf-8" {
		t.Errorf("DocumentSource with a charset: got %q", got)
	}
	page.Retrieval.Decoded = true
	if s := page.DocumentSource(""); !s.Unplaced {
		t.Error("DocumentSource of a decoded answer: got a place, want none")
	}
	page.File.Charset = "big5"
	if got := page.DocumentSource("utf-8").Charset; got != "big5" {
		t.Errorf("DocumentSource of a page whose client gives the charset: got %q", got)
	}
	page.Place.Inner = true
	if got := page.DocumentSource("utf-8").Charset; got != "utf-8" {
		t.Errorf("DocumentSource of a page in an archive whose client gives a charset: got %q", got)
	}
	for _, kind := range []Kind{Message, MHTML, HTTP} {
		parts := &Document{File: File{Charset: "big5"}, Decision: Decision{Kind: kind}}
		if got := parts.DocumentSource("").Charset; got != "" {
			t.Errorf("DocumentSource of %v whose client gives a charset: got %q", kind, got)
		}
	}
	mail := &Document{Decision: Decision{Kind: Message}, Retrieval: Retrieval{Charset: "koi8-r"},
		Place: Place{Inner: true, Line: 9, Origin: 80}}
	if s := mail.DocumentSource(""); !s.Message || s.Charset != "" || s.LinesBefore != 8 || s.Origin != 80 {
		t.Errorf("DocumentSource of a message: got %+v", s)
	}
	emlx := &Document{Decision: Decision{Kind: Emlx}, frame: new(emlxFrame)}
	if s := emlx.DocumentSource(""); !s.Message || s.LinesBefore != 1 {
		t.Errorf("DocumentSource of a file of Apple Mail: got %+v", s)
	}
	answer := new(httpmsg.Message)
	record := &Document{Decision: Decision{Kind: HTTP}, Response: answer, Place: Place{Inner: true, Compressed: true},
		Record: Record{Cut: true}}
	if s := record.DocumentSource(""); s.Response != answer || !s.Cut || s.Truncated || !s.Compressed || s.Message {
		t.Errorf("DocumentSource of a record: got %+v", s)
	}
	record.Record = Record{Truncated: true}
	if s := record.DocumentSource(""); s.Cut || !s.Truncated {
		t.Errorf("DocumentSource of a shortened record: got %+v", s)
	}
}

// A stream is the decoded content, whether it is stored plain, in a coding, or comes from a pipe.
func TestStream(t *testing.T) {
	var zipped bytes.Buffer
	w, err := coding.Gzip.Writer(&zipped)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "content")
	w.Close()
	plain := Content{Stored: strings.NewReader("content"), StoredSize: 7}
	plain.useStored()
	for name, d := range map[string]*Document{
		"as it is": {Content: plain},
		"in gzip": {Content: Content{Coding: coding.Gzip, Stored: bytes.NewReader(zipped.Bytes()),
			StoredSize: int64(zipped.Len())}},
		"from a pipe": {opened: opened{pipe: strings.NewReader("content")}},
	} {
		for range 2 {
			r, err := d.Stream(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if want := "content"; string(got) != want || err != nil {
				t.Errorf("Stream %s: got %q, %v, want %q", name, got, err, want)
			}
			r.Close()
			if d.Coding != coding.None && d.StoredRead() != d.StoredSize {
				t.Errorf("Taken after the stream: got %d, want %d", d.StoredRead(), d.StoredSize)
			}
			if d.opened.pipe != nil {
				break // it can be read only once
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	d := &Document{Content: plain}
	r, err := d.Stream(ended)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); !errors.Is(err, context.Canceled) {
		t.Errorf("a stream whose context has ended: got error %v", err)
	}
}

func TestChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.html")
	if err := os.WriteFile(path, []byte("<p>"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := (&Reader{Options: Options{MaxSize: 100}}).Open(t.Context(), File{Path: path, Rel: "a.html", Named: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if d.Changed() {
		t.Error("Changed before a change: got true")
	}
	later := d.Info.ModTime().Add(time.Minute)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	if !d.Changed() {
		t.Error("Changed after another time: got false")
	}
	if (&Document{}).Changed() {
		t.Error("Changed of no file: got true")
	}
}

// The reason says what decided the kind. A file that is not read always has a reason.
func TestDecide(t *testing.T) {
	const page = "<!DOCTYPE html><title>x</title>"
	manifest := func(_ context.Context, path string) bool { return path == "/site/app" }
	tests := []struct {
		name    string
		options Options
		file    File
		head    string
		want    Decision
	}{
		{"by its beginning", Options{}, File{Rel: "x"}, page, Decision{Kind: HTML}},
		{"by the user", Options{Kind: Mbox}, File{Rel: "x.html"}, page, Decision{Kind: Mbox}},
		{"by the client", Options{Given: &Given{Kind: Mbox}}, File{Rel: "x.html"}, page, Decision{Kind: Mbox}},
		{"by the user and not by the client", Options{Kind: Mbox, Given: &Given{Kind: HTML}}, File{Rel: "x"}, page,
			Decision{Kind: Mbox}},
		{"by a client that insists", Options{Kind: Mbox, Given: &Given{Kind: HTML, Typed: true}}, File{Rel: "x"}, page,
			Decision{Kind: HTML}},
		{"by a client that insists on a media type", Options{Kind: Mbox, Given: &Given{Typed: true}},
			File{Rel: "x"}, page, Decision{Kind: HTML}},
		{"in a Maildir", Options{}, File{Rel: "x.html", Maildir: "m"}, page, Decision{Kind: Message}},
		{"in a Maildir, by the user", Options{Kind: HTML}, File{Rel: "x", Maildir: "m"}, page, Decision{Kind: HTML}},
		{"in no Maildir", Options{Kind: Maildir}, File{Rel: "x.html"}, page,
			Decision{Reason: Unasked,
				Why: "not a message of a Maildir: it is not in cur or new of a directory that has both"}},
		{"in a Maildir that is asked for", Options{Kind: Maildir}, File{Rel: "x", Maildir: "m"}, page,
			Decision{Kind: Message}},
		{"misnamed", Options{}, File{Rel: "x.eml"}, page, Decision{Kind: HTML, Reason: Misnamed,
			Why: "named as message, but begins as html: read as html; --type message reads it as named"}},
		{"a script", Options{}, File{Rel: "x.js"}, "f()", Decision{Reason: Unasked,
			Why: "a script; --scripts reads the string literals in it that look like URLs"}},
		{"a script that is asked for", Options{Scripts: true}, File{Rel: "x.js"}, "f()",
			Decision{Kind: Kind(extract.Script)}},
		{"a template", Options{}, File{Rel: "x.inc"}, "{{ x }}", Decision{Reason: Template,
			Why: `cannot tell the type (it starts with "{{ x }}"); try --type html`}},
		{"a template of Mako", Options{}, File{Rel: "x.MAKO"}, "{{ x }}", Decision{Reason: Template,
			Why: `cannot tell the type (it starts with "{{ x }}"); try --type html`}},
		{"empty", Options{}, File{Rel: "x"}, "", Decision{Reason: Unknown, Why: "cannot tell the type: it is empty"}},
		{"a manifest", Options{Manifest: manifest}, File{Rel: "app", Path: "/site/app"}, `{"icons": []}`,
			Decision{Kind: Kind(extract.Manifest)}},
		{"another manifest", Options{Manifest: manifest}, File{Rel: "app", Path: "/app"}, `{"icons": []}`,
			Decision{Reason: Unknown,
				Why: `cannot tell the type (it starts with "{\"icons\": []}"); try --type manifest`}},
		{"a manifest in a WACZ", Options{Manifest: manifest}, File{Rel: "app", Path: "/site/app", Inside: "a"},
			`{"icons": []}`, Decision{Reason: Unknown,
				Why: `cannot tell the type (it starts with "{\"icons\": []}"); try --type manifest`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := (&Reader{Options: tt.options}).decide(t.Context(), &Document{File: tt.file}, []byte(tt.head))
			if got != tt.want {
				t.Errorf("decide: got %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

// A media type that a client gives for a document counts, whatever the content looks like.
func TestDecideByTypeOfClient(t *testing.T) {
	const page = "<!DOCTYPE html><title>x</title>"
	refused := func(media, kind string) Decision {
		return Decision{Reason: Unasked, Why: "given as " + media + ", but begins as " + kind + `: not read; "type":"` +
			kind + `" in the frame reads it as ` + kind}
	}
	tests := []struct {
		media, head string
		want        Decision
	}{
		{"application/pdf", page, refused("application/pdf", "html")},
		{"Application/PDF; x=y", page, refused("application/pdf", "html")},
		{"application/json", page, refused("application/json", "html")},
		{"multipart/mixed", "<rss><channel>", refused("multipart/mixed", "feed")},
		{"multipart/mixed", "From: a@b.test\nSubject: x\nDate: y\n\n", Decision{Kind: Message}},
		{"application/json", `{"version": "https://jsonfeed.org/version/1.1"`, Decision{Kind: Kind(extract.JSONFeed)}},
		{"application/octet-stream", page, Decision{Kind: HTML}},
		{"application/xhtml+xml", "x", Decision{Kind: Kind(extract.XHTML)}},
		{"", page, Decision{Kind: HTML}},
	}
	for _, tt := range tests {
		for _, typed := range []bool{true, false} {
			g := &Given{URL: "http://e.test/", Type: tt.media, Typed: typed, Framed: true}
			d := &Document{File: g.File()}
			g.open(d)
			got := (&Reader{Options: Options{Given: g}}).decide(t.Context(), d, []byte(tt.head))
			if typed && got != tt.want || !typed && got.Kind == Other {
				t.Errorf("%s, typed %v: got %+v, want %+v", tt.media, typed, got, tt.want)
			}
		}
	}
	g := &Given{URL: "http://e.test/", Type: "application/gzip", Typed: true}
	d := &Document{File: g.File(), Content: Content{Coding: coding.Gzip}}
	if got := (&Reader{Options: Options{Given: g}}).decide(t.Context(), d, []byte(page)); got.Kind != HTML {
		t.Errorf("compressed: got %+v", got)
	}
}

// A damaged coding leaves the stored bytes of a document, and no content.
func TestSpoil(t *testing.T) {
	d := &Document{Decision: Decision{Kind: HTML, Reason: Misnamed, Why: "x"}, Content: Content{StoredSize: 3}}
	d.Hold([]byte("<p>"))
	if err := d.markDamaged(io.ErrClosedPipe); err != io.ErrClosedPipe || d.Kind != HTML || d.Data == nil {
		t.Errorf("spoil by another error: got %v, %+v, want the error and no change", err, d.Decision)
	}
	stopped := &coding.Error{Coding: coding.Gzip, Err: context.Canceled}
	if err := d.markDamaged(stopped); !errors.Is(err, context.Canceled) || d.Data == nil {
		t.Errorf("spoil by the end of the run: got %v, %+v, want the error and no change", err, d.Decision)
	}
	damage := &coding.Error{Coding: coding.Gzip, Err: io.ErrUnexpectedEOF}
	if err := d.markDamaged(damage); err != nil {
		t.Errorf("spoil: got error %v", err)
	}
	if want := (Decision{Reason: Damaged, Why: damage.Error()}); d.Decision != want || d.At != nil || d.Size != -1 {
		t.Errorf("spoil: got %+v, size %d, want %+v and no content", d.Decision, d.Size, want)
	}
}
