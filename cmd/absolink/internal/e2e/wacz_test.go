//go:build unix

package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/coding"
	"absolink/testdata/effort"
)

// zipped is a file in a zip file.
type zipped struct {
	name   string
	method uint16
	data   string
	change func(*zip.FileHeader) // changes a header that is written by hand; may be nil
}

// waczOf returns a zip file.
func waczOf(t *testing.T, files ...zipped) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: f.method}
		create := z.CreateHeader
		if f.change != nil {
			h.CompressedSize64 = uint64(len(f.data))
			h.UncompressedSize64 = uint64(len(f.data))
			f.change(h)
			create = z.CreateRaw
		}
		w, err := create(h)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(f.data))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// overlapped makes all files of a zip file except the first refer to the bytes of the first one.
func overlapped(wacz []byte) []byte {
	wacz = bytes.Clone(wacz)
	first := bytes.Index(wacz, directoryEntry)
	for at := first; at >= 0; {
		binary.LittleEndian.PutUint32(wacz[at+42:], 0)
		next := bytes.Index(wacz[at+4:], directoryEntry)
		if next < 0 {
			break
		}
		at += 4 + next
	}
	return wacz
}

// directoryEntry begins each entry in the list of files of a zip file.
var directoryEntry = []byte("PK\x01\x02")

// The archives in a WACZ are inputs like the files of a directory, with their own items and
// offsets. It does not matter whether they are stored or deflated, and where the WACZ comes from.
func TestWACZ(t *testing.T) {
	t.Chdir(t.TempDir())
	plain, members := webArchive(150)
	save(t, "dir/archive/a.warc.gz", []byte(members))
	save(t, "dir/archive/b.warc", []byte(plain))
	save(t, "dir/archive/c/d.WARC.GZ", []byte(members[:len(members)/2]))
	files := []zipped{
		{"datapackage.json", zip.Deflate, "{}", nil},
		{"archive/", zip.Store, "", nil},
		{"archive/a.warc.gz", zip.Store, members, nil},
		{"pages/pages.jsonl", zip.Deflate, "{}", nil},
		{"archive/b.warc", zip.Deflate, plain, nil},
		{"archive/c/d.WARC.GZ", zip.Deflate, members[:len(members)/2], nil},
	}
	wacz := waczOf(t, files...)
	save(t, "dir.wacz", wacz)
	save(t, "unnamed", waczOf(t, files[2:]...))
	_, one, oneErr := runs(t, "", "extract", "--format", "jsonl", "dir")
	if strings.Count(one, "\n") < 300 || oneErr == "" {
		t.Fatalf("extract of the directory: got %d records and %q, want some, and the damage",
			strings.Count(one, "\n"), oneErr)
	}
	for _, jobs := range []string{"1", "4"} {
		_, got, stderr := runs(t, "", "extract", "--format", "jsonl", "--jobs", jobs, "dir.wacz")
		if strings.ReplaceAll(got, "dir.wacz/archive", "dir/archive") != one ||
			strings.ReplaceAll(stderr, "dir.wacz/archive", "dir/archive") != oneErr {
			t.Errorf("extract of the WACZ with %s jobs: got %d records and %.300q, want the %d of the directory and "+
				"%.300q", jobs, strings.Count(got, "\n"), stderr, strings.Count(one, "\n"), oneErr)
		}
	}
	want := sorted(t, one, "source")
	_, piped, _ := runs(t, string(wacz), "extract", "--format", "jsonl", "-")
	_, unnamed, _ := runs(t, "", "extract", "--format", "jsonl", "unnamed")
	s := httptest.NewServer(http.FileServer(http.Dir(".")))
	defer s.Close()
	_, retrieved, stderr := runs(t, "", "extract", "--allow-private", "--format", "jsonl", s.URL+"/dir.wacz")
	for name, got := range map[string]string{"a pipe": piped,
		"a file without an extension": unnamed, "a server": retrieved} {
		if !slices.Equal(sorted(t, got, "source"), want) {
			t.Errorf("extract of a WACZ from %s: got %d records and %.300q, want the %d of the directory",
				name, strings.Count(got, "\n"), stderr, len(want))
		}
	}
	for _, how := range [][]string{nil, {"--blind"}} {
		_, units, _ := runs(t, "", append([]string{"units", "--size", "2000", "dir.wacz"}, how...)...)
		_, got, stderr := runs(t, units, "extract", "--units", "-")
		without := []string{"source", "item", "line", "column"}
		if n := strings.Count(units, "\n"); !slices.Equal(sorted(t, got, without...), sorted(t, one, without...)) ||
			n < 5 {
			t.Errorf("%d units of a WACZ %q: got %d records and %.300q, want the %d of the directory",
				n, how, strings.Count(got, "\n"), stderr, len(want))
		}
	}
	runs(t, "", "extract", "--dead-letter", "dead", "dir.wacz")
	dead, _ := os.ReadFile("dead")
	if code, _, _ := runs(t, "", "extract", "--units", "dead"); code != 0 ||
		!strings.HasPrefix(string(dead), "dir.wacz/archive/c/d.WARC.GZ") {
		t.Errorf("dead letters of a WACZ: got %q, and code %d for them", dead, code)
	}
	if code, out, _ := runs(t, "", "rewrite", "dir.wacz"); code != 0 || out != string(wacz) {
		t.Errorf("rewrite of a WACZ: got code %d and %d bytes, want it as it is", code, len(out))
	}
}

