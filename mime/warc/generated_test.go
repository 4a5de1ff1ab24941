package warc

import (
	"bufio"
	"crypto/sha1"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/httpmsg"
	"absolink/testdata/corpus"
	"absolink/testdata/effort"
)

// records is the number of records in a generated archive. -records 200000 makes an archive of
// realistic size.
var records = flag.Int("records", effort.Pick(2000, 120), "records of a generated archive")

// generated writes an archive with the given compression and opens it.
func generated(t testing.TB, kind string, n int) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "a.warc"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	out := bufio.NewWriterSize(f, 1<<20)
	var w io.Writer = out
	end := func() {}
	switch kind {
	case "gzip":
		z, _ := gzip.NewWriterLevel(out, gzip.BestSpeed)
		w = z
		end = func() { z.Close(); z.Reset(out) }
	case "zstd":
		z, _ := zstd.NewWriter(out, zstd.WithEncoderConcurrency(1),
			zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(64<<10))
		w = z
		end = func() { z.Close(); z.Reset(out) }
	}
	for i := range n {
		uri, page := corpus.Generated(i)
		io.WriteString(w, response(uri, page))
		end()
	}
	err = out.Flush()
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The links of an archive are the links of its pages. Wherever the archive is cut, the records are
// the same.
func TestGenerated(t *testing.T) {
	for _, kind := range []string{"plain", "gzip", "zstd"} {
		t.Run(kind, func(t *testing.T) {
			f := generated(t, kind, *records)
			info, err := f.Stat()
			if err != nil {
				t.Fatal(err)
			}
			var r extract.Resolver
			var rd Reader
			rd.Reset(f, Options{})
			all := sums(t, &rd, func(n int, rec *Record) {
				uri, page := corpus.Generated(n)
				want := resolved(&r,
					&extract.Doc{Format: extract.HTML, Data: []byte(page),
						Layer: &base.Layer{Source: base.Option, Value: uri}})
				body, err := rec.Message(httpmsg.Options{}).Body()
				if err != nil {
					t.Fatalf("record %d: Body: %v", rec.Number, err)
				}
				if got := resolved(&r, body.Doc(rec.Layer(nil))); got != want || rec.TargetURI != uri {
					t.Fatalf("record %d: links\n%swant\n%s", rec.Number, got, want)
				}
			})
			if len(all) != *records {
				t.Fatalf("%d records, want %d", len(all), *records)
			}
			for _, size := range []int64{5_000, 64 << 10, 1 << 20, 1 << 30} {
				var known int64
				var got []string
				for at := int64(0); at < info.Size(); at += size {
					rd.Reset(f, Options{Start: at, End: at + size, KnownRecord: known})
					got = append(got, sums(t, &rd, nil)...)
					known = max(known, rd.RecordAfter())
				}
				if strings.Join(got, "\n") != strings.Join(all, "\n") {
					t.Errorf("%d records in ranges of %d bytes are not the %d of the whole", len(got), size, len(all))
				}
			}
		})
	}
}

// sums reads all records and describes each by its place and its hash.
func sums(t *testing.T, r *Reader, each func(n int, rec *Record)) (all []string) {
	t.Helper()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil || len(rec.Defects) > 0 {
			t.Fatalf("Next: %v, %v", rec, err)
		}
		if each != nil {
			each(len(all), rec)
		}
		all = append(all, fmt.Sprintf("%d %d %x", rec.Offset, rec.End, sha1.Sum(rec.Data)))
		rec.Release()
	}
}

// resolved lists the URIs of a document.
func resolved(r *extract.Resolver, d *extract.Doc) string {
	var b strings.Builder
	for l := range r.Links(d) {
		b.Write(l.URI)
		b.WriteByte('\n')
	}
	return b.String()
}

func BenchmarkReader(b *testing.B) {
	for _, kind := range []string{"plain", "gzip", "zstd"} {
		b.Run(kind, func(b *testing.B) {
			f := generated(b, kind, 5000)
			info, _ := f.Stat()
			b.SetBytes(info.Size())
			b.ReportAllocs()
			for b.Loop() {
				if n := count(b, f); n != 5000 {
					b.Fatalf("%d records, want 5000", n)
				}
			}
		})
	}
}

// count reads all records of an archive.
func count(t testing.TB, f *os.File) (n int) {
	t.Helper()
	for r := NewReader(f, Options{}); ; n++ {
		rec, err := r.Next()
		if err == io.EOF {
			return n
		}
		if err != nil {
			t.Fatalf("Next: %v", err)
		}
		rec.Release()
	}
}
