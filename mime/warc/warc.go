// Package warc reads web archives (WARC 1.0 and 1.1, ISO 28500), one record at a time. An archive
// may be plain, consist of gzip members or of both mixed, be one gzip stream, or use zstd with or
// without a dictionary. Records that hold documents give access to them. The package writes
// nothing.
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
// The segments of a record, which may be in several files, are not joined. The first segment is a
// document that ends with the segment; the other segments are not documents. Each segment has a
// Defect.
//
// Damaged input is not an error: reading continues at the next record, and a [mime.Defect] tells
// the fault and its offset. Every byte of the container belongs to one record: bytes between two
// records belong to the first of them.
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

// Options say which part of an archive is read. The zero value reads all of it.
type Options struct {
	// Start and End bound the records by offset: a Reader returns the records whose Offset is in
	// [Start, End), each of them whole. Readers of adjacent ranges together return the same records
	// as one Reader of the whole archive, except for Number and Line. End 0 is the end of the file.
	// From a file only the needed bytes are read. A pipe is read from its start.
	Start, End int64

	// Number is the number of the record at offset Start, and Line is the number of its first line.
	// The caller knows them from a Reader of the whole archive. 0 means unknown.
	Number int
	Line   int64

	// Exact says that Start is the Offset of a record, whose number may be unknown. It also says
	// where the last record of a compressed file ends: with the member that ends at End, or after
	// it. The Reader then reads no byte after that member, not even to see whether the next member
	// begins with a record.
	Exact bool

	// Members says that the archive begins with a gzip member. A plain record at Start is then a
	// record among members. Without Members it counts as a record of a plain archive.
	Members bool

	// Guess takes the first member or frame in [Start, End) that begins with a record as the first
	// record of the range. [Reader.Stands] reports whether reading was complete. A Reader gives up
	// its guess if 4 MiB after Start, or for one record, are not enough. It gives up at once in a
	// pipe and in a plain archive.
	Guess bool

	// Index may be shared by Readers of ranges of one file, so that they find their first records
	// sooner. It may be nil.
	Index *Index

	// Limit is the largest block that is kept in memory, in bytes. A larger block is skipped and
	// reported. 0 means 64 MiB.
	Limit int
}

// Record is one record. It is read-only and stays valid until Release, so workers may use several
// at a time.
type Record struct {
	Number int // from 1; 0 for the bytes before the first record

	// Offset and End bound the record in the container, with the bytes between it and the next
	// record. In a compressed container they are the offsets of the members in which this record
	// and the next one begin.
	Offset, End int64
	Line        int64 // line of its first byte in a plain file, from 1; 0 if unknown

	Version    string // "1.1", or the text in the version line
	Type       string // WARC-Type in lower case, such as "response", or empty
	TargetURI  string // WARC-Target-URI without angle brackets, or empty
	Compressed bool   // the bytes of Data are not in the container

	httpmsg.Header              // offsets are in Data
	Data           []byte       // version line, header and block; in a plain file from Offset on
	Block          extract.Span // in Data
	Skipped        int64        // bytes of a block above the limit, which Data does not hold
	Defects        []mime.Defect

	segment bool    // it continues another record
	memory  *memory // the memory of Data and the fields; nil if the record has its own
}

// Document reports whether the record holds a document and its block is not larger than
// Options.Limit. Responses, resources and conversions hold documents, except their later segments.
// A revisit holds the heading of a response. A metadata record of Heritrix holds the links of a
// page.
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

// Shortened reports whether the writer of the record left out the end of the block because it was
// too long: WARC-Truncated is length (WARC 1.1 Section 5.13).
func (r *Record) Shortened() bool {
	why, n := r.Get("WARC-Truncated")
	return n > 0 && strings.EqualFold(strings.TrimSpace(why), "length")
}

// block returns the bytes of the block.
func (r *Record) block() []byte { return r.Data[r.Block.Start:r.Block.End] }

// fieldsType is the media type of a block of fields. anvlType is its name in drafts of WARC 1.0,
// which early writers of metadata use.
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

// Message returns the response in the block of the record, or nil if the record holds no document.
// In a resource, a conversion, and a record that was not fetched by HTTP, the block is the body.
// Its media type is then the Content-Type of the record. Offsets in the message count from
// r.Block.Start. [Record.Source] turns them into offsets in the container.
func (r *Record) Message(o httpmsg.Options) *httpmsg.Message {
	m := new(httpmsg.Message)
	if !r.Fill(m, o) {
		return nil
	}
	return m
}

// Fill is [Record.Message] into m, reusing its memory. It reports whether the record holds a
// document; if not, it does not change m.
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
		m.DropContent() // another record holds the body
	}
	return true
}

// http reports whether the block is a message with its heading. Some tools store pages as resources
// of type application/http; these count too.
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

// Layer returns the base layers of the document: WARC-Target-URI, which is the retrieval URI, with
// outer around it. outer may be nil. If the record has no WARC-Target-URI, Layer returns outer.
func (r *Record) Layer(outer *base.Layer) *base.Layer {
	if r.TargetURI == "" {
		return outer
	}
	return &base.Layer{Source: base.WARCTarget, Value: r.TargetURI, Outer: outer}
}

// Source returns the span of the container for a span of the block. It returns false in a
// compressed container.
func (r *Record) Source(s extract.Span) (mime.Span, bool) {
	at := r.Offset + int64(r.Block.Start)
	return mime.Span{Start: at + int64(s.Start), End: at + int64(s.End)}, !r.Compressed
}

// Release gives back the memory of the record, which must not be used afterwards.
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

// maxHeader is the size of a header up to which the memory of its fields is kept for later records.
const maxHeader = 64 << 10

// memory holds the bytes of a small record, and its fields.
type memory struct {
	data   []byte
	large  []byte         // the buffer that holds a large record
	header httpmsg.Header // its fields are memory for the fields of the next record
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// hold copies b, of at most minWindow bytes, into the memory.
func (m *memory) hold(b []byte) []byte {
	if cap(m.data) < len(b) {
		m.data = make([]byte, 0, min(minWindow, max(2*len(b), 4<<10)))
	}
	m.data = append(m.data[:0], b...)
	return m.data
}
