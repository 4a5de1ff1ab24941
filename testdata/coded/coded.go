// Package coded writes the content codings that tests read.
package coded

import (
	"bytes"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// writer writes in a coding.
type writer interface {
	io.WriteCloser
	Reset(io.Writer)
}

// writers makes the writer of each coding once: a new one needs much new memory.
var writers = map[string]func() writer{
	"gzip": sync.OnceValue(func() writer { return gzip.NewWriter(nil) }),
	"zlib": sync.OnceValue(func() writer { return zlib.NewWriter(nil) }),
	"raw": sync.OnceValue(func() writer {
		w, _ := flate.NewWriter(nil, flate.DefaultCompression)
		return w
	}),
	"br": sync.OnceValue(func() writer { return brotli.NewWriter(nil) }),
	"zstd": sync.OnceValue(func() writer {
		w, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(512<<10))
		return w
	}),
}

// inUse is locked while a writer is in use.
var inUse sync.Mutex

// Bytes returns data in a coding: gzip, zlib, br, zstd, or raw, which is deflate without the
// wrapper of zlib. The result belongs to the caller.
func Bytes(coding string, data []byte) []byte {
	inUse.Lock()
	defer inUse.Unlock()
	var b bytes.Buffer
	w := writers[coding]()
	w.Reset(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}
