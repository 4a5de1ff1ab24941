package warc

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// withLength returns a record whose Content-Length is changed by n.
func withLength(record string, n int) string {
	const name = "Content-Length: "
	at := strings.Index(record, name) + len(name)
	digits := strings.Index(record[at:], "\r\n")
	length := 0
	fmt.Sscan(record[at:at+digits], &length)
	return record[:at] + fmt.Sprint(length+n) + record[at+digits:]
}

// A gzip member after a plain record is found if the Content-Length of the record is wrong by any
// number of bytes: the claimed end of the block may lie in the member.
func TestMemberAtClaimedEnd(t *testing.T) {
	one, two, three := numbered(1, "<a href=1>"), numbered(2, "<a href=2>"), numbered(3, "<a href=3>")
	bare := strings.TrimRight(one, "\r\n")
	var r Reader
	for _, end := range []string{"\r\n\r\n", "\n\n", "\r\n", "\n", "", "x"} {
		for n := -20; n < len(end)+40; n++ {
			if !effort.Whole() && n%7 != 0 && (n < -1 || n > len(end)+1) {
				continue
			}
			plain := withLength(bare+end, n)
			for _, tt := range []struct{ name, data, want string }{
				{"plain first", plain + gz(two) + three, "1 2* 3"},
				{"member first", gz(three) + plain + gz(two) + three, "3* 1 2* 3"},
			} {
				r.Reset(strings.NewReader(tt.data), Options{})
				for rec := range r.All() {
					if bytes.Contains(rec.block(), []byte("\x1f")) {
						t.Errorf("%s, a length that is wrong by %d, then %q: the block of %s ends with %q",
							tt.name, n, end, rec.TargetURI, rec.block()[len(rec.block())-4:])
					}
					rec.Release()
				}
				for kind, in := range map[string]io.Reader{
					"file": strings.NewReader(tt.data), "pipe": pieces{strings.NewReader(tt.data), 7},
				} {
					got := strings.ReplaceAll(targets(t, in), "!", "")
					if got != tt.want {
						t.Errorf("%s in a %s, a length that is wrong by %d, then %q: got %s, want %s",
							tt.name, kind, n, end, got, tt.want)
					}
				}
			}
		}
	}
}

// A gzip member is found after any number of stray bytes, and after a block of any unknown length:
// the window of the search may end at any byte of the member.
func TestMemberAtWindowEnd(t *testing.T) {
	one, two := numbered(1, "<a href=1>"), numbered(2, "<a href=2>")
	tail := gz(two) + numbered(3, strings.Repeat("y", 2*gzipHead))
	bare := strings.TrimRight(one, "\r\n")
	filler := strings.Repeat("x", 4*minWindow)
	for name, head := range map[string]string{
		"stray bytes":       one,
		"an unknown length": strings.Replace(bare, "Content-Length: ", "Content-Length: x", 1),
		"a small length":    bare,
	} {
		for windows := 1; windows <= 3; windows++ {
			end := windows*minWindow - gzipHead
			for at := end - len(one) - 20; at < end+len(one)+20; at += effort.Pick(1, 19) {
				data := head + filler[:at-len(head)] + tail
				got := strings.ReplaceAll(targets(t, strings.NewReader(data)), "!", "")
				if got != "1 2* 3" {
					t.Errorf("%s, a member at %d: got %s, want 1 2* 3", name, at, got)
				}
			}
		}
	}
}

// The length of a block is right if a record follows after any number of line ends. Otherwise a
// record inside the block ends it. More than maxLineEnds bytes of line ends count as the end.
func TestLineEndsAfterBlock(t *testing.T) {
	inner := numbered(2, "<a href=2>")
	three := numbered(3, strings.Repeat("y", 2*gzipHead))
	counts := []int{}
	around := effort.Pick(12, 1)
	for _, n := range []int{0, 64, 128, gzipHead, maxLineEnds} {
		for i := max(n-around, 2); i <= n+around; i++ {
			counts = append(counts, i)
		}
	}
	for _, n := range counts {
		for _, tt := range []struct{ name, block, next, want string }{
			{"a record", inner, three, "1 3"},
			{"a gzip member", inner, gz(three), "1 3*"},
			{"the end", inner, "", "1"},
			{"junk", inner, "junk\n", "1 2"},
			{"much junk", inner, strings.Repeat("junk\n", maxLineEnds/4), "1 2"},
		} {
			one := strings.TrimRight(rec("resource", "WARC-Target-URI: http://a/1\n", tt.block+"."), "\r\n")
			for _, first := range []string{"", gz(three)} {
				data := first + one + strings.Repeat("\n", n) + tt.next
				for _, limit := range []int{0, 50} {
					for kind, in := range map[string]io.Reader{
						"file": strings.NewReader(data), "pipe": onlyReader{strings.NewReader(data)},
					} {
						got := strings.ReplaceAll(targetsIn(t, in, Options{Limit: limit}), "!", "")
						got = strings.TrimPrefix(got, "3* ")
						want := tt.want
						if n >= maxLineEnds && first == "" && strings.HasSuffix(tt.name, "junk") {
							want = "1"
						}
						if got != want {
							t.Errorf("a block, %d line ends and %s, in a %s, members %v, limit %d: got %s, want %s",
								n, tt.name, kind, first != "", limit, got, want)
						}
					}
				}
			}
		}
	}
}

