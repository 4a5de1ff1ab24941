package write_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"absolink/cmd/absolink/internal/report"
	"absolink/testdata/effort"
)

// codings hold the ending and the functions of each coding.
var codings = map[string]struct {
	ending string
	encode func(text string) string
	decode func(t *testing.T, data string) string
}{
	"plain":  {"", func(text string) string { return text }, func(_ *testing.T, data string) string { return data }},
	"gzip":   {".gz", gzipped, gunzipped},
	"zstd":   {".zst", zstandard, unzstandard},
	"behind": {".gz", func(text string) string { return gzipped(text) + junk }, behind},
}

// junk follows the compressed data of a file.
const junk = "\x00\x00junk\x00"

// gzipEncoder serves all tests.
var gzipEncoder = gzip.NewWriter(nil)

func gzipped(text string) string {
	var b bytes.Buffer
	z := gzipEncoder
	z.Reset(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

func gunzipped(t *testing.T, data string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(data))
	if err != nil {
		t.Fatalf("%q is not gzip: %v", data, err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	return string(text)
}

// behind is like gunzipped for a file that must end in junk.
func behind(t *testing.T, data string) string {
	t.Helper()
	member, ok := strings.CutSuffix(data, junk)
	if !ok {
		t.Fatalf("%q does not end in %q", data, junk)
	}
	return gunzipped(t, member)
}

// zstdEncoder and zstdDecoder serve all tests.
var (
	zstdEncoder = sync.OnceValues(func() (*zstd.Encoder, error) { return zstd.NewWriter(nil) })
	zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) { return zstd.NewReader(nil) })
)

func zstandard(text string) string {
	z, err := zstdEncoder()
	if err != nil {
		panic(err)
	}
	return string(z.EncodeAll([]byte(text), nil))
}

func unzstandard(t *testing.T, data string) string {
	t.Helper()
	z, err := zstdDecoder()
	if err != nil {
		t.Fatal(err)
	}
	text, err := z.DecodeAll([]byte(data), nil)
	if err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	return string(text)
}

// Every kind of input gets the same edits in every coding and with every destination. The output of
// an input without edits has the same bytes. The inputs do not change.
func TestWays(t *testing.T) {
	const plain = "From a Thu Jan  1 00:00:00 1970\nSubject: x\n\nx\n\n"
	box := "From a Thu Jan  1 00:00:00 1970\n" + mail + "\n"
	texts := map[string]string{
		"page":                  "<a href=x>\n<img src='http://b.test/'>",
		"page without links":    "<html><p>",
		"message":               mail,
		"mailbox":               plain + box + plain + box + plain,
		"mailbox without links": plain + plain,
		"file of Apple Mail":    "76        \n" + mail + "<?xml version=\"1.0\"?>\n",
	}
	lines := []string{"", "--verify", "-o out", "-o out --verify", "-i", "-i --journal j", "-i --backup ~", "-n",
		"--diff"}
	names := slices.Sorted(maps.Keys(codings))
	for k, kind := range slices.Sorted(maps.Keys(texts)) {
		text := texts[kind]
		want := absolute.Replace(text)
		edited := want != text
		for n, name := range names {
			c := codings[name]
			stored := c.encode(text)
			file := "f" + c.ending
			if kind == "file of Apple Mail" {
				file = "f.emlx" + c.ending
				want = strings.Replace(want, "76", "90", 1)
			}
			for l, line := range lines {
				if name != "plain" && (k+l+n)%len(names) > effort.Pick(len(names), 0) {
					continue // the short form has at most one coding for each kind and line
				}
				lay(t, "s/"+file+": "+stored)
				got, err := rewrite(t, "base=http://a.test/ "+line+" s/"+file)
				if err != nil {
					t.Fatal(err)
				}
				inPlace := strings.HasPrefix(line, "-i")
				shows := line == "-n" || line == "--diff"
				result := got.out
				if inPlace {
					result = read(t, "s/"+file)
				} else if strings.HasPrefix(line, "-o") {
					result = read(t, "out/"+file)
				}
				where := kind + ", " + name + ", " + line
				switch {
				case shows && (got.out != "") != edited:
					t.Errorf("%s: the edits are %q, want some: %v", where, got.out, edited)
				case shows:
				case !edited && result != stored:
					t.Errorf("%s: the output is %q, want the input %q", where, result, stored)
				case edited:
					if decoded := c.decode(t, result); decoded != want {
						t.Errorf("%s: the output is %q, want %q", where, decoded, want)
					}
				}
				if original := read(t, "s/"+file); !inPlace && original != stored {
					t.Errorf("%s: the input is now %q, want it as it was", where, original)
				}
				if line == "-i --backup ~" && edited && read(t, "s/"+file+"~") != stored {
					t.Errorf("%s: the backup is not the input", where)
				}
				if line == "-i --journal j" {
					undo(t)
					if undone := read(t, "s/"+file); undone != stored {
						t.Errorf("%s: the undo gives %q, want %q", where, undone, stored)
					}
				}
				outcome := map[bool]string{true: "rewritten", false: "unchanged"}[edited]
				if last := got.outcomes[len(got.outcomes)-1]; last != "s/"+file+" "+outcome {
					t.Errorf("%s: the outcome is %q, want %s", where, last, outcome)
				}
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A compressed mailbox whose end is missing is copied as it is, and fails in place.
func TestCutMailbox(t *testing.T) {
	box := "From a Thu Jan  1 00:00:00 1970\n" + mail + "\n"
	whole := gzipped(strings.Repeat(box, 50))
	cut := whole[:len(whole)-20]
	piped, err := rewriteFrom(t, cut, "-")
	if err != nil {
		t.Fatal(err)
	}
	if last := piped.outcomes[len(piped.outcomes)-1]; strings.HasSuffix(last, " rewritten") {
		t.Errorf("a pipe: the outcome is %q, want that it fails", last)
	}
	for _, line := range []string{"", "-o out", "-i", "-i --journal j"} {
		lay(t, "s/box.gz: "+cut)
		got, err := rewrite(t, line+" s/box.gz")
		if err != nil {
			t.Fatal(err)
		}
		if read(t, "s/box.gz") != cut {
			t.Errorf("%q: the input is not as it was", line)
		}
		if line == "-o out" && read(t, "out/box.gz") != cut {
			t.Errorf("%q: the copy is not the input", line)
		}
		if line == "" && got.out != cut {
			t.Errorf("%q: the output is not the input", line)
		}
		if last := got.outcomes[len(got.outcomes)-1]; strings.HasSuffix(last, " rewritten") {
			t.Errorf("%q: the outcome is %q, want that it stays", line, last)
		}
		if n := got.totals.Messages.With(report.Rewritten); n != 0 {
			t.Errorf("%q: %d messages count as rewritten", line, n)
		}
	}
}

// A compressed page whose end is missing fails, and stays as it is.
func TestCutPage(t *testing.T) {
	whole := gzipped("<a href=x>" + strings.Repeat("<a href=y>", 1000))
	cut := whole[:len(whole)-12]
	for _, line := range []string{"", "--verify", "-o out", "-i", "-i --journal j", "-n"} {
		lay(t, "s/p.html.gz: "+cut)
		got, err := rewrite(t, "base=http://a.test/ "+line+" s/p.html.gz")
		if err != nil {
			t.Fatal(err)
		}
		if read(t, "s/p.html.gz") != cut {
			t.Errorf("%q: the input is not as it was", line)
		}
		if _, err := os.Stat("out/p.html.gz"); line == "-o out" && err == nil && read(t, "out/p.html.gz") != cut {
			t.Errorf("%q: the copy is not the input", line)
		}
		last := got.outcomes[len(got.outcomes)-1]
		if strings.HasSuffix(last, " rewritten") || strings.HasSuffix(last, " unchanged") {
			t.Errorf("%q: the outcome is %q, want that it fails or stays", line, last)
		}
		if strings.Contains(got.out, "http://a.test/") {
			t.Errorf("%q: the output is %.100q", line, got.out)
		}
	}
}

// A sparse file that is copied keeps its size, and its bytes in their places.
func TestSparse(t *testing.T) {
	lay(t, "s/x.bin: \x00\x01begin")
	const size = 5 << 18
	f, err := os.OpenFile("s/x.bin", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, at := range []int64{1 << 19, size - 100} {
		if _, err := f.WriteAt([]byte("middle"), at); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"", "-o out"} {
		got, err := rewrite(t, line+" s/x.bin")
		if err != nil {
			t.Fatal(err)
		}
		result := got.out
		if line != "" {
			result = read(t, "out/x.bin")
		}
		if result != read(t, "s/x.bin") {
			t.Errorf("%q: the copy has %d bytes and is not the input of %d bytes", line, len(result), size)
		}
	}
}

// A copy of a tree keeps links, and leaves out links to files that it does not have.
func TestTreeWithLinks(t *testing.T) {
	lay(t, "s/a.html: <a href=x>", "s/d/b.html: <a href=x>", "o.html: <a href=x>")
	for name, target := range map[string]string{"s/in.html": "d/b.html", "s/out.html": "../o.html",
		"s/gone.html": "none.html"} {
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	got, err := rewrite(t, "root=s=http://a.test/ -o out s")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a.html: <a href=http://a.test/x>", "d/b.html: <a href=http://a.test/d/x>",
		"in.html: <a href=http://a.test/d/x>"}
	if files := tree(t, "out"); !slices.Equal(files, want) {
		t.Errorf("the files are %q, want %q", files, want)
	}
	if target, err := os.Readlink("out/in.html"); err != nil || target != "d/b.html" {
		t.Errorf("out/in.html leads to %q, %v, want d/b.html", target, err)
	}
	wantSaid(t, got.err, []string{"out.html: "})
	wantSaid(t, got.err, []string{"gone.html"})
	again, err := rewrite(t, "root=s=http://a.test/ -o out --resume s")
	if err != nil {
		t.Fatal(err)
	}
	done := strings.Contains(strings.Join(again.outcomes, "\n"), "rewritten")
	if files := tree(t, "out"); !slices.Equal(files, want) || done {
		t.Errorf("resumed: the files are %q with the outcomes %q, want nothing rewritten", files, again.outcomes)
	}
}
