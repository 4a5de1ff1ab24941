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

// zstdWriter writes frames without a dictionary. A new one needs much new memory.
var zstdWriter = sync.OnceValue(func() *zstd.Encoder { return newZstdWriter() })

// newZstdWriter returns an encoder with options.
func newZstdWriter(o ...zstd.EOption) *zstd.Encoder {
	w, err := zstd.NewWriter(nil, append(o, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(512<<10),
		zstd.WithEncoderLevel(zstd.SpeedFastest))...)
	if err != nil {
		panic(err)
	}
	return w
}

// zst writes each text as a frame.
func zst(texts ...string) string { return zstFrames(zstdWriter(), nil, texts) }

// zstDict writes frames after the frame of a dictionary of any bytes.
func zstDict(dict []byte, texts ...string) string {
	w := newZstdWriter(zstd.WithEncoderDictRaw(0, dict))
	defer w.Close()
	return zstFrames(w, skippable(magicDictFrame, string(dict)), texts)
}

// zstFrames writes each text as a frame after b.
func zstFrames(w *zstd.Encoder, b []byte, texts []string) string {
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
