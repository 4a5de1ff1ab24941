package warc

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// places lists the places of the records of an archive.
func places(t *testing.T, archive io.Reader, o Options) string {
	t.Helper()
	var b strings.Builder
	r := readers.Get().(*Reader)
	defer readers.Put(r)
	r.Reset(archive, o)
	for rec, err := range r.All() {
		if err != nil {
			t.Fatalf("Next: %v", err)
		}
		place := Record{Number: rec.Number, Offset: rec.Offset, End: rec.End, Line: rec.Line}
		if o.OnlyPlaces && !reflect.DeepEqual(*rec, place) {
			t.Errorf("OnlyPlaces: got %+v, want only %+v", *rec, place)
		}
		fmt.Fprintln(&b, place.Number, place.Offset, place.End, place.Line)
		rec.Release()
	}
	return b.String()
}

// samePlaces checks that the places of records are the same with OnlyPlaces, in a file and in a
// pipe.
func samePlaces(t *testing.T, data string, o Options) {
	t.Helper()
	with := o
	with.OnlyPlaces = true
	for name, open := range map[string]func() io.Reader{
		"file": func() io.Reader { return strings.NewReader(data) },
		"pipe": func() io.Reader { return pieces{strings.NewReader(data), 100} },
	} {
		got := places(t, open(), with)
		if want := places(t, open(), o); got != want {
			t.Errorf("OnlyPlaces of the %s %.300q with %+v: got\n%.2000s\nwant\n%.2000s", name, data, o, got, want)
		}
	}
}

// The places are the same with OnlyPlaces, also with reading ahead.
func TestOnlyPlaces(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < aheadRanges*placesSize+placesSize/2; i++ {
		b.WriteString(gzStored(response("http://a.test/", strings.Repeat("<p>", i*7919%90_000))))
	}
	few := strings.Repeat(gzStored(response("http://a.test/", "<p>")), 3)
	short := []string{"gzip members", "damage at a range", "a large record", "nothing"}
	for name, archive := range aheadArchives(b.String(), effort.Pick(b.String(), few), placesSize) {
		if !effort.Whole() && !slices.Contains(short, name) {
			continue // TestAhead has them
		}
		data := archive()
		want := places(t, strings.NewReader(data), Options{})
		for _, n := range effort.Pick([]int{0, 2, 5}, []int{2}) {
			got := places(t, strings.NewReader(data), Options{Ahead: n, OnlyPlaces: true})
			if got != want {
				t.Errorf("%s, Ahead %d: got\n%.2000s\nwant\n%.2000s", name, n, got, want)
			}
		}
	}
}

// The places are the same with OnlyPlaces, whatever the sizes of blocks, their lengths and the
// members around them.
func TestOnlyPlacesShapes(t *testing.T) {
	one, three := response("http://a/1", "<a href=1>"), rec("metadata", "", "x")
	sizes := []int{0, 1, 90, 300, minWindow - 200, minWindow, 3 * minWindow}
	for _, size := range effort.Pick(sizes, []int{0, 300, minWindow}) {
		two := response("http://a/2", strings.Repeat("y", size)+"\n")
		longer := strings.Replace(two, "Content-Length: ", "Content-Length: 9", 1)
		shorter := strings.Replace(two, "Content-Length: ", "Content-Length: 0", 1)
		for _, middle := range []string{two, longer, shorter, two[:len(two)-4], two + "junk\n", "junk" + two} {
			for _, data := range []string{
				one + middle + three,
				gz(one, middle, three),
				gz(one + middle + three),
				gz(one) + middle + gz(three),
				gz(one, middle[:len(middle)/2], middle[len(middle)/2:], three),
				spoilt(one, middle, three),
				zst(one, middle, three),
			} {
				samePlaces(t, data, Options{})
				samePlaces(t, data, Options{Limit: 200})
			}
		}
	}
}

// OnlyPlaces keeps no data: records need no memory of their own.
func TestOnlyPlacesKeepsNothing(t *testing.T) {
	n := effort.Pick(200, 50)
	data := []byte(gz(strings.Repeat(response("http://a/2", strings.Repeat("y", 2*minWindow)), n)))
	var r Reader
	var rec Record
	read := func() {
		r.Reset(bytes.NewReader(data), Options{OnlyPlaces: true})
		for r.Read(&rec) == nil {
		}
	}
	read()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read()
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 20*minWindow {
		t.Errorf("%d records of %d bytes: got %d bytes of memory, want at most %d",
			n, 2*minWindow, got, 20*minWindow)
	}
}
