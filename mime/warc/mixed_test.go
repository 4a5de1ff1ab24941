package warc

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"absolink/testdata/effort"
)

// numbered returns a plain record whose target is a number.
func numbered(n int, body string) string { return response(fmt.Sprintf("http://a/%d", n), body) }

// readers holds Readers for other archives: a new Reader needs much new memory.
var readers = sync.Pool{New: func() any { return new(Reader) }}

// recordsOf returns all records of an archive.
func recordsOf(in io.Reader, o Options) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		r := readers.Get().(*Reader)
		defer readers.Put(r)
		r.Reset(in, o)
		r.All()(yield)
	}
}

// firstOf returns the first record of an archive. It is valid until a reader is taken again.
func firstOf(in io.Reader, o Options) (*Record, error) {
	r := readers.Get().(*Reader)
	defer readers.Put(r)
	r.Reset(in, o)
	return r.Next()
}

// targets returns the numbers of the records of an archive. A record with a defect gets an "!", and
// a record whose bytes are not in the archive gets a "*".
func targets(t *testing.T, r io.Reader) string { return targetsIn(t, r, Options{}) }

// targetsIn does the same with options.
func targetsIn(t *testing.T, r io.Reader, o Options) string {
	t.Helper()
	var all []string
	rd := readers.Get().(*Reader)
	defer readers.Put(rd)
	for rd.Reset(r, o); ; {
		rec, err := rd.Next()
		if err == io.EOF {
			return strings.Join(all, " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		s := strings.TrimPrefix(rec.TargetURI, "http://a/")
		if rec.Compressed {
			s += "*"
		}
		if len(rec.Defects) > 0 {
			s += "!"
		}
		all = append(all, s)
		rec.Release()
	}
}

// Plain records after gzip members are read, and members after plain records.
func TestMixed(t *testing.T) {
	one, two, three, four := numbered(1, "<a href=1>"), numbered(2,
		strings.Repeat("<a href=2>", 100)), numbered(3, "<a href=3>"), numbered(4, "")
	bare := strings.TrimRight(two, "\r\n")
	large := numbered(5, strings.Repeat("<a href=5>", effort.Pick(20_000, 7_000)))
	inner := rec("resource", "WARC-Target-URI: http://a/6\n", gz(one, three)+"x")
	length := func(s, n string) string {
		at := strings.Index(s, "Content-Length: ") + len("Content-Length: ")
		return s[:at] + n + s[at+strings.Index(s[at:], "\r"):]
	}
	tests := []struct{ name, data, want string }{
		{"a plain record behind a member", gz(one) + two, "1* 2"},
		{"members behind a plain record", one + gz(two, three), "1 2* 3*"},
		{"in turn", gz(one) + two + gz(three) + four, "1* 2 3* 4"},
		{"in turn, plain first", one + gz(two) + three + gz(four), "1 2* 3 4*"},
		{"several of each", gz(one, two) + three + four + gz(one, two) + three, "1* 2* 3 4 1* 2* 3"},
		{"a member of several records", gz(one+two) + three + gz(four+one) + two, "1* 2* 3 4* 1* 2"},
		{"stored members", gzStored(one) + two + gzStored(three), "1* 2 3*"},
		{"line ends before a plain record", gz(one) + "\r\n\r\n" + two, "1* 2"},
		{"many line ends behind one", gz(one) + two + strings.Repeat("\r\n", 200) + gz(three), "1* 2 3*"},
		{"many line ends behind one, plain first", two + strings.Repeat("\n", 200) + gz(three), "2 3*"},
		{"no line ends behind one", gz(one) + bare + gz(three) + bare + one, "1* 2 3* 2 1"},
		{"no line ends behind one, plain first", bare + gz(three), "2 3*"},
		{"LF alone", gz(one) +
			"WARC/1.0\nWARC-Type: resource\nWARC-Target-URI: http://a/3\nContent-Length: 1\n\nx\n\n" +
			gz(four), "1* 3 4*"},
		{"a length that is too large by a little", gz(one) + length(two, "1056") + gz(three), "1* 2! 3*"},
		{"a length that is too large", gz(one) + length(two, "1100") + gz(three) + four, "1* 2! 3* 4"},
		{"a length that is too large, plain first", length(two, "1100") + gz(three) + four, "2! 3* 4"},
		{"a length beyond the end, plain first", length(two, "99999") + gz(three) + four, "2! 3* 4"},
		{"a length that is too small, plain first", length(two, "100") + gz(three) + four, "2! 3* 4"},
		{"no length, plain first", length(two, "x") + gz(three) + four, "2! 3* 4"},
		{"a long block without a length, plain first", length(large, "x") + gz(three) + four, "5! 3* 4"},
		{"a long block without a length, and a plain record", length(large, "x") + one + gz(three), "5! 1 3*"},
		{"a large one", gz(one) + large + gz(three) + large, "1* 5 3* 5"},
		{"a large one first", large + gz(three) + large, "5 3* 5"},
		{"an archive in a plain record", gz(one) + inner + two, "1* 6 2"},
		{"an archive in a plain record, plain first", one + inner + gz(two), "1 6 2*"},
		{"a plain record in a member", gz(rec("resource", "WARC-Target-URI: http://a/6\n", one+three)) + two, "6* 2"},
		{"empty members", gz("", one, "") + two + gz("", three), "1* 2 3*"},
		{"a plain record cut short", gz(one) + two[:len(two)-50], "1* 2!"},
		{"junk behind a plain record", gz(one) + two + "junk" + gz(three), "1* 2! 3*"},
		{"junk behind a plain record, plain first", two + "junk" + gz(three), "2! 3*"},
		{"a line end and junk behind a plain record", gz(one) + two[:len(two)-2] + "junk\r\n\r\n" + gz(three),
			"1* 2! 3*"},
		{"junk between plain records", gz(one) + two + "junk\n" + three + gz(four), "1* 2! 3 4*"},
		{"a length that is too small", gz(one) + length(two, "100") + gz(three), "1* 2! 3*"},
		{"no length", gz(one) + length(two, "x") + gz(three), "1* 2! 3*"},
		{"no length, then a plain record", gz(one) + length(two, "x") + three + gz(four), "1* 2! 3 4*"},
		{"no length at the end", gz(one) + length(two, "x"), "1* 2!"},
		{"a length beyond the end", gz(one) + length(two, "99999") + gz(three) + four, "1* 2! 3* 4"},
		{"a length beyond the end, then a plain record", gz(one) + length(two, "99999") + three + gz(four),
			"1* 2! 3 4*"},
		{"a plain record cut short before a plain one", gz(one) + two[:len(two)-100] + three + gz(four), "1* 2! 3 4*"},
		{"a plain record cut short before a member", gz(one) + two[:len(two)-100] + gz(three, four), "1* 2! 3* 4*"},
		{"cut short twice among members", gz(one) + two[:len(two)-100] + three[:len(three)-20] + four + gz(one),
			"1* 2! 3! 4 1*"},
		{"cut short in a plain archive", one + two[:len(two)-100] + three + four, "1 2! 3 4"},
		{"cut short twice in a plain archive", one + two[:len(two)-100] + three[:len(three)-20] + four + one,
			"1 2! 3! 4 1"},
		{"cut short to less than a record", one + two[:len(two)-900] + three + four + one, "1 2! 3 4 1"},
		{"a length that is too small, no line ends", one + length(bare, "100") + three + four, "1 2! 3 4"},
		{"no length, no line ends", one + length(bare, "x") + three + four, "1 2! 3 4"},
		{"behind a member that is cut short", gz(one) + gz(two)[:60] + three + gz(four), "1*! 3 4*"},
		{"behind the header of a member", gz(one) + gz(two)[:10] + three + gz(four), "1*! 3 4*"},
		{"behind a piece of that header", gz(one) + gz(two)[:3] + three + four, "1*! 3 4"},
		{"behind a member with a wrong checksum", gz(one) + spoilt(two) + three + gz(four), "1* 2*! 3 4*"},
		{"behind one and line ends", gz(one) + spoilt(two) + "\r\n" + three + gz(four), "1* 2*! 3 4*"},
		{"behind a stored member that is cut short", gz(one) + gzStored(two)[:600] + three + four, "1* 2*! 3* 4*!"},
		{"behind a stored member that is damaged in its middle", gz(one) + spoiltBlock(large) + three + gz(four),
			"1* 5*! 3 4*"},
		{"behind junk", gz(one) + "junk" + three + gz(four), "1*! 3 4*"},
		{"behind damage, a record that is no record", gz(one) + spoilt(two) + "WARC/1.1 is a version\r\n" + gz(four),
			"1* 2*! 4*"},
		{"a damaged member behind a plain record", one + gz(two)[:40] + gz(three), "1! 3*"},
		{"a long block without a length", gz(one) + length(large, "x") + gz(three) + four, "1*! 3* 4"},
		{"a long block without a length, then a plain record", gz(one) + length(large, "x") + three + four,
			"1*! 3 4"},
		{"a member behind a record in a member", gz(one+gz(two)) + gz(three), "1*! 3*"},
		{"a member behind a record in a frame", zst(one+gz(two)) + zst(three), "1*! 3*"},
		{"no length and no block before a member",
			gz(one) + two[:strings.Index(two, "Content-Length")] + "\r\n" + gz(three), "1* 2! 3*"},
		{"members with long names", one + gzNamed(two) + gzNamed(three), "1 2* 3*"},
		{"a member with a long name behind junk", one + "junk" + gzNamed(two) + four, "1! 2* 4"},
		{"a member with a long name behind a wrong length", length(two, "5") + gzNamed(one) + gzNamed(three),
			"2! 1* 3*"},
		{"a member with a long name behind members and junk", gz(one) + "junk" + gzNamed(two) + four, "1*! 2* 4"},
		{"a member with a long name behind a damaged one", gz(one) + gz(two)[:60] + gzNamed(three) + four, "1*! 3* 4"},
		{"zstd is not mixed", zst(one) + two + zst(three), "1*! 3*"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := targets(t, strings.NewReader(tt.data)); got != tt.want {
				t.Errorf("records: got %s, want %s", got, tt.want)
			}
			if got := targets(t, iotest.HalfReader(onlyReader{strings.NewReader(tt.data)})); got != tt.want {
				t.Errorf("records of a pipe: got %s, want %s", got, tt.want)
			}
			cutAnywhere(t, tt.data, 1+len(tt.data)/effort.Pick(40, 3))
		})
	}
}

// A range of an index may hold members and plain records. It ends with the last of them.
func TestMixedIndexed(t *testing.T) {
	one, two, three := numbered(1, "<a href=1>"), numbered(2, "<a href=2>"), numbered(3, "<a href=3>")
	end := int64(len(gz(one) + two))
	for data, want := range map[string]string{
		gz(one) + two + gz(three): "1 2", gz(one) + two + three: "1 2",
		gz(one) + strings.Replace(two, "Content-Length: ", "Content-Length: -", 1) + gz(three): "1",
	} {
		var got []string
		for rec, err := range recordsOf(strings.NewReader(data), Options{Indexed: true, End: end}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.TrimPrefix(rec.TargetURI, "http://a/"))
			rec.Release()
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%.300q: got the records %q, want %s", data, got, want)
		}
	}
}

