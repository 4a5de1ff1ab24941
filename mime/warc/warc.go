// Package warc reads web archives (WARC 1.0 and 1.1, ISO 28500), one record at a time: plain,
// gzip members, both mixed, one gzip stream over all, zstd with and without a dictionary. Records
// that hold documents give access to them; nothing is written.
//
//	r := warc.NewReader(file, warc.Options{})
//	for rec, err := range r.All() {
//		if err != nil {
//			return err
//		}
//		if msg := rec.Message(httpmsg.Options{}); msg != nil {
//			body, err := msg.Body()
//			if err == nil {
//				doc := body.Doc(rec.Layer(nil))
//				…
//			}
//		}
//		rec.Release()
//	}
//
// The segments of a record, which may lie in several files, are not joined. The first one is a
// document that ends where the segment ends, the others are none. Each has a Defect.
//
// Damaged input is not an error: reading goes on at the next record that can be found, and a
// Defect tells what is wrong and where. Every byte of the container belongs to one record: bytes
// between two records belong to the first of them.
package warc

import (
	"bytes"
	"strings"
	"sync"

	"absolink/base"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/httpmsg"
)

// Options say what of an archive is read. The zero value reads all of it.
type Options struct {
	// Start and End bound the offsets at which records begin: a Reader gives the
	// records whose Offset lies in [Start, End), each of them whole. Ranges that lie
	// next to each other together give what one Reader of the whole gives, but for
	// Number and Line. End 0 is the end of the file. Of a file only what is needed
	// is read; a pipe is read from its start.
	Start, End int64

	// Number says that Start is the Offset of the record of this number, and Line
	// that of its first line, as Reader of the whole has found them; 0 = unknown.
	Number int
	Line   int64

	// Exact says that Start is the Offset of a record, whose number need not be known, and that
	// the last record of a compressed file ends with the member that ends at End or goes on
	// there: the Reader looks at nothing behind that member, not even to see whether it begins a
	// record.
	Exact bool

	// Members says that the archive begins with a gzip member. A plain record at Start then stands
	// among members; else it is taken for one of a plain archive.
	Members bool

	// Guess takes the first member or frame in [Start, End) that begins a record for the first
	// record there. [Reader.Stands] says whether reading has come to its end: it is given up
	// where 4 MiB behind Start, or for one record, are not enough, and in a pipe and a
	// plain archive.
	Guess bool

	// Index, if not nil, is shared by Readers of ranges of one file, so that they find their
	// starts sooner.
	Index *Index

	// Limit is the largest block that is kept in memory, in bytes. A larger block is skipped and
	// reported. 0 = 64 MiB.
	Limit int
}

// Record is one record. It stays valid until Release, so that workers may have
// several at a time, and is read-only.
type Record struct {
	Number int // from 1; 0 for what stands before the first record

	// Offset and End bound the record in the container, with what stands between it
	// and the next one. In a compressed container they are those of the members in
	// which it and the next record begin.
	Offset, End int64
	Line        int64 // line of its first byte in a plain file, from 1; 0 = unknown

	Version    string // "1.1", or what stands there
	Type       string // WARC-Type in lower case: "response"; "" if none is given
	TargetURI  string // WARC-Target-URI without angle brackets, "" if none is given
	Compressed bool   // the bytes of Data do not stand in the container

	httpmsg.Header              // offsets are in Data
	Data           []byte       // version line, header and block; in a plain file from Offset on
	Block          extract.Span // in Data
	Skipped        int64        // bytes of a block above the limit, which Data does not hold
	Defects        []mime.Defect

	segment bool    // it goes on with another record
	memory  *memory // what Data and the fields lie in; nil if the record has its own
}

// Document reports whether the record holds a document: it is a response, a resource or a
// conversion, not a later segment of one, and its block is not larger than Options.Limit. A revisit
// holds the heading of a response, and a metadata record of Heritrix the links of a page.
func (r *Record) Document() bool {
	if r.Skipped > 0 || r.segment {
		return false
	}
	switch r.Type {
	case "response", "resource", "conversion":
		return true
	case "revisit":
		media, _ := r.GetBytes("Content-Type")
		return r.http(string(media), r.block())
	case "metadata":
		return r.hasOutlinks()
	}
	return false
}

