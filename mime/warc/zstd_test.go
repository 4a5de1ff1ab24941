package warc

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// frames returns zstd frames of all shapes: sizes, contents, checksums, windows, and dictionaries.
var frames = sync.OnceValue(func() map[string]string {
	noise := make([]byte, 300_000)
	rand.New(rand.NewSource(1)).Read(noise)
	zeros := make([]byte, len(noise))
	text := bytes.Repeat([]byte("<a href=x>"), len(noise)/10)
	list := make(map[string]string)
	for _, sum := range []bool{false, true} {
		for _, single := range []bool{false, true} {
			w := newZstdWriter(zstd.WithEncoderCRC(sum), zstd.WithSingleSegment(single), zstd.WithZeroFrames(true))
			for _, size := range []int{0, 1, 255, 256, 5000, 65_791, 65_792, 140_000, 300_000} {
				for name, content := range map[string][]byte{"noise": noise, "zeros": zeros, "text": text} {
					name := fmt.Sprintf("%d bytes of %s, checksum %v, one segment %v", size, name, sum, single)
					list[name] = string(w.EncodeAll(content[:size], nil))
				}
			}
			w.Close()
		}
	}
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<10))
	if err != nil {
		panic(err)
	}
	w.Write(noise[:10_000]) // a frame without the size of its content
	w.Close()
	list["no size"] = b.String()
	return list
})

// The end of a frame is found from its headers alone, and reading stops there.
func TestFrameEnd(t *testing.T) {
	const before, after = "(\xb5/", "\x00\xff\x28\xb5\x2f\xfd"
	for name, frame := range frames() {
		file := strings.NewReader(before + frame + after)
		if end, ok := frameEnd(file, int64(len(before))); !ok || end != int64(len(before)+len(frame)) {
			t.Errorf("%s: frameEnd = %d, %v, want %d", name, end, ok, len(before)+len(frame))
		}
		c := frameReader{br: bufio.NewReader(strings.NewReader(frame + after))}
		got := new(bytes.Buffer)
		err := c.begin()
		if err == nil {
			_, err = io.Copy(got, &c)
		}
		if err != nil || got.String() != frame || !c.whole() {
			t.Errorf("%s: the frameReader reads %d bytes with error %v, whole %v, want %d",
				name, got.Len(), err, c.whole(), len(frame))
		}
	}
}

// A frame that is cut is not whole, wherever it is cut.
func TestCutFrame(t *testing.T) {
	for name, frame := range frames() {
		for _, n := range []int{0, 4, 5, 6, len(frame) / 2, len(frame) - 5, len(frame) - 4, len(frame) - 1} {
			if n < 0 || n >= len(frame) {
				continue
			}
			c := frameReader{br: bufio.NewReader(strings.NewReader(frame[:n]))}
			err := c.begin()
			if err == nil {
				_, err = io.Copy(io.Discard, &c)
			}
			if !errors.Is(err, io.ErrUnexpectedEOF) || c.whole() {
				t.Errorf("%s, cut at %d of %d: got error %v, whole %v", name, n, len(frame), err, c.whole())
			}
		}
	}
}

// A skippable frame holds nothing, and its end is known. Other bytes begin no frame.
func TestSkippable(t *testing.T) {
	for n := range 20 {
		frame := string(skippable(magicSkippable+uint32(n%16), strings.Repeat("x", n)))
		if end, ok := frameEnd(strings.NewReader(frame+"more"), 0); !ok || end != int64(len(frame)) {
			t.Errorf("%d bytes: frameEnd = %d, %v, want %d", n, end, ok, len(frame))
		}
		br := bufio.NewReader(strings.NewReader(frame + "more"))
		if err := (&frameReader{br: br}).begin(); !errors.Is(err, errEmpty) {
			t.Errorf("%d bytes: begin: got error %v, want %v", n, err, errEmpty)
		}
		if rest, err := io.ReadAll(br); err != nil || string(rest) != "more" {
			t.Errorf("%d bytes: %q is left, want more", n, rest)
		}
		if n > 0 {
			err := (&frameReader{br: bufio.NewReader(strings.NewReader(frame[:len(frame)-1]))}).begin()
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%d bytes, cut: begin: got error %v", n, err)
			}
		}
	}
	for _, data := range []string{"", "\x28\xb5\x2f\xfd", "\x28\xb5\x2f\xfd\x00\x00\x00", "WARC/1.0\r\n",
		"\x28\xb5\x2f\xfd\x20\x00\x07\x00\x00"} { // the last one has a block of a reserved type
		if end, ok := frameEnd(strings.NewReader(data), 0); ok {
			t.Errorf("frameEnd of %q = %d, want none", data, end)
		}
	}
	for data, want := range map[string]int{"": -1, "\x28\xb5\x2f": -1, "\x28\xb5\x2f\xfd": 0, "x\x28\xb5\x2f\xfd": 1,
		"\x50\x2a\x4d\x18": 0, "ab\x5f\x2a\x4d\x18": 2, "\x60\x2a\x4d\x18": -1, "\x28\xb5\x2f\xfc": -1} {
		if got := zstdMagic([]byte(data)); got != want {
			t.Errorf("zstdMagic(%q) = %d, want %d", data, got, want)
		}
	}
}

