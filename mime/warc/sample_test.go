package warc

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// rec writes a record with its type, further header lines, and its block.
func rec(kind, fields, block string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n", kind,
		strings.ReplaceAll(fields, "\n", "\r\n"), len(block), block)
}

// response writes a record with a page.
func response(uri, body string) string {
	return rec("response", "WARC-Target-URI: "+uri+"\nContent-Type: application/http; msgtype=response\n",
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+body)
}

// gz writes each text as a gzip member.
func gz(texts ...string) string { return gzLevel(gzip.BestSpeed, texts...) }

// gzStored does the same in stored blocks.
func gzStored(texts ...string) string { return gzLevel(gzip.NoCompression, texts...) }

// gzWriters holds writers by their level. Each takes much memory.
var gzWriters [gzip.BestCompression + 1]sync.Pool

func gzLevel(level int, texts ...string) string {
	var b bytes.Buffer
	w, ok := gzWriters[level].Get().(*gzip.Writer)
	if !ok {
		w, _ = gzip.NewWriterLevel(&b, level)
	}
	defer gzWriters[level].Put(w)
	for _, s := range texts {
		w.Reset(&b)
		w.Write([]byte(s))
		w.Close()
	}
	return b.String()
}

// zst writes each text as a frame.
func zst(texts ...string) string { return zstDict(nil, texts...) }

// zstDict writes frames after the frame of a dictionary of any bytes. dict may be nil.
func zstDict(dict []byte, texts ...string) string {
	opts := []zstd.EOption{zstd.WithEncoderConcurrency(1)}
	var b []byte
	if dict != nil {
		opts = append(opts, zstd.WithEncoderDictRaw(0, dict))
		b = skippable(magicDictFrame, string(dict))
	}
	w, err := zstd.NewWriter(nil, opts...)
	if err != nil {
		panic(err)
	}
	defer w.Close()
	for _, s := range texts {
		b = w.EncodeAll([]byte(s), b)
	}
	return string(b)
}

// skippable writes a skippable frame.
func skippable(magic uint32, content string) []byte {
	b := binary.LittleEndian.AppendUint32(nil, magic)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(content)))
	return append(b, content...)
}
