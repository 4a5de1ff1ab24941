package httpmsg

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"

	"absolink/extract"
)

// A body may be a compressed file, such as sitemap.xml.gz. That is different from a content coding,
// which belongs to the transfer. The media type of such a body is that of the compression, or one
// for any file such as application/octet-stream, or that of the document inside. Unpack undoes one
// compression, and only if a document is inside: archives have many compressed files of other
// kinds.

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

// compressionOf returns the coding of data, gzip or zstd, if it begins like a compressed file, or
// "".
func compressionOf(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b, 8}):
		return "gzip"
	case bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return "zstd"
	}
	return ""
}

// Packed reports whether the body may be a compressed file: its media type is that of a compressed
// file or of any file, and it begins like a compressed file. [Body.Unpack] then finds out whether a
// document is inside.
func (m *Message) Packed() bool {
	media, _ := m.MediaType()
	compressed := slices.Contains(compressedTypes, media)
	if !compressed && !slices.Contains(opaqueTypes, media) {
		return false
	}
	start := m.data[m.Content.Start:m.Content.End]
	if _, n := m.Get("Transfer-Encoding"); n > 0 && !m.bodyOnly {
		if _, at, ok := readChunkSize(start, 0); ok && compressionOf(start) == "" {
			start = start[at:]
		}
	}
	_, coded := m.Get("Content-Encoding")
	return compressionOf(start) != "" || compressed && coded > 0
}

// headSize is the number of decoded bytes that Unpack examines to find the format of a document.
const headSize = 64 << 10

// Unpack undoes gzip or zstd if b is a compressed file with a document inside. Afterwards Coded is
// true. The media type gives the format of the document, or else the content and name. name is the
// last segment of the URL. The errors are those of [Message.Body].
func (b *Body) Unpack(name string) error {
	m := b.Message
	media, _ := m.MediaType()
	format := extract.FormatOf(media)
	typeIsGeneric := media == "" || strings.HasSuffix(media, "/unknown") ||
		slices.Contains(compressedTypes, media) || slices.Contains(opaqueTypes, media)
	coding := compressionOf(b.Data)
	switch {
	case format == extract.Unknown && !typeIsGeneric:
		return nil
	case coding == "" && typeIsGeneric && b.Coded: // the content coding was the compression of the file
		b.format = formatInside(b.Data, name)
		return nil
	case coding == "":
		return nil
	}
	if typeIsGeneric || format == extract.Plain {
		head, _, err := Decode(coding, b.Data, headSize)
		if err != nil && !errors.Is(err, ErrLimit) {
			return nil
		}
		b.format = formatInside(head, name)
		if b.format == extract.Unknown && format == extract.Plain && !isBinary(head) {
			b.format = extract.Plain
		}
		if b.format == extract.Unknown {
			return nil
		}
	}
	return b.undoContent(coding)
}

// MediaType returns the media type of b. Usually this is the media type of the message. If the
// message has none, or if b was a compressed file with a document, it is the usual media type of
// the format of the document.
func (b *Body) MediaType() string {
	media, _ := b.Message.MediaType()
	if b.format != extract.Unknown {
		return b.format.MediaType()
	}
	if media == "" {
		format, _ := b.Message.documentType(b.Data)
		return format.MediaType()
	}
	return media
}

// formatInside returns the format of the document in a compressed file, or extract.Unknown. head is
// the start of the decoded content, and name is the name of the file.
func formatInside(head []byte, name string) extract.Format {
	if isBinary(head) {
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
