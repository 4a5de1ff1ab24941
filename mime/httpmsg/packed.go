package httpmsg

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"

	"absolink/extract"
)

// A body may itself be a compressed file, such as sitemap.xml.gz. That is different from a content
// coding, which belongs to the transfer. The media type then names the compression, says nothing,
// or names the format inside. One level of compression is undone, as for files, and only if a
// document is inside: archives hold many compressed files of other kinds.

// compressedTypes are the media types of compressed files. opaqueTypes are the media types that any
// file may have.
var (
	compressedTypes = strings.Fields("application/gzip application/x-gzip application/x-gunzip application/gzipped " +
		"application/gzip-compressed " +
		"application/x-gzip-compressed gzip/document application/zstd application/x-zstd")
	opaqueTypes = strings.Fields("application/octet-stream binary/octet-stream application/x-octet-stream " +
		"application/x-download " +
		"application/download application/force-download application/x-binary")
)

// packing returns the name of the coding if data begins like a compressed file, or an empty string.
func packing(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b, 8}):
		return "gzip"
	case bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return "zstd"
	}
	return ""
}

// Packed reports whether the body may be a compressed file: its media type is one of compressed
// files or of any file, and it begins like a compressed file. [Body.Unpack] then finds out whether
// a document is inside.
func (m *Message) Packed() bool {
	media, _ := m.MediaType()
	compressed := slices.Contains(compressedTypes, media)
	if !compressed && !slices.Contains(opaqueTypes, media) {
		return false
	}
	start := m.data[m.Content.Start:m.Content.End]
	if _, n := m.Get("Transfer-Encoding"); n > 0 && !m.sole {
		if _, at, ok := chunkSize(start, 0); ok && packing(start) == "" {
			start = start[at:]
		}
	}
	_, coded := m.Get("Content-Encoding")
	return packing(start) != "" || compressed && coded > 0
}

// headSize is the number of decoded bytes that tell the format inside a compressed file.
const headSize = 64 << 10

// Unpack undoes gzip or zstd if b is a compressed file that holds a document. The media type tells
// the format inside, or else the content and name, the last segment of the URL. Afterwards Coded is
// true. The error is an error of [Message.Body].
func (b *Body) Unpack(name string) error {
	m := b.Message
	media, _ := m.MediaType()
	format := extract.FormatOf(media)
	unsaid := media == "" || strings.HasSuffix(media, "/unknown") ||
		slices.Contains(compressedTypes, media) || slices.Contains(opaqueTypes, media)
	coding := packing(b.Data)
	switch {
	case format == extract.Unknown && !unsaid:
		return nil
	case coding == "" && unsaid && b.Coded: // the content coding was the compression of the file
		b.inside = inside(b.Data, name)
		return nil
	case coding == "":
		return nil
	}
	if unsaid || format == extract.Plain {
		head, _, err := Decode(coding, b.Data, headSize)
		if err != nil && !errors.Is(err, ErrLimit) {
			return nil
		}
		b.inside = inside(head, name)
		if b.inside == extract.Unknown && format == extract.Plain && !binary(head) {
			b.inside = extract.Plain
		}
		if b.inside == extract.Unknown {
			return nil
		}
	}
	return b.undo(coding)
}

// MediaType returns the media type of the document b. It is the media type of the message. If the
// message gives no type, or if b was a compressed file, it is the usual type of the format. It is
// empty if b is not a document.
func (b *Body) MediaType() string {
	media, _ := b.Message.MediaType()
	if b.inside != extract.Unknown {
		return b.inside.MediaType()
	}
	if media == "" {
		format, _ := b.Message.documentType(b.Data)
		return format.MediaType()
	}
	return media
}

// inside returns the format of the document in a compressed file, or extract.Unknown. head is the
// beginning of its content, and name is the name of the file.
func inside(head []byte, name string) extract.Format {
	if binary(head) {
		return extract.Unknown
	}
	for _, end := range []string{".gz", ".gzip", ".zst", ".zstd"} {
		if strings.EqualFold(path.Ext(name), end) {
			name = name[:len(name)-len(end)]
			break
		}
	}
	text := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("<")) {
		return extract.Detect(head, name)
	}
	return extract.Detect(nil, name)
}