// The length of the header follows from the descriptor (RFC 8878 Section 3.1.1.1): magic number and
// descriptor, a window unless the frame is one segment, the ID of the dictionary, and the size of
// the content.
func TestFrameHeader(t *testing.T) {
	for d := range 256 {
		want := 4 + 1
		if d&0b0010_0000 == 0 {
			want++
		}
		switch d & 0b0000_0011 {
		case 0b01:
			want++
		case 0b10:
			want += 2
		case 0b11:
			want += 4
		}
		switch d & 0b1100_0000 {
		case 0b0000_0000:
			if d&0b0010_0000 != 0 {
				want++
			}
		case 0b0100_0000:
			want += 2
		case 0b1000_0000:
			want += 4
		case 0b1100_0000:
			want += 8
		}
		n, sum := frameHeader(byte(d))
		if wantSum := d&0b0000_0100 != 0; n != want || sum != wantSum {
			t.Errorf("frameHeader(%08b) = %d, %v, want %d, %v", d, n, sum, want, wantSum)
		}
	}
}

// A dictionary is read as it is or decompressed. It is refused if it is too large or does not
// decode. A container without one begins with its first frame.
func TestReadDict(t *testing.T) {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	packed := string(w.EncodeAll([]byte("a dictionary"), nil))
	frame := func(n int, content string) string {
		head := binary.LittleEndian.AppendUint32(nil, magicDictFrame)
		return string(binary.LittleEndian.AppendUint32(head, uint32(n))) + content
	}
	for _, c := range []struct{ name, in, dict, rest, err string }{
		{"nothing", "", "", "", ""},
		{"seven bytes", frame(3, "")[:7], "", frame(3, "")[:7], ""},
		{"another frame", packed, "", packed, ""},
		{"as it is", frame(4, "dictx"), "dict", "x", ""},
		{"three bytes", frame(3, "dicx"), "dic", "x", ""},
		{"cut short", frame(9, "dict"), "dict", "", ""},
		{"compressed", frame(len(packed), packed+"x"), "a dictionary", "x", ""},
		{"damaged", frame(len(packed), packed[:len(packed)-1]), "", "", "unexpected EOF"},
		{"the largest", frame(maxDict, "dict"), "dict", "", ""},
		{"too large", frame(maxDict+1, "dict"), "", frame(maxDict+1, "dict"),
			fmt.Sprintf("%d bytes, the limit is %d", maxDict+1, maxDict)},
	} {
		br := bufio.NewReader(strings.NewReader(c.in))
		dict, err := readDict(br)
		rest, _ := io.ReadAll(br)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if err == nil && string(dict) != c.dict || string(rest) != c.rest || text != c.err {
			t.Errorf("%s: readDict = %q, %q, and %q follows, want %q, %q, %q", c.name, dict, text, rest, c.dict, c.err,
				c.rest)
		}
	}
}

// After a damaged frame, the next record is found although its frame needs the dictionary, or the
// dictionary cannot be used.
func TestDamageWithDictionary(t *testing.T) {
	one, two, three := numbered(1, "<a href=1>"), numbered(2, "<a href=2>"), numbered(3, "<a href=3>")
	dict := []byte(numbered(0, "<a href=0>"))
	data := zstDict(dict, one, two, three)
	start, end := len(zstDict(dict, one)), len(zstDict(dict, one, two))
	for name, damaged := range map[string]string{
		"a frame that is cut short": data[:end-5] + data[end:],
		"junk in place of a frame":  data[:start] + "junk junk" + data[end:],
		"junk before a frame":       data[:end] + "junk junk" + data[end:],
		"a dictionary that cannot be used": string(skippable(magicDictFrame, "\x37\xa4\x30\xecbroken")) + zst(one) +
			zst(two)[:60] + zst(three),
	} {
		for kind, in := range map[string]io.Reader{
			"file": strings.NewReader(damaged), "pipe": onlyReader{strings.NewReader(damaged)},
		} {
			if got := targets(t, in); !strings.Contains(got, "1*") || !strings.HasSuffix(got, " 3*") {
				t.Errorf("%s, in a %s: got the records %s, want the first and the third", name, kind, got)
			}
		}
	}
}

// startSize bytes of a frame are enough for the start of a record, even if the header of the frame
// and its first block are as large as possible.
func TestStartSize(t *testing.T) {
	text := "WARC/1.0\r\n" + strings.Repeat("x", 128<<10)
	text = text[:128<<10]
	frame := binary.LittleEndian.AppendUint32(nil, magicFrame)
	frame = append(frame, 3<<6|3)                      // eight bytes of size, four of dictionary ID
	frame = append(frame, 7<<3)                        // a window of 128 KiB
	frame = binary.LittleEndian.AppendUint32(frame, 0) // no dictionary
	frame = binary.LittleEndian.AppendUint64(frame, uint64(2*len(text)))
	frame = append(frame, 0, 0, 128<<10<<3>>16) // a raw block, not the last
	frame = append(frame, text...)
	codec, err := newZstd(bufio.NewReader(bytes.NewReader(frame)))
	if err != nil || len(frame) != codec.startSize() {
		t.Fatalf("newZstd: %v; the start of a frame has %d bytes, and startSize is %d",
			err, len(frame), codec.startSize())
	}
	if got := codec.decodeStart(frame, versionLen); string(got) != "WARC/" {
		t.Errorf("decodeStart of %d bytes: got %q, want WARC/", len(frame), got)
	}
}
