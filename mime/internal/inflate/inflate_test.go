package inflate

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/iotest"

	"absolink/testdata/corpus"
	"absolink/testdata/effort"
)

var window Window

// decoder and decoded are the decoder and the result of inflated.
var (
	decoder Decoder
	decoded []byte
)

// inflated decodes a stream in pieces of in bytes. After History decoded bytes, it gives room for
// only out bytes at a time, and moves the decoded bytes. The text is valid until the next call.
func inflated(stream []byte, in, out int) (text []byte, used int, err error) {
	decoder = Decoder{}
	text = decoded[:0]
	defer func() { decoded = text }()
	w := &window
	o, end := 0, min(in, len(stream))
	for {
		was := o
		o, used, err = decoder.Decode(w, o, stream[:end], used)
		text = append(text, w[was:o]...)
		switch {
		case err == ErrInput && end == len(stream):
			return text, used, io.ErrUnexpectedEOF
		case err == ErrInput:
			end = min(len(stream), end+in)
		case err != ErrOutput:
			return text, used, err
		}
		if to := Room - min(out, Room-History); o > History && o != to {
			copy(w[to-History:to], w[o-History:o])
			o = to
		}
	}
}

var (
	peerReader = flate.NewReader(nil)
	peerText   bytes.Buffer
)

// peer decodes with compress/flate. The text is valid until the next call.
func peer(stream []byte) (text []byte, used int, err error) {
	r := bytes.NewReader(stream)
	peerReader.(flate.Resetter).Reset(r, nil)
	peerText.Reset()
	_, err = peerText.ReadFrom(peerReader)
	return peerText.Bytes(), len(stream) - r.Len(), err
}

// agree compares the decoder with compress/flate: the bytes, the verdict and the used length must
// be equal. If a stream is cut, either decoder may return one more symbol.
func agree(t *testing.T, name string, stream []byte, pieces ...int) {
	t.Helper()
	want, used, failure := peer(stream)
	for i := 0; i < len(pieces); i += 2 {
		got, n, err := inflated(stream, pieces[i], pieces[i+1])
		var corrupt flate.CorruptInputError
		switch {
		case failure == nil:
			if err != nil || n != used || !bytes.Equal(got, want) {
				t.Fatalf("%s in pieces of %v: %d bytes of %d, %v; compress/flate gives %d of %d",
					name, pieces[i:i+2], len(got), n, err, len(want), used)
			}
		case err == nil:
			t.Fatalf("%s in pieces of %v: no error, compress/flate says %v", name, pieces[i:i+2], failure)
		case errors.As(failure, &corrupt) && err == ErrCorrupt && !bytes.Equal(got, want):
			t.Fatalf("%s in pieces of %v: %d bytes before the damage, compress/flate gives %d",
				name, pieces[i:i+2], len(got), len(want))
		case !bytes.HasPrefix(got, want) && !bytes.HasPrefix(want, got):
			t.Fatalf("%s: what is decoded before an error is not that of compress/flate", name)
		}
	}
}

// texts returns texts that compress in different ways.
func texts(t testing.TB) [][]byte {
	list := [][]byte{nil, []byte("a"), bytes.Repeat([]byte("a"), 70000),
		bytes.Repeat([]byte("abcdefghij"), 9000), bytes.Repeat([]byte("0123456789abcdefg"), 5000)}
	noise := make([]byte, 90000)
	for i := range noise {
		noise[i] = byte(rand.N(256))
	}
	list = append(list, noise)
	for _, d := range corpus.Documents(t, "pages")[:5] {
		list = append(list, d.Data[:min(len(d.Data), effort.Pick(len(d.Data), 20_000))])
	}
	return list
}

// writers holds a writer for each level from [flate.HuffmanOnly] on. A new one needs much memory.
var writers [flate.BestCompression - flate.HuffmanOnly + 1]*flate.Writer

func deflated(text []byte, level int) []byte {
	var b bytes.Buffer
	w := &writers[level-flate.HuffmanOnly]
	if *w == nil {
		*w, _ = flate.NewWriter(nil, level)
	}
	(*w).Reset(&b)
	(*w).Write(text)
	(*w).Close()
	return b.Bytes()
}

