package warc

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"absolink/mime/httpmsg"
	"absolink/testdata/effort"
)

// For any archive, the records cover its bytes once. Ranges of any size give the same records, and
// so does a pipe that is read in pieces of any size.
func FuzzReader(f *testing.F) {
	one, two, three := response("http://a/1", "<a href=1>"), response("http://a/2",
		strings.Repeat("<a href=2>", 9)), rec("metadata", "", "x")
	for _, s := range []string{
		"", one, one + two + three, "junk" + one + "junk\n" + two + "\r\n\r\njunk", one[:len(one)-9] + two, one[20:] +
			three,
		strings.Replace(one, "Content-Length: ", "Content-Length: 9", 1) + two, strings.Replace(two,
			"Content-Length: 1", "Content-Length: ", 1) + one,
		gz(one, two, three), gz(one + two), gz(one[:99], one[99:]+two[:9], two[9:]), gz(one[:len(one)-4],
			one[len(one)-4:]+two[:len(two)-4], two[len(two)-4:]), gzStored(rec("resource", "", gz(one, two)), three),
		gz(one) + spoilt("junk"+two[:9], two[9:]) + gz(three), zst(one, two, three), zstDict([]byte(one+two), one,
			two), "filedesc://a",
		gz(one) + two + gz(three), one + gz(two, three), gz(one) + two[:len(two)-4] + gz(three) + "junk\n" + one,
		gz(one) + gz(two)[:60] + three + gz(one), gz(one) + spoilt(two) + three + one, gz(one) + gzStored(two)[:200] +
			one + gz(three),
		gz(one) + two[:len(two)-40] + three + gz(one), gz(one) + strings.Replace(two, "Length: ", "Length: 9", 1) +
			gz(three),
	} {
		f.Add([]byte(s), effort.Pick[uint16](50, 150))
		f.Add([]byte(strings.ReplaceAll(s, "\r", "")), effort.Pick[uint16](7, 157))
		if len(s) > 100 {
			f.Add([]byte(s[:70]+"\xff"+s[71:]), effort.Pick[uint16](64, 164))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, size uint16) {
		if len(data) > 4000 {
			return
		}
		o := Options{Limit: 300}
		want, covered := lines(t, bytes.NewReader(data), o)
		if covered != int64(len(data)) && want != "" {
			t.Errorf("records of %q cover %d of %d bytes:\n%s", data, covered, len(data), want)
		}
		all, _ := lines(t, bytes.NewReader(data), Options{})
		for _, n := range []int{1, 2 + int(size)%300} {
			got, _ := lines(t, pieces{bytes.NewReader(data), n}, Options{})
			if got != all {
				t.Errorf("%q in pieces of %d bytes:\n%swant\n%s", data, n, got, all)
			}
		}
		step := int64(size)%1000 + int64(len(data))/20 + 1
		inRanges(t, data, step, want)
		atStarts(t, data)
		samePlaces(t, string(data), Options{Limit: 300})
		samePlaces(t, string(data), Options{Limit: 300, Start: step, End: 3 * step})
		whole := outline(t, bytes.NewReader(data), o)
		if got, _ := guessed(t, data, step, 300); got != whole {
			t.Errorf("%q on guesses of %d bytes:\n%swant\n%s", data, step, got, whole)
		}
	})
}

// atStarts compares the records of the whole with the records of Readers that know the offset of
// their first record. In a damaged archive a Reader only has to end.
func atStarts(t *testing.T, data []byte) {
	t.Helper()
	type start struct {
		o       Options
		records string
	}
	var starts []start
	damaged := false
	for rec, err := range recordsOf(bytes.NewReader(data), Options{Limit: 300}) {
		if err != nil {
			break
		}
		damaged = damaged || len(rec.Defects) > 0
		if n := len(starts); n == 0 || starts[n-1].o.Start != rec.Offset {
			starts = append(starts, start{o: Options{Limit: 300, Start: rec.Offset,
				End: rec.Offset + 1, Aligned: rec.Number > 0}})
		}
		starts[len(starts)-1].records += line(t, rec, false)
	}
	for _, s := range starts {
		if got := outline(t, bytes.NewReader(data), s.o); got != s.records && !damaged {
			t.Errorf("%q from offset %d:\n%swant\n%s", data, s.o.Start, got, s.records)
		}
	}
}

// inRanges compares the records of all ranges of a size with the records of the whole.
func inRanges(t *testing.T, data []byte, step int64, want string) {
	t.Helper()
	o := Options{Limit: 300}
	var got strings.Builder
	for o.Start = 0; o.Start < int64(len(data)); o.Start += step {
		o.End = o.Start + step
		part, _ := lines(t, bytes.NewReader(data), o)
		got.WriteString(part)
	}
	if got.String() != want {
		t.Errorf("%q in ranges of %d bytes:\n%swant\n%s", data, step, got.String(), want)
	}
}

// A damaged frame gives a wrong end: the records of ranges after it stay the same.
func TestDamagedFrames(t *testing.T) {
	one, two, three := response("http://a/1", "<a href=1>"), response("http://a/2",
		strings.Repeat("<a href=2>", 9)), rec("metadata", "", "x")
	whole := []byte(zst(one, two, three))
	for i := 0; i < len(whole); i += effort.Pick(1, 7) {
		for _, flip := range effort.Pick([]byte{0x01, 0x08, 0x10, 0x40, 0xff}, []byte{0x10}) {
			data := bytes.Clone(whole)
			data[i] ^= flip
			want, _ := lines(t, bytes.NewReader(data), Options{Limit: 300})
			inRanges(t, data, effort.Pick[int64](60, 110), want)
		}
	}
}

// lines describes the records of a reader, without number and line. If each record begins where the
// one before ends, it also returns the end of the last one.
func lines(t *testing.T, archive io.Reader, o Options) (string, int64) {
	t.Helper()
	r := readers.Get().(*Reader)
	defer readers.Put(r)
	r.Reset(archive, o)
	var b strings.Builder
	at := int64(-1)
	for {
		rec, err := r.Next()
		if err != nil {
			return b.String(), at
		}
		if at >= 0 && rec.Offset != at || rec.End < rec.Offset || len(rec.Data) < rec.Block.End {
			t.Errorf("a record is [%d, %d), the one before ended at %d", rec.Offset, rec.End, at)
		}
		at = rec.End
		b.WriteString(line(t, rec, false))
		if m := rec.Message(httpmsg.Options{}); m != nil && m.Content.End > len(rec.Data) {
			t.Errorf("content %v of a record of %d bytes", m.Content, len(rec.Data))
		}
		rec.Release()
	}
}