// A WACZ may hold ARCs.
func TestWACZOfARC(t *testing.T) {
	t.Chdir(t.TempDir())
	const block = "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<a href=x>"
	arc := fmt.Sprintf("http://a.test/d/ 1.2.3.4 20050102030405 text/html %d\n%s\n", len(block), block)
	save(t, "a.wacz", waczOf(t, zipped{"archive/a.arc", zip.Store, arc, nil},
		zipped{"archive/b.ARC.gz", zip.Deflate, string(packed(t, coding.Gzip, []byte(arc))), nil}))
	code, out, stderr := runs(t, "", "extract", "--fields", "source,page,uri", "--format", "tsv", "a.wacz")
	want := "source\tpage\turi\na.wacz/archive/a.arc\thttp://a.test/d/\thttp://a.test/d/x\n" +
		"a.wacz/archive/b.ARC.gz\thttp://a.test/d/\thttp://a.test/d/x\n"
	if code != 0 || out != want || stderr != "" {
		t.Errorf("exit status %d, %q, %q, want %q", code, out, stderr, want)
	}
}

// A small WACZ cannot make the program read for long: each byte of it is read once, and the
// expanded size of its archives is bounded.
func TestWACZIsReadOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	plain, _ := webArchive(3)
	var same, large []zipped
	for i := range 50 {
		same = append(same, zipped{fmt.Sprintf("archive/%d.warc", i), zip.Store, plain, nil})
	}
	padded := plain + strings.Repeat("\x00", 1000000)
	deflated := packedFlate(t, padded)
	size := func(h *zip.FileHeader) {
		h.UncompressedSize64 = uint64(len(padded))
		h.CRC32 = crc32.ChecksumIEEE([]byte(padded))
	}
	for i := range 70 {
		large = append(large, zipped{fmt.Sprintf("archive/%d.warc", i), zip.Deflate, deflated, size})
	}
	tests := []struct {
		name       string
		data       []byte
		read, left int // number of archives
		why        string
	}{
		{"50 names of the same bytes", overlapped(waczOf(t, same...)),
			1, 49, "overlaps the file \"archive/0.warc\": not read"},
		{"70 MB in 70 KB", waczOf(t, large...), 67, 3, "expand to more than 200 times its size"},
	}
	for _, tt := range tests {
		save(t, "a.wacz", tt.data)
		code, out, stderr := runs(t, "", "extract", "--format", "csv", "--fields", "source", "a.wacz")
		read := make(map[string]bool)
		for source := range strings.Lines(out) {
			read[source] = true
		}
		if left := strings.Count(stderr, tt.why); code != 1 || len(read)-1 != tt.read || left != tt.left {
			t.Errorf("%s: got code %d, %d archives read and %d named, want 1, %d and %d",
				tt.name, code, len(read)-1, left, tt.read, tt.left)
		}
	}
}

