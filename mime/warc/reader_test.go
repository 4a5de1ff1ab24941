package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/httpmsg"
	"absolink/testdata/effort"
)

// short reads an archive and writes a line for each record: number, bytes, type, URI, block and
// defects.
func short(t testing.TB, r io.Reader, o Options) string {
	t.Helper()
	var b strings.Builder
	var rec Record
	rd := readers.Get().(*Reader)
	defer readers.Put(rd)
	for rd.Reset(r, o); ; {
		err := rd.Read(&rec)
		if err == io.EOF {
			return b.String()
		}
		if err != nil {
			t.Fatalf("Read: %v", err)
		}
		block := rec.Data[rec.Block.Start:rec.Block.End]
		fmt.Fprintf(&b, "%d [%d,%d) %s %s %q", rec.Number, rec.Offset, rec.End, rec.Type, rec.TargetURI, block)
		for _, d := range rec.Defects {
			fmt.Fprintf(&b, " (%d %s)", d.Offset, d.Text)
		}
		b.WriteString("\n")
		rec.Release()
	}
}

func TestReader(t *testing.T) {
	a, b := rec("resource", "WARC-Target-URI: http://a/\n", "one"), rec("metadata", "", "two")
	long := strings.Replace(a, "Content-Length: 3", "Content-Length: %s", 1)
	with := func(length string) string { return fmt.Sprintf(long, length) }
	inner := rec("resource", "WARC-Target-URI: http://inner/\n", a+b)
	tests := []struct{ name, data, want string }{
		{"nothing", "", ""},
		{"two", a + b, "1 [0,87) resource http://a/ \"one\"\n2 [87,146) metadata  \"two\"\n"},
		{"LF alone", strings.ReplaceAll(a+b, "\r", ""),
			"1 [0,80) resource http://a/ \"one\"\n2 [80,133) metadata  \"two\"\n"},
		{"brackets", rec("response", "warc-target-uri:  <http://a/> \n", ""), "1 [0,88) response http://a/ \"\"\n"},
		{"folded", rec("resource", "WARC-Target-URI:\n http://a/\n", "x"), "1 [0,87) resource http://a/ \"x\"\n"},
		{"lower case", strings.ToLower(a) + strings.ToLower(b),
			"1 [0,87) resource http://a/ \"one\"\n2 [87,146) metadata  \"two\"\n"},
		{"old version", strings.Replace(a, "1.1", "0.17", 1), "1 [0,88) resource http://a/ \"one\"\n"},
		{"unknown version", strings.Replace(a, "1.1", "2.0", 1) + b,
			"1 [0,87) resource http://a/ \"one\" (0 unknown version \"2.0\")\n2 [87,146) metadata  \"two\"\n"},
		{"a version that is long", "WARC/" + strings.Repeat("9", 1000) + a[8:] + b,
			"1 [0,1084) resource http://a/ \"one\" (0 unknown version \"" +
				strings.Repeat("9", 40) + "\")\n2 [1084,1143) metadata  \"two\"\n"},
		{"no line ends between", strings.TrimSpace(a) + b,
			"1 [0,83) resource http://a/ \"one\"\n2 [83,142) metadata  \"two\"\n"},
		{"many line ends between", a + "\r\n\n\n" + b,
			"1 [0,91) resource http://a/ \"one\"\n2 [91,150) metadata  \"two\"\n"},
		{"stray bytes before", "junk\n" + a,
			"0 [0,5)   \"\" (0 5 bytes before the first record)\n1 [5,92) resource http://a/ \"one\"\n"},
		{"stray bytes between", a + "junk\n" + b,
			"1 [0,92) resource http://a/ \"one\" (87 5 stray bytes after the record)\n2 [92,151) metadata  \"two\"\n"},
		{"stray bytes without a line end", a + "junk" + b,
			"1 [0,91) resource http://a/ \"one\" (87 4 stray bytes after the record)\n2 [91,150) metadata  \"two\"\n"},
		{"a version line among stray bytes", a + "junk WARC/1.0\r\nno: field of WARC" + b,
			"1 [0,119) resource http://a/ \"one\" (87 32 stray bytes after the record)\n2 [119,178) metadata  " +
				"\"two\"\n"},
		{"stray bytes behind a block with a record", rec("resource", "", "x WARC/1.0\r\nWARC-Type: y") + "junk\n" + b,
			"1 [0,86) resource  \"x WARC/1.0\\r\\nWARC-Type: y\" (81 5 stray bytes after the record)\n2 [86,145) " +
				"metadata  \"two\"\n"},
		{"a line end and stray bytes", a[:len(a)-2] + "junk\r\n\r\n" + b,
			"1 [0,93) resource http://a/ \"one\\r\\njunk\" (0 Content-Length 3 is too small, the block has 9 bytes)\n" +
				"2 [93,152) metadata  \"two\"\n"},
		{"stray bytes behind", a + "junk", "1 [0,91) resource http://a/ \"one\" (87 4 stray bytes after the record)\n"},
		{"no record", "<html>", "0 [0,6)   \"\" (0 6 bytes before the first record)\n"},
		{"ARC", "filedesc://a.arc 0.0.0.0 19960923142103 text/plain 76\n",
			"1 [0,54) warcinfo filedesc://a.arc \"\" (54 block cut short: 0 bytes of 76)\n"},
		{"length too small", with("1") + b,
			"1 [0,87) resource http://a/ \"one\" (0 Content-Length 1 is too small, the block has 3 bytes)\n2 [87," +
				"146) metadata  \"two\"\n"},
		{"length too large", with("9") + b,
			"1 [0,87) resource http://a/ \"one\" (0 Content-Length 9 is too large, the block has 3 bytes)\n2 [87," +
				"146) metadata  \"two\"\n"},
		{"length far too large", with("99999") + b,
			"1 [0,91) resource http://a/ \"one\" (0 Content-Length 99999 is too large, the block has 3 bytes)\n2 [91," +
				"150) metadata  \"two\"\n"},
		{"length past all bounds", with("99999999999") + b,
			"1 [0,97) resource http://a/ \"one\" (0 Content-Length 99999999999 is too large, the block has 3 bytes)\n" +
				"2 [97,156) metadata  \"two\"\n"},
		{"length that is none", with("abc") + b,
			"1 [0,89) resource http://a/ \"one\" (0 Content-Length \"abc\" is not a number)\n2 [89,148) metadata  " +
				"\"two\"\n"},
		{"length that is long", with(strings.Repeat("9", 1000)) + b,
			"1 [0,1086) resource http://a/ \"one\" (0 Content-Length \"" + strings.Repeat("9",
				40) + "\" is not a number)\n2 [1086,1145) metadata  \"two\"\n"},
		{"negative length", with("-1") + b,
			"1 [0,88) resource http://a/ \"one\" (0 Content-Length \"-1\" is not a number)\n2 [88,147) metadata  " +
				"\"two\"\n"},
		{"two lengths", with("3\r\ncontent-length:9") + b,
			"1 [0,105) resource http://a/ \"one\" (0 2 Content-Length fields, the first one counts)\n2 [105," +
				"164) metadata  \"two\"\n"},
		{"three equal lengths", with("3\r\nContent-Length: 3\r\nContent-Length: 3") + b,
			"1 [0,125) resource http://a/ \"one\" (0 3 Content-Length fields, the first one counts)\n2 [125," +
				"184) metadata  \"two\"\n"},
		{"no length", "WARC/1.0\r\nWARC-Type: resource\r\n\r\nx\r\n\r\n" + b,
			"1 [0,38) resource  \"x\" (0 no Content-Length)\n2 [38,97) metadata  \"two\"\n"},
		{"no type", "WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n", "1 [0,35)   \"\" (0 no WARC-Type)\n"},
		{"line without colon", rec("resource", "what\n", "x"),
			"1 [0,63) resource  \"x\" (31 header line without a field name)\n"},
		{"a version alone", "WARC/1.0", "1 [0,8)   \"\" (8 header without an end) (0 no WARC-Type)\n"},
		{"a version line alone", "WARC/1.0\r\n", "1 [0,10)   \"\" (10 header without an end) (0 no WARC-Type)\n"},
		{"header without an end", "WARC/1.0\r\nWARC-Type: resource\r\n",
			"1 [0,31) resource  \"\" (31 header without an end)\n"},
		{"cut in the block", a[:len(a)-5], "1 [0,82) resource http://a/ \"on\" (82 block cut short: 2 bytes of 3)\n"},
		{"records in a block", inner + b,
			fmt.Sprintf("1 [0,236) resource http://inner/ %q\n2 [236,295) metadata  \"two\"\n", a+b)},
		{"records in a block, cut", inner[:len(inner)-10],
			"1 [0,86) resource http://inner/ \"\" (0 Content-Length 146 is too large, the block has 0 bytes)\n2 [86," +
				"173) resource http://a/ \"one\"\n3 [173,226) metadata  \"t\" (226 block cut short: 1 bytes of 3)\n"},
		{"a writer that broke off, another that went on", with("30")[:83] + b,
			"1 [0,83) resource http://a/ \"on\" (0 Content-Length 30 is too large, the block has 2 bytes)\n2 [83," +
				"142) metadata  \"two\"\n"},
		{"the same at the end of the file", with("500")[:84] + b,
			"1 [0,84) resource http://a/ \"on\" (0 Content-Length 500 is too large, the block has 2 bytes)\n2 [84," +
				"143) metadata  \"two\"\n"},
		{"segments", rec("response", "WARC-Segment-Number: 1\n", "x") +
			rec("continuation", "WARC-Segment-Number: 2\n", "y"),
			"1 [0,81) response  \"x\" (0 segment 1 of a record, the others are not joined)\n2 [81,166) continuation  " +
				"\"y\" (81 continuation of a segmented record, not joined)\n"},
		{"truncated", rec("response", "WARC-Truncated: time\n", "x"),
			"1 [0,79) response  \"x\" (0 truncated by its writer: time)\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := short(t, strings.NewReader(tt.data), Options{}); got != tt.want {
				t.Errorf("records:\n%swant\n%s", got, tt.want)
			}
			whole := outline(t, strings.NewReader(tt.data), Options{})
			if got := outline(t, iotest.OneByteReader(strings.NewReader(tt.data)), Options{}); got != whole {
				t.Errorf("a byte at a time:\n%swant\n%s", got, whole)
			}
			for _, size := range effort.Pick([]int{1, 10, 64}, []int{7, 64}) {
				ranges(t, tt.name, []byte(tt.data), size)
			}
		})
	}
}

