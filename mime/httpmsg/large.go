//go:build !js

package httpmsg

import (
	"bytes"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// The decoders of br and zstd would be a sixth of the size of a program for browsers, and a browser
// has decoded the bodies already. So a program for GOOS=js has no such codings.

func init() {
	codings["br"] = coding{newPool(newBrotli), nil}
	codings["zstd"] = coding{newPool(newZstd), isZstd}
}

// brotliDecoder reads the stream of a body.
type brotliDecoder struct {
	*brotli.Reader
	body *bytes.Reader
}

func (d brotliDecoder) reset(body []byte) error {
	d.body.Reset(body)
	return d.Reset(d.body)
}

// bytesAfterEnd recognises the error by its text, because package brotli does not export it.
func (d brotliDecoder) bytesAfterEnd(err error) int {
	if err != nil && err.Error() == "brotli: excessive input" {
		return -1
	}
	return 0
}

// newBrotli returns a brotliDecoder.
func newBrotli() decoder { return brotliDecoder{brotli.NewReader(nil), new(bytes.Reader)} }

// zstdDecoder reads the frames of a body. It finds the end of the frames itself, because package
// zstd takes the bytes after them for a damaged frame.
type zstdDecoder struct {
	*zstd.Decoder
	body  bytes.Reader
	after int // number of bytes after the frames
}

func (d *zstdDecoder) reset(body []byte) error {
	end := framesEnd(body)
	if end == 0 || isZstd(body[end:]) { // a frame is damaged or cut
		end = len(body)
	}
	d.after = len(body) - end
	d.body.Reset(body[:end])
	return d.Reset(&d.body)
}

func (d *zstdDecoder) bytesAfterEnd(err error) int {
	if err != nil {
		return 0
	}
	return d.after
}

// framesEnd returns the end of the last whole frame at the start of b (RFC 8878 Section 3.1).
func framesEnd(b []byte) (end int) {
	for {
		var h zstd.Header
		if h.Decode(b[end:]) != nil {
			return end
		}
		at := end + h.HeaderSize
		if h.Skippable {
			at += int(h.SkippableSize)
		}
		for last := h.Skippable; !last; {
			if at+3 > len(b) {
				return end
			}
			block := int(b[at]) | int(b[at+1])<<8 | int(b[at+2])<<16
			size := block >> 3
			if block>>1&3 == 1 { // one byte, repeated
				size = 1
			}
			at += 3 + size
			last = block&1 != 0
		}
		if h.HasCheckSum {
			at += 4
		}
		if at > len(b) {
			return end
		}
		end = at
	}
}

// newZstd returns a zstdDecoder with the limits of zstd as a content coding.
func newZstd() decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		panic(err) // the options are constants
	}
	return &zstdDecoder{Decoder: d}
}