// A record has at most maxDefects defects, also if they come from members.
func TestMaxDefects(t *testing.T) {
	one, two := numbered(1, "<a href=1>"), numbered(2, "<a href=2>")
	damaged := strings.Repeat(spoilt("x"), 2*maxDefects)
	noNames := strings.Replace(one, "Content-Length", strings.Repeat("no name\r\n", 2*maxDefects)+"Content-Length", 1)
	for name, data := range map[string]string{
		"damaged members after a record": gz(one) + damaged + gz(two),
		"lines without names":            noNames + two,
		"both":                           gz(noNames) + damaged + gz(two),
		"before the first record":        gz("x") + damaged + gz(two),
	} {
		most := 0
		for rec, err := range recordsOf(strings.NewReader(data), Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, len(rec.Defects))
			rec.Release()
		}
		if most != maxDefects {
			t.Errorf("%s: got %d defects, want %d", name, most, maxDefects)
		}
	}
}

// With Indexed, the last record of the range ends where its last member ends, although the Reader
// has read further bytes.
func TestEndOfIndexed(t *testing.T) {
	one, two, three := numbered(1, "<a href=1>"), numbered(2, "<a href=2>"), numbered(3, "<a href=3>")
	for name, parts := range map[string][3]string{
		"gzip": {gz(one), gz(two), gz(three)}, "zstd": {zst(one), zst(two), zst(three)},
		"plain first": {one, two, gz(three)},
	} {
		data := strings.Join(parts[:], "")
		start := int64(len(parts[0]))
		want := start + int64(len(parts[1]))
		var r Reader
		for end := start + 1; end <= want; end++ {
			if !effort.Whole() && end > start+2 && end < want-1 && end%8 != 0 {
				continue
			}
			r.Reset(strings.NewReader(data), Options{Start: start, End: end, Indexed: true})
			rec, err := r.Next()
			if err != nil || rec.Offset != start || rec.End != want {
				t.Fatalf("%s, End %d: got %+v, %v, want a record [%d, %d)", name, end, rec, err, start, want)
			}
			if _, err := r.Next(); err != io.EOF {
				t.Errorf("%s, End %d: got error %v, want EOF", name, end, err)
			}
		}
	}
}

// With Indexed, a Reader of zstd frames reads no byte after the range: each may have to be
// retrieved.
func TestReadsNothingAfterRange(t *testing.T) {
	part := zst(numbered(2, "<a href=2>"))
	for _, head := range []string{"", string(skippable(magicDictFrame, "<a href=2>"))} {
		file := head + part + part + strings.Repeat(part, 100)
		start := int64(len(head + part))
		end := start + int64(len(part))
		in := within{strings.NewReader(file), 0, end, t}
		r := NewReader(io.NewSectionReader(in, 0, int64(len(file))), Options{Start: start, End: end, Indexed: true})
		rec, err := r.Next()
		if err != nil || rec.TargetURI != "http://a/2" || len(rec.Defects) > 0 {
			t.Errorf("Next: got %+v, %v, want record 2", rec, err)
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("Next: got error %v, want EOF", err)
		}
	}
}

// Many headers without an end, or many claims of blocks that end at the same place, do not make the
// Reader search the same bytes again for each record. Otherwise the long form of this test takes
// minutes.
func TestLinearInRecordsOfOneBlock(t *testing.T) {
	n, length := effort.Pick(20_000, 1_500), effort.Pick(16<<20, 1<<20)
	headers := strings.Repeat("WARC/1.0\nA:\n", n)
	claim := fmt.Sprintf("WARC/1.0\nWARC-Type:a\nContent-Length:%d\n\nx", length)
	for name, tt := range map[string]struct {
		data string
		want int
	}{
		"headers without an end": {headers, n},
		"headers after a member": {gz(numbered(1, "x")) + headers, n},
		"claims of one end":      {strings.Repeat(claim, 2*n) + strings.Repeat("y", length+1<<20), 2 * n},
	} {
		got := 0
		for rec, err := range recordsOf(strings.NewReader(tt.data), Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			got++
			rec.Release()
		}
		if got != tt.want {
			t.Errorf("%s: got %d records, want %d", name, got, tt.want)
		}
	}
}

// A Reader that begins at any record finds the same record as a Reader that comes from the records
// before it. So no search in earlier blocks changes the result.
func TestEachRecordAlone(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"\n", "\r\n", "x", "x", "text\n", "WARC/1.0\nWARC-Type:a\n", "WARC/1.0\nA:b\n", "\n\n",
		"xWARC/1.0\nWARC-Type:a\nContent-Length:70\n\nx", "xWARC/1.0\nWARC-Type:a\nContent-Length:250\n\nx"}
	for range effort.Pick(1_000, 100) {
		var b strings.Builder
		for range 3 + random.IntN(12) {
			fmt.Fprintf(&b, "WARC/1.0\nWARC-Type:resource\nContent-Length:%d\n\n", random.IntN(200))
			for range random.IntN(12) {
				b.WriteString(pieces[random.IntN(len(pieces))])
			}
		}
		data := b.String()
		for whole, err := range recordsOf(strings.NewReader(data), Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			alone, err := firstOf(strings.NewReader(data), Options{Start: whole.Offset, Aligned: true})
			if err != nil {
				t.Fatal(err)
			}
			if alone.End != whole.End || !bytes.Equal(alone.Data, whole.Data) {
				t.Fatalf("the record at %d of %q ends at %d with %q, alone at %d with %q", whole.Offset, data,
					whole.End, whole.Data, alone.End, alone.Data)
			}
		}
	}
}