// Damage in compressed containers ends with the member.
func TestDamagedMembers(t *testing.T) {
	one, two, three := response("http://a/1", "<a href=1>"), response("http://a/2",
		strings.Repeat("<a href=2>", 100)), response("http://a/3", "<a href=3>")
	broken := func(s string, at int) string { return s[:at] + "\xff\xff\xff\xff" + s[at+4:] }
	for _, kind := range []struct {
		name   string
		pack   func(...string) string
		header string // the records if the header of the second member is damaged
		zeros  int    // defects if zeros follow
	}{{"gzip", gz, "1 3", 0}, {"stored", gzStored, "1 2 3", 0}, {"zstd", zst, "1 3", 1}} {
		p := kind.pack
		tests := []struct {
			name, data string
			want       string // "?" is a record with any content
			defects    int
		}{
			{"each its own", p(one, two, three), "1 2 3", 0},
			{"one over all", p(one + two + three), "1 2 3", 0},
			{"cut anywhere", p(one+two[:50], two[50:]+three[:9], three[9:]), "1 2 3", 0},
			{"an empty one", p("", one, "", two, "", three), "1 2 3", 0},
			{"the last cut short", p(one, two, three)[:len(p(one, two, three))-40], "1 2 ?", 1},
			{"a damaged one", p(one) + broken(p(two), len(p(two))/2) + p(three), "1 ? 3", 1},
			{"damaged at its start", p(one) + broken(p(two), 2) + p(three), kind.header, 1},
			{"the checksum", p(one) + broken(p(two), len(p(two))-8) + p(three), "1 ? 3", 1},
			{"empty ones around a damaged one",
				p(one, "", "") + broken(p(two), len(p(two))/2) + p("", "", three), "1 ? 3", 1},
			{"bytes between empty ones", p(one, "") + "junk" + p("", two, three), "1 2 3", 1},
			{"bytes between", p(one) + "junk" + p(two, three), "1 2 3", 1},
			{"zeros behind", p(one, two, three) + strings.Repeat("\x00", 1000), "1 2 3", kind.zeros},
			{"zeros before a member", p(one, two) + strings.Repeat("\x00", 1000) + p(three), "1 2 3", 1},
			{"zeros and a byte behind", p(one, two, three) + strings.Repeat("\x00", 1000) + "x", "1 2 3", 1},
			{"length too large", p(one, strings.Replace(two, "Content-Length: 1", "Content-Length: 7", 1), three),
				"1 2 3", 1},
			{"length past all bounds", p(one, strings.Replace(two, "Content-Length: ", "Content-Length: 99999999", 1),
				three), "1 2 3", 2},
		}
		for _, tt := range tests {
			t.Run(kind.name+"/"+tt.name, func(t *testing.T) {
				var got []string
				defects := 0
				for rec, err := range recordsOf(strings.NewReader(tt.data), Options{}) {
					if err != nil {
						break
					}
					got = append(got, strings.TrimPrefix(rec.TargetURI, "http://a/"))
					defects += len(rec.Defects)
				}
				if !like(got, tt.want) || (defects > 0) != (tt.defects > 0) {
					t.Errorf("got records %q, %d defects, want %q, %d", got, defects, tt.want, tt.defects)
				}
				whole := outline(t, strings.NewReader(tt.data), Options{})
				if got := outline(t, iotest.OneByteReader(strings.NewReader(tt.data)), Options{}); got != whole {
					t.Errorf("a byte at a time:\n%swant\n%s", got, whole)
				}
				for _, size := range effort.Pick([]int{29, 300}, []int{231}) {
					ranges(t, tt.name, []byte(tt.data), size)
				}
			})
		}
	}
}