func TestAgainstFlate(t *testing.T) {
	for i, text := range texts(t) {
		for level := flate.HuffmanOnly; level <= flate.BestCompression; level += effort.Pick(1, 5) {
			stream := deflated(text, level)
			agree(t, "text", append(stream, "what follows"...), len(stream)+12,
				History, 1, History, 7, 1000, 4096, 300)
			// each byte above History costs a move of all History
			start := deflated(text[:effort.Pick(len(text), min(len(text), History+100))], level)
			agree(t, "start", append(start, "what follows"...), 100, 1)
			if got, n, err := inflated(stream, len(stream), History); err != nil ||
				n != len(stream) || !bytes.Equal(got, text) {
				t.Errorf("text %d at level %d: %d bytes of %d, %v, want %d of %d",
					i, level, len(got), n, err, len(text), len(stream))
			}
		}
	}
}

// manyStored returns stored blocks with 100 bytes fewer than the Window has.
var manyStored = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.NoCompression)
	w.Write(make([]byte, Room-100))
	w.Flush()
	return b.Bytes()
})

// long puts so many stored bytes before stream that the Window has to be moved.
func long(stream []byte) []byte {
	return append(slices.Clip(manyStored()), stream...)
}

// Changed streams give the same result as in compress/flate, or fail as there.
func TestMutants(t *testing.T) {
	var streams [][]byte
	for _, text := range texts(t) {
		text = text[:min(len(text), 3000)]
		for _, level := range []int{flate.HuffmanOnly, 0, 1, 6} {
			streams = append(streams, deflated(text, level))
		}
	}
	paths, _ := filepath.Glob("testdata/*.deflate")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		streams = append(streams, data)
	}
	random := rand.New(rand.NewPCG(1951, 1952))
	for range effort.Pick(40_000, 1200) {
		s := bytes.Clone(streams[random.IntN(len(streams))])
		for range 1 + random.IntN(3) {
			i := random.IntN(max(1, len(s)))
			switch {
			case len(s) == 0:
			case random.IntN(4) == 0:
				s = s[:i]
			case random.IntN(2) == 0:
				s[i] ^= 1 << random.IntN(8)
			default:
				s[random.IntN(min(len(s), 40))] = byte(random.IntN(256))
			}
		}
		agree(t, "mutant", s, len(s)+1, History, 1+random.IntN(40), 1+random.IntN(600))
		if random.IntN(40) == 0 {
			s = long(s)
			agree(t, "long mutant", s, len(s)+1, History, 1+random.IntN(9000), 1+random.IntN(6000))
		}
	}
}

func FuzzAgainstFlate(f *testing.F) {
	f.Add(deflated([]byte("hello hello hello"), 9), 3, 5)
	f.Add(deflated(bytes.Repeat([]byte("ab"), 300), 1), 100, 1)
	f.Add([]byte{0x05, 0xc0, 0x81, 0, 0, 0, 0, 0, 0x90, 0xff, 0x6b, 0x04}, 1, 1)
	f.Fuzz(func(t *testing.T, stream []byte, in, out int) {
		agree(t, "stream", stream, len(stream)+1, History, 1+in&0xff, 1+out&0xfff)
	})
}

// gzipped is a member with every field that its header can hold.
func gzipped(text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Name = "name"
	w.Comment = "comment"
	w.Extra = []byte("extra")
	w.Write(text)
	w.Close()
	return b.Bytes()
}

// summed gives the header of a member a checksum. A bit may be changed in it.
func summed(member []byte, bit uint16) []byte {
	head := bytes.Clone(member[:gzippedHead])
	head[3] |= 2
	head = binary.LittleEndian.AppendUint16(head, uint16(crc32.ChecksumIEEE(head))^bit)
	return append(head, member[gzippedHead:]...)
}

// gzippedHead is the length of the header of gzipped.
const gzippedHead = 10 + len("\x05\x00extra") + len("name\x00") + len("comment\x00")

