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
// [Options] bound the records to a range of the file, and may have several goroutines read ahead.
//
// The segments of a record, which may be in several files, are not joined. The first segment is a
// document that ends with the segment; the other segments are not documents. Each segment has a
// Defect.
//
// Damaged input is not an error: reading continues at the next record, and a [mime.Defect] tells
// the fault and its offset. Every byte of the container belongs to one record: bytes between two
// records belong to the first of them.
//
// Files in reading order: warc.go, raw.go, zstd.go, buffer.go, source.go (members), marks.go,
// window.go, block.go (where a record ends), mixed.go (plain records among members), sync.go (where
// a range begins), guess.go, prefetch.go, large.go, reader.go, divisible.go.
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

	// Aligned says that Start is the Offset of a record. The Reader then reads nothing before it.
	Aligned bool

	// Exact says that Start is the Offset of a record, as Aligned does. It also says where the last
	// record of a compressed file ends: with the member that ends at End, or after it. The indexes
	// of archives give such ranges. The Reader then reads no byte after that member, not even to
	// see whether the next member begins with a record.
	Exact bool

	// Known is the Offset of a record at or before Start, such as a [Reader.Behind] of another
	// range. The Reader searches the first record of its range from there if it cannot find it
	// otherwise. 0 means that none is known.
	Known int64

	// Ahead is the number of goroutines that read ahead in a file of gzip members, if it is read as
	// a whole. The records are the same, and come in the same order. The Reader holds at most 8 MiB
	// of records for each goroutine. With 0 or 1 it uses none. The file must allow several ReadAt
	// at once. A caller who does not read to the end must call [Reader.Stop].
	Ahead int

	// Limit is the largest block that is kept in memory, in bytes. A larger block is skipped and
	// reported. 0 means 64 MiB.
	Limit int
}

// Record is one record. It is read-only and stays valid until Release, so workers may use several
// at a time.
type Record struct {
	Number int // from 1 in the range; 0 for the bytes before the first record

	// Offset and End bound the record in the container, with the bytes between it and the next
	// record. In a compressed container they are the offsets of the members in which this record
	// and the next one begin.
	Offset, End int64
	// Line is the line of its first byte in a plain file. It counts from 1 at the start of the
	// file, or at an Aligned Start. 0 means unknown.
	Line int64

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
// r.Block.Start. [Record.Source] turns them into offsets in the container. The message belongs to
// the record: it is valid until Release or the next call.
func (r *Record) Message(o httpmsg.Options) *httpmsg.Message {
	if !r.Document() {
		return nil
	}
	m := &r.memory.message
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
	return m
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
		if m.large != nil {
			m.message = httpmsg.Message{} // may hold as much
			release(m.large)
			m.large = nil
		}
		memories.Put(m)
	}
}

// maxHeader is the size of a header up to which the memory of its fields is kept for later records.
const maxHeader = 64 << 10

// memory holds the bytes of a small record, its fields, and the message in it.
type memory struct {
	data    []byte
	large   []byte         // the buffer that holds a large record
	header  httpmsg.Header // its fields are memory for the fields of the next record
	message httpmsg.Message
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