// like reports whether records match a pattern.
func like(got []string, pattern string) bool {
	for i, want := range strings.Fields(pattern) {
		rest := strings.Fields(pattern)[i+1:]
		switch {
		case want != "?" && (len(got) == 0 || got[0] != want):
			return false
		case want == "?" && len(got) <= len(rest):
			continue
		}
		got = got[1:]
	}
	return len(got) == 0
}

func TestDictionary(t *testing.T) {
	dict := []byte(response("http://a/0", strings.Repeat("<a href=dictionary>", 20)))
	one, two := response("http://a/1", "<a href=dictionary>"), response("http://a/2", "<a href=dictionary>x")
	data := zstDict(dict, one, two)
	frames := len(data) - len(dict) - 8
	if plain := len(zst(one, two)); frames > plain*3/4 {
		t.Fatalf("the dictionary is not used: %d bytes, %d without it", frames, plain)
	}
	packed := string(skippable(magicDictFrame, zst(string(dict)))) + data[8+len(dict):]
	for name, data := range map[string]string{"as it is": data, "compressed": packed} {
		got := outline(t, strings.NewReader(data), Options{})
		if strings.Count(got, "\n") != 2 || !strings.Contains(got, "http://a/2") || strings.Contains(got, "damaged") {
			t.Errorf("%s: records:\n%s", name, got)
		}
		for _, size := range []int{23, 100} {
			ranges(t, name, []byte(data), size)
		}
	}
	broken := string(skippable(magicDictFrame, "\x37\xa4\x30\xecbroken"))
	for _, data := range []string{broken + zst(one), broken + zst(two)[:20] + zst(one), broken + "junk" + zst(one)} {
		got := outline(t, strings.NewReader(data), Options{})
		if !strings.Contains(got, "dictionary: ") || !strings.Contains(got, "http://a/1") {
			t.Errorf("a broken dictionary gives:\n%s", got)
		}
	}
	text := strings.Repeat("<a href=dictionary>", effort.Pick(600_000, 60_000))
	long := string(skippable(magicDictFrame, text)) + zst(one)
	pipe := NewReader(onlyReader{strings.NewReader(long)}, Options{Aligned: true})
	if rec, err := pipe.Next(); err != nil || rec.TargetURI != "http://a/1" {
		t.Errorf("a pipe with a long dictionary gives %+v, %v", rec, err)
	}
}

// Frames that hold no data are passed, and damaged frames are reported.
func TestFrames(t *testing.T) {
	one, two := numbered(1, "<a href=1>"), numbered(2, "<a href=2>")
	skip := string(skippable(magicSkippable, "skipped"))
	reserved := "\x28\xb5\x2f\xfd\x00\x00\x06\x00\x00"
	for _, tt := range []struct{ name, data, want string }{
		{"a skippable frame alone", skip, ""},
		{"skippable frames between others", zst(one) + skip + skip + zst(two), "1* 2*"},
		{"a skippable frame first", skip + zst(one), "1*"},
		{"a skippable frame at the end", zst(one) + skip, "1*"},
		{"half a skippable frame", zst(one) + skip[:10], "1*!"},
		{"a magic number at the end", zst(one) + zst(two)[:4], "1*!"},
		{"a header at the end", zst(one) + zst(two)[:6], "1*!"},
		{"a reserved block type", zst(one) + reserved + zst(two), "1*! 2*"},
		{"a skippable frame behind a damaged one", zst(one) + reserved + skip + zst(two), "1*! 2*"},
		{"half a frame before a skippable one", zst(one) + zst(two)[:20] + skip + zst(two), "1*! 2*"},
	} {
		if got := targets(t, strings.NewReader(tt.data)); got != tt.want {
			t.Errorf("%s: got the records %q, want %q", tt.name, got, tt.want)
		}
		if got := targets(t, iotest.OneByteReader(strings.NewReader(tt.data))); got != tt.want {
			t.Errorf("%s, a byte at a time: got the records %q, want %q", tt.name, got, tt.want)
		}
	}
}

// An archive that is stored inside an archive must not count as records of the outer one.
func TestArchiveInArchive(t *testing.T) {
	var small []string
	for i := range 200 {
		small = append(small, response(fmt.Sprintf("http://evil/%d", i), strings.Repeat("x", 100+i)))
	}
	bait := gz(small...)
	for name, data := range map[string]string{
		"plain": response("http://a/1", strings.Join(small, "")) + response("http://a/2", bait),
		"gzip":  gz(response("http://a/1", bait), response("http://a/2", bait)),
		"stored": gzStored(response("http://a/1", bait),
			response("http://a/2", strings.Repeat(bait, 9)), response("http://a/3", gzStored(bait))),
		"stored zstd": zst(response("http://a/1", bait), response("http://a/2", zst(small...))),
	} {
		got := outline(t, strings.NewReader(data), Options{})
		if strings.Contains(got, "evil") {
			t.Errorf("%s: records:\n%s", name, got)
		}
		for _, size := range effort.Pick([]int{997, 5000, 70000}, []int{9000}) {
			ranges(t, name, []byte(data), size)
		}
	}
}

