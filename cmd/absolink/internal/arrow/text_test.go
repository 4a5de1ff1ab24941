package arrow

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pierrec/lz4/v4"
)

// textColumn returns the bytes and the offsets of a column of texts.
func textColumn(texts []string) (bytes, offsets []byte) {
	offsets = make([]byte, 4)
	for _, s := range texts {
		bytes = append(bytes, s...)
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(bytes)))
	}
	return bytes, offsets
}

// decompress decodes a block, and checks the rules about its end: the last sequence has only
// literals, the last five bytes are literals, and no match begins in the last twelve bytes.
func decompress(t *testing.T, block []byte, size int) string {
	t.Helper()
	dst := make([]byte, size+1)
	n, err := lz4.UncompressBlock(block, dst)
	if err != nil {
		t.Fatalf("a block of %d bytes: %v", size, err)
	}
	at := 0 // offset in the decoded block
	for rest := block; ; {
		token := rest[0]
		rest = rest[1:]
		literals, rest2 := cutLength(rest, int(token>>4))
		rest = rest2[literals:]
		at += literals
		if len(rest) == 0 {
			if at != n || literals < min(lastBytes, n) {
				t.Errorf("a block of %d bytes ends with %d literals at %d", n, literals, at)
			}
			return string(dst[:n])
		}
		if at > n-12 {
			t.Errorf("a block of %d bytes: a match begins at %d", n, at)
		}
		match, rest3 := cutLength(rest[2:], int(token&maxNibble))
		rest = rest3
		at += match + baseMatch
	}
}

// cutLength returns a length whose first part is n, and the bytes after its other parts.
func cutLength(b []byte, n int) (length int, rest []byte) {
	if n < maxNibble {
		return n, b
	}
	for b[0] == 255 {
		n += 255
		b = b[1:]
	}
	return n + int(b[0]), b[1:]
}

// compressed compresses a column in blocks, and checks that each block is decompressed to the same
// bytes. It returns the number of compressed bytes.
func compressed(t *testing.T, name string, texts []string) (size int) {
	t.Helper()
	bytes, offsets := textColumn(texts)
	var b textBlock
	starts := textStarts{offsets: offsets}
	for at := 0; at < len(bytes); at += maxBlock {
		block := string(bytes[at:min(at+maxBlock, len(bytes))])
		starts.block = at
		packed := b.compress([]byte(block), &starts)
		size += len(packed)
		if got := decompress(t, packed, len(block)); got != block {
			t.Fatalf("%s: a block at %d of %d bytes: got %.200q, want %.200q", name, at, len(block), got, block)
		}
	}
	return size
}

// Blocks of texts of any lengths and likeness are decompressed to the same bytes.
func TestTextBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	noise := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	}
	word := func() string {
		return []string{"", "a", "http://a.test/", "/b/index.html", "?q=1", "éé", "#"}[r.IntN(7)]
	}
	shapes := map[string]func(i int) string{
		"nothing":        func(int) string { return "" },
		"one byte":       func(int) string { return "a" },
		"equal":          func(int) string { return "http://a.test/index.html" },
		"numbers":        func(i int) string { return fmt.Sprint(i) },
		"URIs":           func(i int) string { return fmt.Sprintf("http://a.test/%d/%d.html#top", i/40, i) },
		"lists of links": func(i int) string { return fmt.Sprintf("http://h%d.test/page/%d", i/90, i%90*i%90) },
		"words":          func(int) string { return word() + word() + word() + word() },
		"noise":          func(i int) string { return noise(i % 100) },
		"noise and URIs": func(i int) string { return strings.Repeat("http://a.test/x/", i%3) + noise(i%17) },
		"lengths":        func(i int) string { return strings.Repeat("a", i) },
		"two bytes":      func(i int) string { return strings.Repeat("ab", i%200) },
		"long":           func(i int) string { return strings.Repeat(fmt.Sprint("x", i%7), i%9*3000) },
		"long noise":     func(i int) string { return noise(i % 9 * 9000) },
		"empty between":  func(i int) string { return strings.Repeat("http://a.test/index.html", i%2) },
	}
	for name, text := range shapes {
		for _, n := range []int{0, 1, 2, 3, 10, 40, 300, 2000} {
			var list []string
			for i := range n {
				list = append(list, text(i))
			}
			compressed(t, fmt.Sprint(n, " of ", name), list)
		}
	}
}

// Each prefix of a block, around the limits at its end, is decompressed to the same bytes.
func TestTextBlockEnds(t *testing.T) {
	for _, text := range []string{
		"http://a.test/http://a.test/http://a.test/",
		strings.Repeat("a", 60),
		strings.Repeat("abcdefgh", 8),
		"abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789",
	} {
		for n := range len(text) + 1 {
			for cut := range n + 1 {
				compressed(t, fmt.Sprintf("%q cut at %d", text[:n], cut), []string{text[:cut], text[cut:n]})
			}
		}
	}
}

// Literals and matches of all lengths around those that need more bytes.
func TestTextBlockLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	bytes := make([]byte, 1200)
	for i := range bytes {
		bytes[i] = byte(r.Uint32())
	}
	for n := range 600 {
		text := string(bytes[:n])
		compressed(t, fmt.Sprint("literals ", n), []string{text + "0123456789abcdef", "0123456789abcdef" + text})
		compressed(t, fmt.Sprint("match ", n), []string{text, string(bytes[600:1200]), text, "the end of the block"})
	}
}

// Texts that are alike are compressed: the text before and the hash table are used.
func TestTextBlockSizes(t *testing.T) {
	var alike, again []string
	for i := range 1000 {
		alike = append(alike, fmt.Sprintf("https://www.example.test/%x", uint32(i)*2654435761))
		again = append(again, fmt.Sprintf("%x.test/", uint32(i%100)*2654435761))
	}
	for name, tt := range map[string]struct {
		list []string
		most int
	}{
		"prefixes": {alike, 1000 * 14},
		"again":    {again, 100*16 + 300},
	} {
		if got := compressed(t, name, tt.list); got > tt.most {
			t.Errorf("%s: got %d bytes, want at most %d", name, got, tt.most)
		}
	}
}

func FuzzTextBlock(f *testing.F) {
	f.Add("http://a.test/x http://a.test/y http://a.test/x", byte(' '))
	f.Add(strings.Repeat("abcdefgh", 20)+"x"+strings.Repeat("abcdefgh", 20), byte('x'))
	f.Fuzz(func(t *testing.T, data string, sep byte) {
		compressed(t, "fuzz", strings.Split(data, string(rune(sep))))
		compressed(t, "fuzz", strings.SplitAfter(strings.Repeat(data+"|", 3), string(rune(sep))))
	})
}