func TestReader(t *testing.T) {
	text := bytes.Repeat([]byte("What a member holds, again and again. "), 30_000)
	member := gzipped(text)
	cut := func(n int) []byte { return member[:len(member)-n] }
	changed := func(at int) []byte { b := bytes.Clone(member); b[at] ^= 1; return b }
	tests := []struct {
		name   string
		data   []byte
		whole  bool
		opened error
		read   error
	}{
		{"whole", member, true, nil, nil},
		{"no member", []byte("no member at all"), false, ErrHeader, nil},
		{"half a header", member[:5], false, io.ErrUnexpectedEOF, nil},
		{"half a name", member[:19], false, io.ErrUnexpectedEOF, nil},
		{"cut in its trailer", cut(3), true, nil, io.ErrUnexpectedEOF},
		{"header with a checksum", summed(member, 0), true, nil, nil},
		{"header with another checksum", summed(member, 1), false, ErrHeader, nil},
		{"cut", cut(20), false, nil, io.ErrUnexpectedEOF},
		{"another checksum", changed(len(member) - 8), true, nil, ErrChecksum},
		{"another length", changed(len(member) - 1), true, nil, ErrChecksum},
	}
	var z Reader
	for _, tt := range tests {
		for _, r := range []io.Reader{bytes.NewReader(append(bytes.Clone(tt.data), tail(tt.read, tt.whole)...)),
			iotest.OneByteReader(bytes.NewReader(tt.data))} {
			br := bufio.NewReaderSize(r, 1<<10)
			if err := z.Reset(br); err != tt.opened {
				t.Fatalf("%s: Reset: got %v, want %v", tt.name, err, tt.opened)
			} else if err != nil {
				continue
			}
			got, err := io.ReadAll(&z)
			if err != tt.read || tt.whole && !bytes.Equal(got, text) {
				t.Errorf("%s: got %d bytes and %v, want %d and %v", tt.name, len(got), err, len(text), tt.read)
			}
			if rest, _ := io.ReadAll(br); err == nil && len(rest) != 0 && string(rest) != "next" {
				t.Errorf("%s: %q is left, want what follows", tt.name, rest)
			}
		}
	}
}

// tail returns the bytes that follow a whole member.
func tail(err error, whole bool) string {
	if whole && err == nil {
		return "next"
	}
	return ""
}

func BenchmarkDecoder(b *testing.B) {
	for _, d := range corpus.Documents(b, "pages")[:3] {
		stream := deflated(d.Data, 6)
		out := make([]byte, len(d.Data))
		b.Run("ours/"+filepath.Base(d.Name), func(b *testing.B) {
			var dec Decoder
			b.SetBytes(int64(len(d.Data)))
			for b.Loop() {
				dec.Reset()
				o, p, err := dec.Decode(&window, 0, stream, 0)
				for err == ErrOutput {
					o = copy(window[:], window[o-History:o])
					o, p, err = dec.Decode(&window, o, stream, p)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("flate/"+filepath.Base(d.Name), func(b *testing.B) {
			r := flate.NewReader(nil)
			b.SetBytes(int64(len(d.Data)))
			for b.Loop() {
				r.(flate.Resetter).Reset(bytes.NewReader(stream), nil)
				if _, err := io.ReadFull(r, out[:len(d.Data)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Verbatim reports the end of the stored blocks of a member, for pieces of any size.
func TestVerbatim(t *testing.T) {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	z.Write([]byte("compressed"))
	z.Close()
	packed := b.Bytes()
	text := bytes.Repeat([]byte("stored"), 20000)
	b = bytes.Buffer{}
	z, _ = gzip.NewWriterLevel(&b, gzip.NoCompression)
	z.Write(text)
	z.Close()
	plain := b.Bytes()
	for _, tt := range []struct {
		name   string
		member []byte
		behind int64
		ok     bool
	}{
		{"compressed", packed, 0, false},
		{"stored", plain, 5 + 8, true}, // the last block is empty
		{"cut in a block", plain[:70000], 0, true},
		{"cut in the header of a block", plain[:10+5+65535+3], 0, true},
		{"then compressed", slices.Concat(plain[:10+5+65535], packed[10:]), int64(len(packed) - 10), true},
	} {
		for _, in := range []io.Reader{bytes.NewReader(tt.member), iotest.OneByteReader(bytes.NewReader(tt.member))} {
			var r Reader
			if err := r.Reset(bufio.NewReaderSize(in, 64<<10)); err != nil {
				t.Fatalf("%s: Reset: %v", tt.name, err)
			}
			io.Copy(io.Discard, struct{ io.Reader }{&r})
			if behind, ok := r.Verbatim(); behind != tt.behind || ok != tt.ok {
				t.Errorf("%s: Verbatim: got %d, %v, want %d, %v", tt.name, behind, ok, tt.behind, tt.ok)
			}
		}
	}
}
