package warc

import (
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// A range without an end is the rest of the archive, wherever it begins and whatever is known about
// its first record.
func TestRest(t *testing.T) {
	var warcs, arcs []string
	for i := range 12 {
		page := strings.Repeat("<a href=x>", i*i)
		warcs = append(warcs, numbered(i, page))
		arcs = append(arcs, arcRecord("http://a/", "text/html", arcPage(page)))
	}
	for name, data := range map[string]string{
		"plain": joined(warcs...), "gzip": gz(warcs...), "one member": gz(joined(warcs...)), "zstd": zst(warcs...),
		"mixed": gz(warcs[:4]...) + joined(warcs[4:8]...) + gz(warcs[8:]...),
		"ARC":   joined(arcs...), "ARC of members": gz(arcs...),
	} {
		type start struct {
			offset int64
			rest   string // the records from the offset on
		}
		var starts []start
		for rec, err := range recordsOf(strings.NewReader(data), Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			starts = append(starts, start{offset: rec.Offset})
			for i := range starts {
				starts[i].rest += line(t, rec, false)
			}
			rec.Release()
		}
		var ats []int64
		for at := int64(1); at < int64(len(data)); at += effort.Pick[int64](7, 499) {
			ats = append(ats, at)
		}
		for _, s := range []start{starts[1%len(starts)], starts[len(starts)/2]} {
			ats = append(ats, s.offset, s.offset+1)
		}
		for _, at := range ats {
			want := ""
			known := int64(0)
			for i := len(starts) - 1; i >= 0; i-- {
				if starts[i].offset >= at {
					want = starts[i].rest
				} else if known == 0 {
					known = starts[i].offset
				}
			}
			for _, known := range []int64{0, known, at + 1} {
				o := Options{Start: at, KnownRecord: known}
				if got, _ := lines(t, strings.NewReader(data), o); got != want {
					t.Errorf("%s, %+v:\n%swant\n%s", name, o, got, want)
				}
			}
			if got, _ := lines(t, onlyReader{strings.NewReader(data)}, Options{Start: at}); got != want {
				t.Errorf("%s, a pipe from %d:\n%swant\n%s", name, at, got, want)
			}
		}
		if name == "one member" {
			continue // no record begins with a member
		}
		for _, s := range starts {
			for _, o := range []Options{{Start: s.offset, KnownRecord: s.offset}, {Start: s.offset, Aligned: true},
				{Start: s.offset, Indexed: true}} {
				if got, _ := lines(t, strings.NewReader(data), o); got != s.rest {
					t.Errorf("%s, %+v:\n%swant\n%s", name, o, got, s.rest)
				}
			}
		}
	}
}
