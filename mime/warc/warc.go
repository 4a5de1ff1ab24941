// Package warc reads web archives, one record at a time: WARC 1.0 and 1.1 (ISO 28500), its drafts
// 0.17 and 0.18, and ARC 1 and 2. The records may be plain, in gzip members, or a mixture of both.
// They may also be in one gzip stream, or in zstd frames with or without a dictionary. The file or
// pipe that holds the archive is called the container. [Record.Message] gives the document in a
// record. The package does not write archives.
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
// [Options] select a range of the file. They can also start goroutines that read ahead.
//
// A record may be split into segments, which may be in several files. The package does not join the
// segments. The first segment is a document that ends early; the other segments are not documents.
// Each of the other segments has a Defect, and so has the first segment of a response, resource or
// conversion.
//
// Damaged input is not an error: reading continues at the next record, and a [mime.Defect] names
// the fault and its offset. Bytes between two records belong to the record before them. Bytes
// before the first record, such as a zstd dictionary or empty members, belong to no record. If they
// have a defect and Options.Start is 0, the Reader returns them as a Record with the Number 0. With
// Options.Aligned or Options.Indexed it adds the defect to the first record instead.
//
// Files in reading order: warc.go, raw.go, zstd.go, buffer.go, source.go (members), marks.go,
// window.go, block.go (where a block ends), arc.go (records of ARC), mixed.go (plain records among
// members), record.go (parses a record), large.go (blocks above the limit), rangestart.go (where a
// range begins), guess.go (a range that begins at a guess), prefetch.go, start.go (how a Reader
// finds its first record), reader.go, divisible.go.
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

// Options select a part of an archive, and bound the memory. The zero value reads the whole
// archive.
type Options struct {
	// Start and End select the records whose Offset is in [Start, End). A record that begins in the
	// range is read to its end. Readers of adjacent ranges together return the same records as one
	// Reader of the whole archive, except for Number and Line. A negative Start counts as 0. End 0
	// means the end of the archive. The Reader reads only the bytes of a file that it needs. It
	// reads a pipe from its start.
	Start, End int64

	// Aligned says that Start is the Offset of a record. The Reader then reads nothing before
	// Start, except the beginning of a zstd file, which may be a dictionary.
	Aligned bool

	// Indexed says that Start and End come from the index of an archive. Start is then the Offset
	// of a record, as with Aligned. In a compressed file, the last record of the range ends with
	// the last member that begins before End. If End is the end of that member, the Reader reads no
	// byte after End, not even to see whether another record follows. If the member crosses End,
	// the Reader may read further bytes, but it returns no further record.
	Indexed bool

	// KnownRecord is the Offset of any record at or before Start, such as the [Reader.RecordAfter]
	// of another range. To find the first record of the range, a Reader of a plain file or of zstd
	// frames goes from KnownRecord on, instead of from the beginning. A Reader of a gzip file uses
	// KnownRecord only if it is equal to Start, or if the members in the range do not show where
	// the first record begins. A Reader of a pipe does not use it. 0 means unknown.
	KnownRecord int64

	// Ahead is the number of goroutines that read ahead at the same time. The Reader starts them if
	// Ahead is at least 2, and if it reads a whole WARC of gzip members from a file. Up to Ahead
	// further goroutines may wait for their turn. The records and their order stay the same. The
	// records that were read ahead take about 8 MiB for each of the Ahead goroutines. A record
	// larger than 4 MiB is not read ahead. The file must allow concurrent calls of ReadAt. A caller
	// who does not read to the end must call [Reader.Stop].
	Ahead int

	// Limit is the size in bytes of the largest block that a Record holds. The Reader skips a
	// larger block: see Record.Skipped. If such a record may hold a document, it has a Defect. 0
	// means 64 MiB.
	Limit int

	// OnlyPlaces says that the caller needs only the fields Number, Offset, End and Line of
	// records. All other fields are then empty, and Ahead needs little memory.
	OnlyPlaces bool
}

// Record is one record. It is read-only. It stays valid until Release, even if the Reader has read
// further records, so several goroutines may work on different records.
type Record struct {
	Number int // counts from 1 in the range; 0 for the bytes before the first record

	// Offset and End are the bounds of the record in the container. The bytes up to the next record
	// belong to it. In a compressed container, Offset is the offset of the member that holds the
	// first byte of the record. End is the Offset of the next record, or the end of the container.
	Offset, End int64
	// Line is the line number of the first byte of the record in a plain file. Lines count from 1
	// at the start of the file, or at Start with Aligned or Indexed. 0 means unknown.
	Line int64

	Version    string // the text behind "WARC/" in the version line, such as "1.1"; in an ARC it is "ARC"
	Type       string // WARC-Type in lower case, such as "response", or empty
	TargetURI  string // WARC-Target-URI without angle brackets, or empty
	Compressed bool   // Data was decompressed

	// Header has the fields. Their offsets are offsets in Data. The fields of an ARC record are
	// made from its line, so they have no place in Data.
	httpmsg.Header
	// Data holds the version line, the fields and the block, without the bytes after the block. In
	// an ARC it holds the line of the record and the block.
	Data  []byte
	Block extract.Span // the block in Data
	// Skipped is the length of a block above Options.Limit, which is not in Data. Skipped may
	// include the line ends after the block. 0 means that the block was not skipped.
	Skipped int64
	Defects []mime.Defect

	segment bool    // a segment of a split record, but not the first
	memory  *memory // holds Data and the fields; nil after Release
}