// Members with compressed responses look as if they held members. Still, a range must be found
// without reading the archive from its start.
func TestRangeReadsLittle(t *testing.T) {
	var all []string
	for i := range effort.Pick(3000, 2000) {
		text := make([]byte, 1000)
		for j := range text {
			text[j] = byte(i * j * j >> 3)
		}
		all = append(all, response(fmt.Sprintf("http://a/%d", i), gzStored(string(text))))
	}
	for name, pack := range map[string]func(...string) string{"gzip": gzStored, "zstd": zst} {
		data := pack(all...)
		at := int64(len(data) / 2)
		count := &countingReader{r: strings.NewReader(data)}
		rd := NewReader(count, Options{Start: at, End: at + 3000})
		rec, err := rd.Next()
		if err != nil || rec.Offset < at || rec.Offset > at+3000 {
			t.Fatalf("%s: Next from %d: got %v, %v", name, at, rec, err)
		}
		if read, limit := count.n.Load(), effort.Pick[int64](1_000_000, 700_000); read > limit {
			t.Errorf("%s: %d of %d bytes read for a range of 3000, want %d at most", name, read, len(data), limit)
		}
	}
}

// countingReader counts the bytes that ReadAt returns. Several goroutines may read at once.
type countingReader struct {
	r *strings.Reader
	n atomic.Int64
}

func (c *countingReader) Read(p []byte) (int, error)                { return c.r.Read(p) }
func (c *countingReader) Seek(off int64, whence int) (int64, error) { return c.r.Seek(off, whence) }
func (c *countingReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.r.ReadAt(p, off)
	c.n.Add(int64(n))
	return n, err
}

func TestLimit(t *testing.T) {
	big := strings.Repeat("<a href=big>\n", 20000)
	one, two := response("http://a/1", big), response("http://a/2", "<a href=2>")
	for name, data := range map[string]string{"plain": one + two,
		"gzip": gz(one, two), "one gzip": gz(one + two), "zstd": zst(one, two)} {
		for _, r := range []io.Reader{strings.NewReader(data), iotest.HalfReader(strings.NewReader(data)),
			iotest.OneByteReader(strings.NewReader(data))} {
			got := short(t, r, Options{Limit: 1000})
			if strings.Count(got, "\n") != 2 ||
				!strings.Contains(got, "block of 260044 bytes is larger than the limit of 1000, not read") ||
				!strings.Contains(got, "<a href=2>") || strings.Contains(got, "big") {
				t.Errorf("%s: records:\n%s", name, got)
			}
		}
	}
	if got := short(t, strings.NewReader(rec("request", "", big)), Options{Limit: 1000}); strings.Contains(got, "(") {
		t.Errorf("a large request, which is no document, is reported: %s", got)
	}
}

// A wrong large length hides no record. Many of them cost only a bounded number of checks.
func TestWrongLimit(t *testing.T) {
	one := strings.Replace(response("http://a/1", "<a href=1>"), "Content-Length: ", "Content-Length: 9", 1)
	end := rec("metadata", "", strings.Repeat("x", 5000))
	for name, data := range map[string]string{"plain": strings.Repeat(one, 500) + end,
		"one gzip": gz(strings.Repeat(one, 500) + end)} {
		got := short(t, strings.NewReader(data), Options{Limit: 500})
		if n := strings.Count(got, "<a href=1>"); n != 500 {
			t.Errorf("%s: %d of 500 records", name, n)
		}
		if n := strings.Count(got, "is too large, the block has 54 bytes"); n != 500 {
			t.Errorf("%s: %d of 500 defects", name, n)
		}
	}
}

// If Start is aligned, reading begins exactly there, and counts from there.
func TestAligned(t *testing.T) {
	one, two, three := response("http://a/1", "1\n"), response("http://a/2", "2"), response("http://a/3", "3")
	for name, parts := range map[string][3]string{
		"plain": {one, two, three}, "gzip": {gz(one), gz(two), gz(three)}, "zstd": {zst(one), zst(two), zst(three)},
	} {
		data := parts[0] + parts[1] + parts[2]
		rd := NewReader(strings.NewReader(data), Options{Start: int64(len(parts[0])), Aligned: true})
		for n := 2; n <= 3; n++ {
			rec, err := rd.Next()
			if err != nil || rec.Number != n-1 || rec.TargetURI != fmt.Sprintf("http://a/%d", n) {
				t.Fatalf("%s: Next: got %+v, %v, want record %d", name, rec, err, n)
			}
			if want := int64(1 + 11*(n-2)); name == "plain" && rec.Line != want {
				t.Errorf("record %d: got line %d, want %d", n, rec.Line, want)
			}
		}
	}
}