// spoiltBlock writes a text as a stored member whose second block is damaged.
func spoiltBlock(s string) string {
	member := gzStored(s)
	const at = 10 + 5 + maxStored + 1
	return member[:at] + "\x00\x00\x00\x00" + member[at+4:]
}

// gzNamed writes a member with a name of 600 bytes.
func gzNamed(s string) string {
	member := gz(s)
	return member[:3] + "\x08" + member[4:10] + strings.Repeat("n", 600) + "\x00" + member[10:]
}

type onlyReader struct{ io.Reader }

// cutAnywhere checks that an archive gives the same records from a pipe, in ranges, from each
// start, and on guesses.
func cutAnywhere(t *testing.T, data string, step int) {
	t.Helper()
	whole := outline(t, strings.NewReader(data), Options{})
	if got := outline(t, iotest.OneByteReader(strings.NewReader(data)), Options{}); got != whole {
		t.Errorf("a byte at a time:\n%swant\n%s", got, whole)
	}
	want, _ := lines(t, strings.NewReader(data), Options{Limit: 300})
	inRanges(t, []byte(data), int64(step), want)
	atStarts(t, []byte(data))
	limited := outline(t, strings.NewReader(data), Options{Limit: 300})
	if got, _ := guessed(t, []byte(data), int64(step), 300); got != limited {
		t.Errorf("on guesses of %d bytes:\n%swant\n%s", step, got, limited)
	}
}

