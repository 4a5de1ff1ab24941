package httpmsg

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"

	"absolink/extract"
)

// A body may be a compressed file itself, as sitemaps are (sitemap.xml.gz): not only in a content
// coding, which belongs to the transfer. Its media type then names the compression, or nothing, or
// what is inside. One level is undone, as for files, and only if a document is inside: an archive
// holds many compressed files that are none.

// compressedTypes are the media types of compressed files, opaqueTypes those of any file.
var (
	compressedTypes = strings.Fields("application/gzip application/x-gzip application/x-gunzip application/gzipped " +
		"application/gzip-compressed " +
		"application/x-gzip-compressed gzip/document application/zstd application/x-zstd")
	opaqueTypes = strings.Fields("application/octet-stream binary/octet-stream application/x-octet-stream " +
		"application/x-download " +
		"application/download application/force-download application/x-binary")
)

// packing returns the name of the coding that data begins with as a compressed file does, "" if
// there is none.
func packing(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b, 8}):
		return "gzip"
	case bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return "zstd"
	}
	return ""
}

// Packed reports whether the media type of m is that of a compressed file, or of any file, and the
// body begins like a compressed one. Then [Body.Unpack] tells whether it is a document.
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

// headSize is how much of a compressed file is looked at to see what is inside.
const headSize = 64 << 10

// Unpack undoes gzip or zstd if b is a file that is compressed so and holds a document. The media
// type says what is inside, or else the content and name, the last segment of the URL. Coded is
// true then. The error is that of Body.
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
	case coding == "" && unsaid && b.Coded: // the content coding was that of the file
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

// MediaType returns the media type of the document that b is: that of the message, or the usual one
// of its format if the message says nothing, or b was a compressed file. "" if it is no document.
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

// inside returns the format of the document in a compressed file, from the beginning of its content
// and the name of the file: extract.Unknown if it is none.
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