func TestDocuments(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
	page := "<a href=x>"
	http := "WARC-Target-URI: http://a/b/\nContent-Type: application/http; msgtype=response\n"
	html := "WARC-Target-URI: http://a/b/\nContent-Type: text/html;charset=utf-8\n"
	tests := []struct{ name, record, want string }{
		{"response", rec("response", http, head+page), "x http://a/b/x"},
		{"response in capitals", rec("Response", http, head+page), "x http://a/b/x"},
		{"response without a type", rec("response", "WARC-Target-URI: http://a/b/\n", head+page), "x http://a/b/x"},
		{"response of another type", rec("response", html, head+page), "x http://a/b/x"},
		{"response without heading", rec("response", html, page), "x http://a/b/x"},
		{"resource", rec("resource", html, page), "x http://a/b/x"},
		{"conversion", rec("conversion", html, page), "x http://a/b/x"},
		{"no target", rec("resource", "Content-Type: text/html\n", page), "x http://default/x"},
		{"revisit", rec("revisit", http, head), ""},
		{"revisit with a body", rec("revisit", http, head+page), ""},
		{"revisit without a type", rec("revisit", "WARC-Target-URI: http://a/b/\n", head), ""},
		{"revisit of another type", rec("revisit", html, head), ""},
		{"revisit without a heading", rec("revisit", html, page), "none"},
		{"revisit of no HTTP without a type",
			rec("revisit", "WARC-Target-URI: dns:a\n", "20260102030405\n1.2.3.4"), "none"},
		{"empty revisit", rec("revisit", "WARC-Target-URI: http://a/b/\n", ""), "none"},
		{"metadata", rec("metadata", html, page), "none"},
		{"metadata of Heritrix",
			rec("metadata", "WARC-Target-URI: http://a/b/\nContent-Type: Application/WARC-Fields; a=b\n",
				"via: http://c/\r\nOutlink: http://d/x L a/@href\r\noutlink: y\r\n"),
			"http://d/x http://d/x\ny http://a/b/y"},
		{"metadata in ANVL", rec("metadata", "WARC-Target-URI: http://a/b/\nContent-Type: Text/ANVL; charset=utf-8\n",
			"seed: \r\noutlink: y E =LINK\r\n"), "y http://a/b/y"},
		{"metadata in ANVL without links", rec("metadata", "WARC-Target-URI: http://a/b/\nContent-Type: text/anvl\n",
			"seed: http://c/\r\n"), "none"},
		{"metadata without links", rec("metadata",
			"WARC-Target-URI: http://a/b/\nContent-Type: application/warc-fields\n", "via: http://c/\r\n"), "none"},
		{"metadata of another type", rec("metadata", "WARC-Target-URI: http://a/b/\nContent-Type: text/plain\n",
			"outlink: http://d/x\r\n"), "none"},
		{"metadata in WAT", rec("metadata", "WARC-Target-URI: http://a/b/\nContent-Type: Application/JSON; a=b\n",
			`{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":`+
				`{"Links":[{"path":"A@/href","url":"x"}]}}}}}`), "x http://a/b/x"},
		{"metadata in other JSON", rec("metadata", "WARC-Target-URI: http://a/b/\nContent-Type: application/json\n",
			`{"Links":[{"path":"A@/href","url":"x"}]}`), "none"},
		{"warcinfo with a link", rec("warcinfo", "Content-Type: application/warc-fields\n", "outlink: http://d/x\r\n"),
			"none"},
		{"request", rec("request", http, "GET / HTTP/1.1\r\n\r\n"), "none"},
		{"warcinfo", rec("warcinfo", "", "x: y"), "none"},
		{"first segment", rec("response", http+"WARC-Segment-Number: 1\n", head+page), "x http://a/b/x"},
		{"second segment", rec("response", http+"WARC-Segment-Number: 2\n", page), "none"},
		{"dns", rec("response", "WARC-Target-URI: dns:a\nContent-Type: text/dns\n", page), "unknown"},
	}
	outer := &base.Layer{Source: base.DefaultBase, Value: "http://default/"}
	for _, tt := range tests {
		rec, err := firstOf(strings.NewReader(tt.record), Options{})
		if err != nil {
			t.Fatalf("%s: Next: %v", tt.name, err)
		}
		if got := documentLinks(t, rec, outer, tt.record); got != tt.want {
			t.Errorf("%s: links: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Metadata in JSON that is not valid is named at its block. A WAT record is left to its reader.
func TestInvalidJSON(t *testing.T) {
	const fields = "WARC-Target-URI: http://a/b/\nContent-Type: Application/JSON; a=b\n"
	tests := []struct {
		record string
		want   bool
	}{
		{rec("metadata", fields, `{"Container":{"Compressed":tr`), true},
		{rec("metadata", fields, `{"Container":{},"Enve`), true},
		{rec("metadata", fields, `{'Envelope':{}}`), true},
		{rec("metadata", fields, ""), true},
		{rec("metadata", fields, `{"Envelope":`), false},
		{rec("metadata", fields, `{"a":1}`), false},
		{rec("metadata", "Content-Type: text/plain\n", `{`), false},
		{rec("resource", fields, `{`), false},
	}
	for _, tt := range tests {
		for _, data := range []string{tt.record, rec("warcinfo", "", "x: y") + tt.record} {
			var got *Record
			for r, err := range recordsOf(strings.NewReader(data), Options{}) {
				if err != nil {
					t.Fatal(err)
				}
				got = r
			}
			found := len(got.Defects) == 1 && got.Defects[0].Text == "metadata in JSON that is not valid"
			if found != tt.want || len(got.Defects) > 1 {
				t.Errorf("%q: got the defects %v, want one: %v", data, got.Defects, tt.want)
			}
			block := int64(strings.LastIndex(data, "\r\n\r\n{")) + 4
			if found && block > 4 && got.Defects[0].Offset != block {
				t.Errorf("%q: got the offset %d, want %d", data, got.Defects[0].Offset, block)
			}
		}
	}
}

// documentLinks lists the links of a record, and compares their places with the archive.
func documentLinks(t *testing.T, rec *Record, outer *base.Layer, archive string) string {
	t.Helper()
	m := rec.Message(httpmsg.Options{})
	if m == nil {
		return "none"
	}
	body, err := m.Body()
	if err != nil {
		t.Fatalf("Body: %v", err)
	}
	d := body.Doc(rec.Layer(outer))
	if d.Format == extract.Unknown {
		return "unknown"
	}
	var r extract.Resolver
	var all []string
	for l := range r.Links(d) {
		all = append(all, fmt.Sprintf("%s %s", l.Value, l.URI))
		in, ok := body.Source(l.Span)
		if s, raw := rec.Source(in); !ok || !raw || archive[s.Start:s.End] != string(l.Value) {
			t.Errorf("%q stands at %v, %v, %v", l.Value, s, ok, raw)
		}
	}
	return strings.Join(all, "\n")
}

// The error of the reader comes after the records before it.
func TestReaderError(t *testing.T) {
	broken := errors.New("broken")
	a := response("http://a/", "x")
	for name, data := range map[string]string{"plain": a + a, "gzip": gz(a, a), "zstd": zst(a, a)} {
		rd := NewReader(io.MultiReader(strings.NewReader(data), iotest.ErrReader(broken)), Options{})
		for n := 1; ; n++ {
			_, err := rd.Next()
			if err == nil {
				continue
			}
			if n != 3 || err != broken {
				t.Errorf("%s: Next number %d: got %v, want %v at 3", name, n, err, broken)
			}
			break
		}
	}
}

// Records do not change while reading continues.
func TestRecordsStay(t *testing.T) {
	var data strings.Builder
	for i := range 500 {
		data.WriteString(response(fmt.Sprintf("http://a/%d", i), strings.Repeat(fmt.Sprint(i), 1+i*i%4000)))
	}
	var all []*Record
	var copies [][]byte
	for rd := NewReader(strings.NewReader(data.String()), Options{}); ; {
		rec, err := rd.Next()
		if err != nil {
			break
		}
		all, copies = append(all, rec), append(copies, bytes.Clone(rec.Data))
	}
	for i, rec := range all {
		if uri, _ := rec.Get("WARC-Target-URI"); !bytes.Equal(rec.Data, copies[i]) ||
			uri != fmt.Sprintf("http://a/%d", i) {
			t.Errorf("record %d changed after Next", i)
		}
	}
	if len(all) != 500 {
		t.Errorf("%d records, want 500", len(all))
	}
}

// Readers share no memory: the records of each stay as they are until their release, whatever the
// sizes of records and the order of releases are.
func TestReadersShareNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	type held struct {
		rec  *Record
		want string
	}
	var readers []*Reader
	var rest [][]string
	for i := range 4 {
		var texts []string
		for n := range 30 {
			size := []int{10, 1000, minWindow / 2, minWindow, 2 * minWindow, 5 * minWindow}[random.IntN(6)]
			texts = append(texts, numbered(n, strings.Repeat(string(rune('a'+i*7+n%7)), random.IntN(size))))
		}
		data := joined(texts...)
		if i%2 > 0 {
			data = gz(texts...)
		}
		readers = append(readers, NewReader(strings.NewReader(data), Options{}))
		rest = append(rest, texts)
	}
	var all []held
	for left := 4 * 30; left > 0 || len(all) > 0; {
		i := random.IntN(len(readers))
		if len(rest[i]) > 0 && len(all) < 8 {
			rec, err := readers[i].Next()
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, held{rec, strings.TrimSuffix(rest[i][0], "\r\n\r\n")})
			rest[i] = rest[i][1:]
			left--
			continue
		}
		if len(all) == 0 {
			continue
		}
		k := random.IntN(len(all))
		if got := string(all[k].rec.Data); got != all[k].want {
			t.Fatalf("record %d of %d bytes changed before its release", all[k].rec.Number, len(got))
		}
		all[k].rec.Release()
		all = slices.Delete(all, k, k+1)
	}
}

// Bytes after the last gzip member lose nothing: NULs are not reported, and other bytes are a minor
// defect. A member with a damaged header is a loss, and so are bytes between members.
func TestTail(t *testing.T) {
	one, two := gz(response("http://a/1", "<a href=1>")), gz(response("http://a/2", "<a href=2>"))
	zeros := strings.Repeat("\x00", 100_000)
	tests := []struct{ name, data, want string }{
		{"nothing", one, ""},
		{"a NUL", one + "\x00", ""},
		{"NULs", one + two + zeros, ""},
		{"a byte", one + "x", "minor: 1 bytes behind the last gzip member"},
		{"text", one + two + "signature\n", "minor: 10 bytes behind the last gzip member"},
		{"NULs and text", one + zeros + "x", "minor: 100001 bytes behind the last gzip member"},
		{"much text", one + strings.Repeat("text ", 50_000), "minor: 250000 bytes behind the last gzip member"},
		{"text between", one + "text" + two, "4 bytes that are no gzip member"},
		{"NULs between", one + zeros + two, "100000 bytes that are no gzip member"},
		{"the beginning of a member", one + two[:1], "1 bytes that are no gzip member"},
		{"another beginning", one + two[:2], "2 bytes that are no gzip member"},
		{"a damaged identification", one + "\x1f\x8a" + two[2:], fmt.Sprintf("%d bytes that are no gzip member",
			len(two))},
		{"another method", one + "\x1f\x8b\x07" + two[3:], fmt.Sprintf("%d bytes that are no gzip member", len(two))},
	}
	for _, tt := range tests {
		for _, in := range []io.Reader{strings.NewReader(tt.data), pieces{strings.NewReader(tt.data), 1000}} {
			var got []string
			for rec, err := range recordsOf(in, Options{}) {
				if err != nil {
					break
				}
				for _, d := range rec.Defects {
					text := d.Text
					if d.Minor {
						text = "minor: " + text
					}
					got = append(got, text)
				}
				if end := int64(len(tt.data)); rec.End != end && !strings.Contains(tt.data[rec.End:], "\x1f\x8b") {
					t.Errorf("%s: the record ends at %d, want %d", tt.name, rec.End, end)
				}
			}
			if strings.Join(got, "|") != tt.want {
				t.Errorf("%s: defects: got %q, want %q", tt.name, got, tt.want)
			}
		}
		ranges(t, tt.name, []byte(tt.data), max(1, len(tt.data)/9))
	}
}

// A record whose header is cut does not take the header of the next record, and a page is not
// resolved against half a URI. A URI may look like the beginning of a record.
func TestCutHeader(t *testing.T) {
	one, two, three := numbered(1, "<a href=1>"), numbered(2, "<a href=2>"), numbered(3, "<a href=3>")
	end := strings.Index(two, "\r\n\r\n")
	for at := len("WARC/1.1\r\nWARC-Type: response\r\n"); at < end; at++ {
		for name, data := range map[string]string{
			"plain": one + two[:at] + three + one, "mixed": gz(one) + two[:at] + three + gz(one), "members": gz(one,
				two[:at]+three, one),
		} {
			got := strings.Fields(targets(t, strings.NewReader(data)))
			if len(got) != 4 || strings.Trim(got[2], "*") != "3" || !strings.HasSuffix(got[1], "!") ||
				strings.Contains(got[1], "WARC") {
				t.Errorf("%s, cut after %q: got records %q, want 1, a damaged one, 3, 1", name, two[:at], got)
			}
			if at%effort.Pick(16, 48) == 0 {
				cutAnywhere(t, data, 1+len(data)/20)
			}
		}
	}
	for _, uri := range []string{"http://a/WARC/1.0", "http://a/?WARC/1.1"} {
		data := rec("resource", "WARC-Target-URI: "+uri+"\nWARC-Record-ID: <urn:x:1>\n", "<a href=x>")
		for _, data := range []string{data, gz(data), gz(one) + data} {
			if got := uris(t, data); !strings.HasSuffix(got, uri) {
				t.Errorf("a target that looks like a record: got %q, want %q", got, uri)
			}
		}
	}
}

// Several fields with one length lose nothing. Fields with different lengths may.
func TestSeveralLengths(t *testing.T) {
	for other, minor := range map[string]bool{"3": true, "03": false, "9": false, "": false, "abc": false} {
		data := strings.Replace(rec("resource", "", "one"), "Length: 3", "Length: 3\r\nContent-Length: "+other, 1)
		r, err := firstOf(strings.NewReader(data), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Defects) != 1 || r.Defects[0].Minor != minor {
			t.Errorf("lengths 3 and %q: got defects %v, want one, minor: %t", other, r.Defects, minor)
		}
		r.Release()
	}
}

// A limit of any size holds, and a negative Start is the beginning of the archive.
func TestLargestOptions(t *testing.T) {
	a := rec("resource", "WARC-Target-URI: http://a/\n", "one")
	broken := strings.Replace(a, "Content-Length: 3", "Content-Length: 9223372036854775807", 1)
	none := strings.Replace(a, "Content-Length: 3\r\n", "", 1)
	for _, data := range []string{a + a, "x" + a, broken + a, none + a, gz(broken, a), gz(none, a), ""} {
		want := short(t, strings.NewReader(data), Options{})
		for _, o := range []Options{{Limit: math.MaxInt}, {Limit: math.MaxInt - 1}, {Start: -1},
			{Start: math.MinInt64}, {Start: -1, Aligned: true}, {Start: -1, Indexed: true}, {Start: -1, Ahead: 2}} {
			wantHere := want
			if o.Aligned || o.Indexed {
				start := o
				start.Start = 0
				wantHere = short(t, strings.NewReader(data), start)
			}
			if got := short(t, strings.NewReader(data), o); got != wantHere {
				t.Errorf("%+v: file %q:\ngot  %swant %s", o, data, got, wantHere)
			}
			if o.Aligned || o.Indexed {
				continue
			}
			if got := short(t, iotest.DataErrReader(strings.NewReader(data)), o); got != wantHere {
				t.Errorf("%+v: pipe %q:\ngot  %swant %s", o, data, got, wantHere)
			}
		}
	}
}

// Later segments have the same mark, whatever type of record they are.
func TestSegment(t *testing.T) {
	for data, want := range map[string]bool{
		rec("response", "WARC-Segment-Number: 1\n", ""):     false,
		rec("response", "WARC-Segment-Number: 2\n", ""):     true,
		rec("continuation", "WARC-Segment-Number: 2\n", ""): true,
		rec("continuation", "", ""):                         true,
		rec("metadata", "", ""):                             false,
	} {
		r, err := firstOf(strings.NewReader(data), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.segment != want || want && r.Document() {
			t.Errorf("%q: later segment: got %t, want %t; document: %t", data, r.segment, want, r.Document())
		}
		r.Release()
	}
}

// In a plain archive, the line of a record follows from the line ends before it. In a compressed
// archive it is unknown.
func TestLines(t *testing.T) {
	var plain string
	var members []string
	for i := range 9 {
		text := numbered(i, strings.Repeat("x\n", i*i))
		plain += text
		members = append(members, text)
	}
	for name, data := range map[string]string{"plain": plain, "stray bytes": "junk\n\njunk" + plain,
		"gzip": gz(members...), "zstd": zst(members...), "one gzip": gz(plain)} {
		for rec, err := range recordsOf(strings.NewReader(data), Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			want := int64(0)
			if !rec.Compressed {
				want = 1 + int64(strings.Count(data[:rec.Offset], "\n"))
			}
			if rec.Line != want || rec.Compressed != (name != "plain" && name != "stray bytes") {
				t.Errorf("%s: record at %d: got line %d, compressed %v, want line %d",
					name, rec.Offset, rec.Line, rec.Compressed, want)
			}
			rec.Release()
		}
	}
}

// The lines stay right after a block above the limit, whose length may be wrong.
func TestLinesOverLimit(t *testing.T) {
	for _, length := range []string{"", "9", "99999"} {
		one := numbered(1, strings.Repeat("x\n", minWindow))
		one = strings.Replace(one, "Content-Length: ", "Content-Length: "+length, 1)
		data := one + numbered(2, "") + one + numbered(3, "\n\n") + numbered(4, "")
		n := 0
		for rec, err := range recordsOf(strings.NewReader(data), Options{Limit: 100}) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			if want := int64(1 + strings.Count(data[:rec.Offset], "\n")); rec.Line != want {
				t.Errorf("length %s…: record %d at %d: got line %d, want %d", length, n, rec.Offset, rec.Line, want)
			}
			rec.Release()
		}
		if n != 5 {
			t.Errorf("length %s…: got %d records, want 5", length, n)
		}
	}
}

// A header of any size up to maxHeader is read as a whole, and so is its block.
func TestLongHeader(t *testing.T) {
	var rd Reader
	for _, size := range []int{100, 4 << 10, 16 << 10, minWindow, 256 << 10, maxHeader} {
		around := effort.Pick(3, 1)
		for off := -around; off <= around; off++ {
			one := rec("resource", "WARC-Target-URI: http://a/\nX: %s\n", "one")
			head := strings.Index(one, "one")
			one = strings.Replace(one, "%s", strings.Repeat("y", size+off-head+len("%s")), 1)
			files := map[string]string{"plain": one, "gzip": gz(one), "zstd": zst(one)}
			if size <= 16<<10 { // the header of a plain record among members must fit in a buffer
				files["behind a member"] = gz(rec("warcinfo", "", "")) + one
			}
			for name, data := range files {
				want := fmt.Sprintf("http://a/ \"one\" %d []", size+off)
				if size+off > maxHeader {
					want = ""
				}
				rd.Reset(strings.NewReader(data), Options{})
				rec, err := rd.Next()
				if err == nil && rec.Type == "warcinfo" {
					rec, err = rd.Next()
				}
				if err != nil {
					t.Fatalf("%s, a header of %d bytes: %v", name, size+off, err)
				}
				got := fmt.Sprintf("%s %q %d %v", rec.TargetURI, rec.block(), rec.Block.Start, rec.Defects)
				if want == "" && len(rec.Defects) == 0 || want != "" && got != want {
					t.Errorf("%s, a header of %d bytes: got %.100s, want %q", name, size+off, got, want)
				}
				rec.Release()
			}
		}
	}
}

// RecordAfter is the offset of the first record after a range, if a Reader may begin there.
func TestRecordAfter(t *testing.T) {
	var r Reader
	one, two, three := numbered(1, "<a href=1>"), numbered(2, "<a href=2>"), numbered(3, "<a href=3>")
	for name, parts := range map[string][]string{
		"plain": {one, two, three}, "gzip": {gz(one), gz(two), gz(three)}, "zstd": {zst(one), zst(two), zst(three)},
		"mixed":                {gz(one), two, gz(three)},
		"one member":           {gz(one + two + three)},
		"records over members": {gz(one+two[:30]) + gz(two[30:]+three[:9]) + gz(three[9:])},
	} {
		data := strings.Join(parts, "")
		var starts []int64
		at := 0
		for _, part := range parts {
			starts = append(starts, int64(at))
			at += len(part)
		}
		ends := []int{1, len(data) - 1, len(data)}
		for end := 2; end < len(data); end += effort.Pick(1, 13) {
			ends = append(ends, end)
		}
		for _, start := range starts[1:] {
			ends = append(ends, int(start)-1, int(start), int(start)+1)
		}
		for _, end := range ends {
			want := int64(0)
			for _, start := range starts {
				if want == 0 && start >= int64(end) {
					want = start
				}
			}
			for _, in := range []io.Reader{strings.NewReader(data), onlyReader{strings.NewReader(data)}} {
				r.Reset(in, Options{End: int64(end)})
				for rec := range r.All() {
					rec.Release()
				}
				if got := r.RecordAfter(); got != want {
					t.Errorf("%s: RecordAfter of [0, %d): got %d, want %d", name, end, got, want)
				}
			}
		}
	}
}

// With Indexed, a Reader of gzip members reads no byte outside of the range: each may have to be
// retrieved.
func TestReadsOnlyTheRange(t *testing.T) {
	line := "http://a/2 1.2.3.4 20200102030405 text/html 10\n<a href=2>\n"
	for name, part := range map[string]string{"WARC": gz(numbered(2, "<a href=2>")), "ARC": gz(line)} {
		file := part + part + part
		start, end := int64(len(part)), int64(2*len(part))
		in := within{strings.NewReader(file), start, end, t}
		r := NewReader(io.NewSectionReader(in, 0, int64(len(file))), Options{Start: start, End: end, Indexed: true})
		rec, err := r.Next()
		if err != nil || rec.TargetURI != "http://a/2" || len(rec.Defects) > 0 {
			t.Errorf("%s: Next: got %+v, %v, want record 2", name, rec, err)
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("%s: Next: got error %v, want EOF", name, err)
		}
	}
}

// within reports an error if bytes before start or after end are read.
type within struct {
	io.ReaderAt
	start, end int64
	t          *testing.T
}

func (w within) ReadAt(p []byte, off int64) (int, error) {
	if off < w.start || off+int64(len(p)) > w.end {
		w.t.Errorf("ReadAt(%d) of %d bytes is not within %d and %d", off, len(p), w.start, w.end)
	}
	return w.ReaderAt.ReadAt(p, off)
}

// With Aligned or Indexed, a Reader of a plain or gzip file reads no byte before Start.
func TestReadsFromStart(t *testing.T) {
	one, two := numbered(1, "<a href=1>"), numbered(2, "<a href=2>")
	for name, parts := range map[string][2]string{"plain": {one, two}, "gzip": {gz(one), gz(two)},
		"mixed": {gz(one), two}, "mixed, plain first": {one, gz(two)}, "behind junk": {"junk", gz(two)}} {
		start := int64(len(parts[0]))
		for _, o := range []Options{{Start: start, Aligned: true}, {Start: start, End: start + 1, Indexed: true}} {
			file := fileFrom{strings.NewReader(parts[0] + parts[1]), start, t}
			rec, err := firstOf(io.NewSectionReader(file, 0, start+int64(len(parts[1]))), o)
			if err != nil || rec.TargetURI != "http://a/2" || len(rec.Defects) > 0 {
				t.Errorf("%s, %+v: Next: got %+v, %v, want record 2", name, o, rec, err)
			}
		}
	}
}

// fileFrom reports an error if bytes before an offset are read.
type fileFrom struct {
	io.ReaderAt
	from int64
	t    *testing.T
}

func (f fileFrom) ReadAt(p []byte, off int64) (int, error) {
	if off < f.from {
		f.t.Errorf("ReadAt(%d) before offset %d", off, f.from)
	}
	return f.ReaderAt.ReadAt(p, off)
}

// Ranges of an archive are found if its members are larger than the buffers.
func TestRangesOfLargeMembers(t *testing.T) {
	var all []string
	for i := range 9 {
		page := make([]byte, readBuffer*(1+i%3)+i*1000)
		for j := range page {
			page[j] = byte(' ' + (i+j)*(j%251)*7%90)
		}
		all = append(all, numbered(i, string(page)))
	}
	for name, pack := range map[string]func(...string) string{"gzip": gzStored, "zstd": zst, "plain": joined} {
		data := []byte(pack(all...))
		for _, size := range effort.Pick([]int{readBuffer - 3, readBuffer, 3 * readBuffer}, []int{readBuffer}) {
			ranges(t, name, data, size)
		}
	}
}

// A block above the limit that holds an archive gives no record, whatever record follows it.
func TestArchiveOverLimit(t *testing.T) {
	inner := strings.Repeat(response("http://evil/", strings.Repeat("x", 100)), 30)
	large := response("http://a/1", inner)
	two := numbered(2, "<a href=2>")
	ends := strings.Repeat("\r\n", 20)
	for name, data := range map[string]string{"plain": large + two, "then a member": large + gz(two),
		"then a stored member": large + gzStored(two), "then many line ends": large + ends + gz(two),
		"members": gz(large, two), "at the end": large, "one member": gz(large + two), "frames": zst(large, two)} {
		for _, in := range []io.Reader{strings.NewReader(data), onlyReader{strings.NewReader(data)}} {
			got := ""
			for rec, err := range recordsOf(in, Options{Limit: 900}) {
				if err != nil {
					t.Fatal(err)
				}
				got += fmt.Sprint(" ", rec.TargetURI, " ", rec.Skipped, len(rec.Defects))
				rec.Release()
			}
			skipped := len(large) - strings.Index(large, "HTTP/") - len("\r\n\r\n")
			want := fmt.Sprint(" http://a/1 ", skipped, 1, " http://a/2 ", 0, 0)
			if name == "at the end" {
				want = want[:strings.Index(want, " http://a/2")]
			}
			if got != want {
				t.Errorf("%s: got the records%s, want%s", name, got, want)
			}
		}
	}
}

// A range in which no record begins is found to be empty without reading the archive.
func TestEmptyRangeReadsLittle(t *testing.T) {
	var all []string
	for i := range 4 {
		page := make([]byte, 1<<20)
		for j := range page {
			page[j] = byte(i + j*j>>3)
		}
		all = append(all, numbered(i, string(page)))
	}
	data := gzStored(all...)
	for at := int64(2<<20 + 300_000); at < 2_900_000; at += 100_000 {
		count := &countingReader{r: strings.NewReader(data)}
		if rec, err := firstOf(count, Options{Start: at, End: at + 50_000}); err != io.EOF {
			t.Errorf("Next from %d: got %v, %v, want io.EOF", at, rec, err)
		}
		if most := int64(300_000); count.n.Load() > most {
			t.Errorf("an empty range at %d: %d bytes were read, want at most %d", at, count.n.Load(), most)
		}
	}
}