// The same check for archives that are mixed at random. Some are damaged; all ways of reading must
// still give the same records.
func TestMixedAtRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range effort.Pick(150, 6) {
		data, want := "", ""
		for n := 1; n <= 2+random.IntN(6); n++ {
			body := strings.Repeat("<a href=x>", random.IntN(30))
			if random.IntN(4) == 0 {
				body = gz(body) // in a content coding
			}
			text, mark := numbered(n, body), "*"
			switch random.IntN(4) {
			case 0, 1:
				mark = ""
			case 2:
				text = gz(text)
			default:
				text = gzStored(text)
			}
			data += text
			want += fmt.Sprintf(" %d%s", n, mark)
		}
		if got := targets(t, strings.NewReader(data)); " "+got != want {
			t.Errorf("records of %q: got %s, want %s", data, got, want)
		}
		cutAnywhere(t, data, 1+random.IntN(200))
		for range 1 + random.IntN(3) {
			at := random.IntN(len(data))
			end := min(at+random.IntN(20), len(data))
			switch random.IntN(3) {
			case 0:
				data = data[:at] + string(data[at]^1<<random.IntN(8)) + data[at+1:]
			case 1:
				data = data[:at] + data[end:]
			default:
				data = data[:end] + data[at:]
			}
		}
		cutAnywhere(t, data, 1+len(data)/20+random.IntN(200))
	}
}