// A message names a file that is not a WACZ, or that tries to be more than one. All readable
// archives are read.
func TestBadWACZ(t *testing.T) {
	t.Chdir(t.TempDir())
	plain, _ := webArchive(3)
	good := zipped{"archive/good.warc", zip.Store, plain, nil}
	bomb := strings.Repeat("\x00", effort.Pick(30<<20, 3<<20))
	as := func(change func(*zip.FileHeader)) zipped {
		return zipped{"archive/a.warc", zip.Store, plain, change}
	}
	whole := waczOf(t, good)
	tests := []struct {
		name string
		data []byte
		want []string // standard error, one text of each line; nil if the good archive is read without a message
		none bool     // no archive is read
	}{
		{"a good one", whole, nil, false},
		{"no zip file", []byte("PK\x03\x04 and so on, for more than thirty bytes"),
			[]string{"a.wacz: is not a zip file, or its end is missing"}, true},
		{"text", []byte("text"), []string{"a.wacz: is not a zip file, or its end is missing"}, true},
		{"cut short", whole[:len(whole)-30], []string{"a.wacz: is not a zip file, or its end is missing"}, true},
		{"without an archive", waczOf(t, zipped{"datapackage.json", zip.Store, "{}", nil}),
			[]string{"a.wacz: no web archive lies below archive/"}, true},
		{"without a file", waczOf(t), []string{"a.wacz: "}, true},
		{"a path that leads out", waczOf(t, good, zipped{"archive/../../x.warc", zip.Store, plain, nil}),
			[]string{`"archive/../../x.warc" in it has no plain path`}, false},
		{"an absolute path", waczOf(t, good, zipped{"/archive/x.warc", zip.Store, plain, nil}),
			[]string{`"/archive/x.warc" in it has no plain path`}, false},
		{"a path of another system", waczOf(t, good, zipped{`archive\x.warc`, zip.Store, plain, nil}),
			[]string{`"archive\\x.warc" in it has no plain path`}, false},
		{"elsewhere", waczOf(t, good, zipped{"x.warc", zip.Store, plain, nil}),
			[]string{`"x.warc" in it does not lie below archive/`}, false},
		{"a name twice", waczOf(t, good, good),
			[]string{`several files in it have the name "archive/good.warc"`}, false},
		{"one file under two names", overlapped(waczOf(t, good, zipped{"archive/x.warc", zip.Store, plain, nil})),
			[]string{`"archive/x.warc" in it overlaps the file "archive/good.warc": not read`}, false},
		{"encrypted", waczOf(t, good, as(func(h *zip.FileHeader) { h.Flags |= 1 })),
			[]string{"a.wacz/archive/a.warc: is encrypted"}, false},
		{"another method", waczOf(t, good, as(func(h *zip.FileHeader) { h.Method = 93 })),
			[]string{"a.wacz/archive/a.warc: is compressed by method 93"}, false},
		{"no web archive", waczOf(t, good, zipped{"archive/a.warc.gz", zip.Store, "<a href=x>", nil}),
			[]string{"a.wacz/archive/a.warc.gz: is not a web archive"}, false},
		{"a bomb", waczOf(t, good, zipped{"archive/a.warc", zip.Deflate, "WARC/1.0\r\n" + bomb, nil}),
			[]string{"a.wacz/archive/a.warc: expands from 3"}, false},
		{"a bomb that lies",
			waczOf(t, good,
				zipped{"archive/a.warc", zip.Deflate, packedFlate(t, "WARC/1.0\r\n"+bomb),
					func(h *zip.FileHeader) { h.UncompressedSize64 = 1000 }}),
			[]string{"a.wacz/archive/a.warc: read: its data are damaged in the zip file"}, false},
		{"damaged data",
			waczOf(t, good,
				zipped{"archive/a.warc", zip.Deflate, "\xff\xff\xff",
					func(h *zip.FileHeader) { h.UncompressedSize64 = 3 }}), []string{"a.wacz/archive/a.warc: "}, false},
		{"a size beyond the file",
			waczOf(t, good,
				as(func(h *zip.FileHeader) { h.CompressedSize64 = 1 << 40; h.UncompressedSize64 = 1 << 40 })),
			[]string{"a.wacz/archive/a.warc: its position in the zip file is damaged"}, false},
	}
	save(t, "archive/good.warc", []byte(plain))
	_, one, _ := runs(t, "", "extract", "--format", "jsonl", "archive/good.warc")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			save(t, "a.wacz", tt.data)
			code, out, stderr := runs(t, "", "extract", "--format", "jsonl", "--max-size", "1M", "a.wacz")
			lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
			ok := len(lines) == len(tt.want) && code == 1 || tt.want == nil && stderr == "" && code == 0
			for i, want := range tt.want {
				ok = ok && i < len(lines) && strings.Contains(lines[i], want)
			}
			want := one
			if tt.none {
				want = ""
			}
			if got := strings.ReplaceAll(out, `"a.wacz/`, `"`); !ok || got != want {
				t.Errorf("extract: got code %d, %d records and %q, want %d and %q", code,
					strings.Count(got, "\n"), stderr, strings.Count(want, "\n"), tt.want)
			}
		})
	}
	// If a unit cannot be read at all, its trailer says so, and the status is 4. If a part of it
	// can be read, it is done.
	for _, tt := range []struct {
		name, unit string
		data       []byte
		code       int
		want       string
	}{
		{"cut short", "a.wacz", whole[:len(whole)-30], 4,
			`"status":"failed","error":"is not a zip file, or its end is missing","page_count":0,"link_count":0,"dead_count":1}`},
		{"an archive in one cut short", "a.wacz/archive/good.warc", whole[:len(whole)-30], 4,
			`"status":"failed","error":"is not a zip file, or its end is missing","page_count":0,"link_count":0,"dead_count":1}`},
		{"no web archive beside a good one", "a.wacz",
			waczOf(t, good,
				zipped{"archive/a.warc.gz", zip.Store, "<a href=x>", nil}), 0, `"status":"done","page_count":3,`},
	} {
		save(t, "a.wacz", tt.data)
		code, out, stderr := runs(t, tt.unit+"\n", "extract", "-q", "--stream", "--units", "-")
		if code != tt.code || !strings.Contains(out, tt.want) || !strings.HasPrefix(stderr, "absolink: a.wacz") {
			t.Errorf("a unit %s: got code %d, %.500s and %q, want %d and %s",
				tt.name, code, out, stderr, tt.code, tt.want)
		}
	}
	save(t, "a.wacz", nil)
	for _, command := range [][]string{{"extract", "a.wacz"}, {"extract", "--units", "-"}, {"units", "a.wacz"}} {
		code, out, stderr := runs(t, "a.wacz\n", command...)
		if code != 0 || strings.Contains(stderr, "zip") ||
			command[0] == "extract" && (out != "" || stderr != "absolink: a.wacz: is empty\n") {
			t.Errorf("absolink %s of an empty WACZ: got code %d, %q and %q, want 0 and that it is empty",
				command, code, out, stderr)
		}
	}
	save(t, "a.wacz", whole)
	if code, _, stderr := runs(t, "", "extract", "a.wacz/archive/none.warc"); code != 1 ||
		!strings.Contains(stderr, `no file "archive/none.warc" in the zip file`) {
		t.Errorf("extract of a file that is not in it: got code %d and %q", code, stderr)
	}
}

// packedFlate returns deflated data, as a zip file holds it.
func packedFlate(t *testing.T, data string) string {
	t.Helper()
	all := waczOf(t, zipped{"x", zip.Deflate, data, nil})
	r, err := zip.NewReader(bytes.NewReader(all), int64(len(all)))
	if err != nil {
		t.Fatal(err)
	}
	at, _ := r.File[0].DataOffset()
	return string(all[at : at+int64(r.File[0].CompressedSize64)])
}