// Shortened reports whether who wrote the record left out the end of the block because it was too
// long: WARC-Truncated is length (WARC 1.1, 5.13).
func (r *Record) Shortened() bool {
	why, n := r.Get("WARC-Truncated")
	return n > 0 && strings.EqualFold(strings.TrimSpace(why), "length")
}

// block returns the bytes of the block.
func (r *Record) block() []byte { return r.Data[r.Block.Start:r.Block.End] }

// fieldsType is the media type of a block of fields, and anvlType that of drafts of WARC 1.0, which
// early writers of metadata use.
const (
	fieldsType = "application/warc-fields"
	anvlType   = "text/anvl"
)

// hasOutlinks reports whether the block holds fields, and among them links that Heritrix found.
func (r *Record) hasOutlinks() bool {
	media, _ := r.Get("Content-Type")
	media, _, _ = strings.Cut(media, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return (media == fieldsType || media == anvlType) && bytes.Contains(bytes.ToLower(r.block()), []byte("outlink"))
}

// Message returns the response in the block of the record, nil if the record holds no document.
// In a resource, a conversion, and anything that was not fetched by HTTP, the block is the body;
// its media type is the Content-Type of the record. Offsets in the message count from
// r.Block.Start; r.Source turns them into offsets in the container.
func (r *Record) Message(o httpmsg.Options) *httpmsg.Message {
	m := new(httpmsg.Message)
	if !r.Fill(m, o) {
		return nil
	}
	return m
}

// Fill is [Record.Message] into m, reusing its memory. It reports whether the record holds a
// document; if not, m is not modified.
func (r *Record) Fill(m *httpmsg.Message, o httpmsg.Options) bool {
	if !r.Document() {
		return false
	}
	block := r.block()
	media, _ := r.Get("Content-Type")
	switch {
	case r.Type == "metadata":
		m.ResetBare(block, fieldsType, o)
	case !r.http(media, block):
		m.ResetBare(block, media, o)
	default:
		m.Reset(block, o)
	}
	if r.Type == "revisit" {
		m.DropContent() // the body is that of another record
	}
	return true
}

// http reports whether the block is a message with its heading. Resources that
// claim to be one are pages that a tool wrote so.
func (r *Record) http(media string, block []byte) bool {
	kind, _, _ := strings.Cut(media, ";")
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "application/http":
		return true
	case "", "application/http-response":
		if r.Type == "response" {
			return true
		}
	}
	return (r.Type == "response" || r.Type == "revisit") && bytes.HasPrefix(block, []byte("HTTP/"))
}

// Layer returns the base layers of the document: WARC-Target-URI, which is the retrieval URI,
// with outer around it. outer may be nil. A record without WARC-Target-URI gives outer itself.
func (r *Record) Layer(outer *base.Layer) *base.Layer {
	if r.TargetURI == "" {
		return outer
	}
	return &base.Layer{Source: base.WARCTarget, Value: r.TargetURI, Outer: outer}
}

// Source returns the span of the container in which a span of the block stands.
// It is false in a compressed container.
func (r *Record) Source(s extract.Span) (mime.Span, bool) {
	at := r.Offset + int64(r.Block.Start)
	return mime.Span{Start: at + int64(s.Start), End: at + int64(s.End)}, !r.Compressed
}

// Release gives back the memory of the record, which must not be used after it.
func (r *Record) Release() {
	if m := r.memory; m != nil {
		if r.Block.Start > maxHeader {
			m.header = httpmsg.Header{}
		}
		r.memory, r.Data, r.Header = nil, nil, httpmsg.Header{}
		release(m.large)
		m.large = nil
		memories.Put(m)
	}
}

// maxHeader bounds what is kept from record to record: room for the fields of so many bytes.
const maxHeader = 64 << 10

// memory is what the bytes of a small record and its fields lie in.
type memory struct {
	data   []byte
	large  []byte         // a buffer, in which a large record lies
	header httpmsg.Header // whose fields are room for those of the next record
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// hold puts a copy of b, of at most minWindow bytes, into the memory.
func (m *memory) hold(b []byte) []byte {
	if cap(m.data) < len(b) {
		m.data = make([]byte, 0, min(minWindow, max(2*len(b), 4<<10)))
	}
	m.data = append(m.data[:0], b...)
	return m.data
}