// The spans of a plain record are spans of the archive, wherever it is among members.
func TestMixedPlaces(t *testing.T) {
	data := gz(numbered(1, "<a href=1>")) + numbered(2, "<a href=2>") + gz(numbered(3, "")) + numbered(4, "<a href=4>")
	for rd := NewReader(bytes.NewReader([]byte(data)), Options{}); ; {
		rec, err := rd.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := rec.Source(rec.Block); ok == rec.Compressed ||
			ok && !strings.HasPrefix(data[rec.Offset:], string(rec.Data)) {
			t.Errorf("record %d: Source: got %v, %v of a record that is compressed: %v",
				rec.Number, s, ok, rec.Compressed)
		}
	}
}

// Plain records among gzip members are those of a plain archive, if their lengths are right, wrong
// or missing, and whatever follows them. Their blocks are equal if they have no defects.
func TestMixedBlocks(t *testing.T) {
	one, end := numbered(1, "<a href=1>"), numbered(9, "<a href=9>")
	for _, body := range []string{"", "x", strings.Repeat("<a href=2>\r\n", 50), strings.Repeat("y", 5000)} {
		for i, lengths := range []string{"0", "1", "%d", "+%d", "-1", "x", "99999", "9%d", "9223372036854775807"} {
			for j, behind := range []string{"", "\r\n", "\r\n\r\n", "\n\n\n", "\r\n\r\njunk", "junk\r\n",
				"\r\n\r\njunk\n" + one} {
				if !effort.Whole() && (len(body)+i+j)%2 > 0 {
					continue // each length has its turn, and each end
				}
				record := "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/2\r\nContent-Length: " +
					strings.Replace(lengths, "%d", fmt.Sprint(len(body)), 1) + "\r\n\r\n" + body + behind
				want := blocks(t, one+record+end)
				if got := blocks(t, gz(one)+record+end); got != want {
					t.Errorf("%q behind a member:\n%swant, as behind a plain record,\n%s", record, got, want)
				}
			}
		}
	}
}

// blocks lists the targets of the records in an archive, and the blocks of those without defects.
func blocks(t *testing.T, data string) string {
	t.Helper()
	var b strings.Builder
	for rec, err := range recordsOf(strings.NewReader(data), Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if len(rec.Defects) > 0 {
			number := !strings.Contains(rec.Defects[0].Text, "is not a number")
			fmt.Fprintf(&b, "%s with defects, its length is a number: %v\n", rec.TargetURI, number)
		} else {
			fmt.Fprintf(&b, "%s %q\n", rec.TargetURI, rec.block())
		}
		rec.Release()
	}
	return b.String()
}