// Document reports whether the record holds a document, and the block was not skipped. Responses,
// resources and conversions hold documents, except for segments after the first. A revisit holds a
// document if its block begins with the header of a response. A metadata record holds a document if
// its block has the links that Heritrix found in a page, or if it is a WAT record of Common Crawl.
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
		return r.hasOutlinks() || r.isWAT()
	}
	return false
}

// Shortened reports whether the writer of the archive left out the end of the block because the
// block was too long: WARC-Truncated is "length" (WARC 1.1 Section 5.15).
func (r *Record) Shortened() bool {
	why, _ := r.Get("WARC-Truncated")
	return strings.EqualFold(strings.TrimSpace(why), "length")
}

// block returns the bytes of the block.
func (r *Record) block() []byte { return r.Data[r.Block.Start:r.Block.End] }

// The media types of a block that consists of header fields. Early writers of metadata use
// draftFieldsType, from the drafts of WARC 1.0.
const (
	fieldsType      = "application/warc-fields"
	draftFieldsType = "text/anvl"
)

// isWAT reports whether the record is a WAT record of Common Crawl. Such a record describes a
// response.
func (r *Record) isWAT() bool { return r.isJSON() && bytes.Contains(r.block(), []byte(`"Envelope"`)) }

// isJSON reports whether the media type of the block is JSON.
func (r *Record) isJSON() bool {
	media, _ := r.Get("Content-Type")
	media, _, _ = strings.Cut(media, ";")
	return strings.EqualFold(strings.TrimSpace(media), watType)
}

// watType is the media type of a WAT record.
const watType = "application/json"

// hasOutlinks reports whether the block consists of header fields with links that Heritrix found.
func (r *Record) hasOutlinks() bool {
	media, _ := r.Get("Content-Type")
	media, _, _ = strings.Cut(media, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	if media != fieldsType && media != draftFieldsType {
		return false
	}
	return bytes.Contains(bytes.ToLower(r.block()), []byte("outlink"))
}

// Message returns the document of the record as a message, or nil if [Record.Document] is false. If
// the Content-Type of the record or the beginning of the block tells that the block is an HTTP
// message, Message parses the block as a response. A response without a Content-Type counts as one,
// too. Otherwise the whole block is the body, and the Content-Type of the record gives its media
// type.
// The body of a metadata record has the media type application/warc-fields, or application/json if
// it is a WAT record. Offsets in the message count from the start of the block: [Record.Source]
// converts them into offsets of the container. The message belongs to the record, and is valid
// until Release or the next call of Message.
func (r *Record) Message(o httpmsg.Options) *httpmsg.Message {
	if !r.Document() {
		return nil
	}
	m := &r.memory.message
	block := r.block()
	media, _ := r.Get("Content-Type")
	switch {
	case r.Type == "metadata" && r.isWAT():
		m.ResetBare(block, watType, o)
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

// http reports whether the block of a record is an HTTP message. It looks at the block only if the
// type of the record and media, its Content-Type, do not tell. Some tools store responses as
// resources of type application/http; these count too.
func (r *Record) http(media string, block []byte) bool {
	if r.Version == arcVersion { // media is the type of the content
		return r.Type == "response" && bytes.HasPrefix(block, []byte("HTTP/"))
	}
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

// Layer returns the layer of the WARC-Target-URI, which is the retrieval URI of the document. outer
// is the layer around it, or nil. If the record has no WARC-Target-URI, Layer returns outer.
func (r *Record) Layer(outer *base.Layer) *base.Layer {
	if r.TargetURI == "" {
		return outer
	}
	return &base.Layer{Source: base.WARCTarget, Value: r.TargetURI, Outer: outer}
}

// Source returns the span of the container that holds the span s of the block. If the record was
// compressed, Source returns false, and the span has no meaning.
func (r *Record) Source(s extract.Span) (mime.Span, bool) {
	at := r.Offset + int64(r.Block.Start)
	return mime.Span{Start: at + int64(s.Start), End: at + int64(s.End)}, !r.Compressed
}

// Release frees the memory of the record for other records. The record, and slices and messages
// that come from it, must not be used afterwards.
func (r *Record) Release() {
	if m := r.memory; m != nil {
		if r.Block.Start > maxKeptHeader {
			m.header = httpmsg.Header{}
		}
		r.memory, r.Data, r.Header = nil, nil, httpmsg.Header{}
		if m.large != nil {
			m.message = httpmsg.Message{} // may hold a copy of the large body
			release(m.large)
			m.large = nil
		}
		memories.Put(m)
	}
}

// maxKeptHeader is the largest size of a header whose fields stay allocated for later records.
const maxKeptHeader = 64 << 10

// memory is the memory of a record.
type memory struct {
	data    []byte          // the bytes of a record of at most minWindow bytes
	large   []byte          // the bytes of a larger record: a buffer from buffer.go
	header  httpmsg.Header  // its slice of fields is reused for the next record
	message httpmsg.Message // the result of Record.Message
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// keepFields stores h without its bytes, so that the next record reuses its slice of fields.
func (m *memory) keepFields(h httpmsg.Header) { m.header = h.Over(nil) }

// store copies b, of at most minWindow bytes, into m and returns the copy.
func (m *memory) store(b []byte) []byte {
	if cap(m.data) < len(b) {
		m.data = make([]byte, 0, min(minWindow, max(2*len(b), 4<<10)))
	}
	m.data = append(m.data[:0], b...)
	return m.data
}
