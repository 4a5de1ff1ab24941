//go:build unix

package e2e

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"absolink/cmd/absolink/internal/cli"
	"absolink/cmd/absolink/internal/coding"
	"absolink/testdata/effort"
)

// countedLetters returns messages of an mboxcl2, which contain lines that look like separators.
func countedLetters(n int) string {
	var b strings.Builder
	for i := range n {
		body := fmt.Sprintf("<a href=\"l%d\">\n\nFrom x@y.test Thu Jan  1 00:00:00 1970\nA: <a href=no>\n", i)
		fmt.Fprintf(&b, "From a@b.test Thu Jan  1 00:00:00 1970\nContent-Type: text/html\nContent-Length: %d\n\n%s\n",
			len(body), body)
	}
	return b.String()
}

// shareable writes inputs of every kind that units are made of, and returns their names with the
// flags that they need. The last ones cannot be cut at any place.
func shareable(t *testing.T) (list [][]string, anywhere int) {
	t.Helper()
	plain, members := webArchive(effort.Pick(120, 60))
	save(t, "a.warc", []byte(plain))
	save(t, "a.warc.gz", []byte(members))
	save(t, "shifted.warc.gz", []byte(shifted(plain)))
	save(t, "rd.mbox", []byte(letters(effort.Pick(150, 75), relative)))
	save(t, "lead.mbox", []byte("no message\n\n"+letters(10, relative)))
	save(t, "odd.warc", []byte("junk\r\n"+plain[:3000]+"stray"+plain[3000:9000]))
	save(t, "page.html", []byte("<a href=x>\n<a href=y>"))
	save(t, "mail/cur/1:2,S", []byte("Subject: x\nContent-Type: text/html\n\n<a href=z>"))
	save(t, "mail/new/2", []byte("<a href=of-a-message>"))
	save(t, "cl.mbox", []byte(countedLetters(effort.Pick(100, 50))))
	return [][]string{{"a.warc"}, {"a.warc.gz"}, {"shifted.warc.gz"}, {"rd.mbox"},
		{"rd.mbox", "--mbox", "o"}, {"lead.mbox", "--type", "mbox"}, {"odd.warc"}, {"page.html"}, {"mail"},
		{"cl.mbox", "--mbox", "cl"}, {"cl.mbox", "--mbox", "cl2"}}, 8
}

// shifted writes the records of an archive as gzip members. Each member begins with the end of the
// record before, as some programs write it.
func shifted(plain string) string {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	for i, rec := range strings.Split(plain, "\r\n\r\nWARC/") {
		if i > 0 {
			rec = "\r\n\r\nWARC/" + rec
		}
		z.Reset(&b)
		io.WriteString(z, rec)
		z.Close()
	}
	return b.String()
}

// sorted returns lines in their order, without the keys that depend on the units.
func sorted(t *testing.T, records string, without ...string) []string {
	t.Helper()
	var list []string
	for line := range strings.Lines(records) {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		for _, key := range without {
			delete(r, key)
		}
		text, _ := json.Marshal(r)
		list = append(list, string(text))
	}
	slices.Sort(list)
	return list
}

// The records of all units together equal the records of one run. If the command made the units,
// numbers and lines are equal too.
func TestUnits(t *testing.T) {
	t.Chdir(t.TempDir())
	list, _ := shareable(t)
	for _, in := range list {
		args := append([]string{"extract", "--default-base", "http://example.test/", "--format", "jsonl", "-q"},
			in[1:]...)
		_, one, _ := runs(t, "", append(args, in[0])...)
		if one == "" {
			t.Fatalf("%q of %s: got %q, want some records", args, in[0], one)
		}
		want := slices.Sorted(strings.Lines(one))
		for _, size := range effort.Pick([]string{"1", "1000", "10K", "1G"}, []string{"1000"}) {
			_, units, _ := runs(t, "", append([]string{"units", "-q", "--size", size, in[0]}, in[1:]...)...)
			_, got, stderr := runs(t, units, append(args, "--units", "-")...)
			if !slices.Equal(slices.Sorted(strings.Lines(got)), want) {
				t.Errorf("%q: %d units of %s bytes: got %d records and %.300q, want the %d of one run",
					in, strings.Count(units, "\n"), size, strings.Count(got, "\n"), stderr, len(want))
			}
		}
	}
}

// The same holds for any cut, except for numbers and lines, which such units do not give.
func TestUnitsAnyCut(t *testing.T) {
	effort.Only(t)
	t.Chdir(t.TempDir())
	list, anywhere := shareable(t)
	random := rand.New(rand.NewPCG(7, 7))
	for _, in := range list[:anywhere] {
		info, err := os.Stat(in[0])
		if err != nil {
			t.Fatal(err)
		}
		args := append([]string{"extract", "--default-base", "http://example.test/", "--format", "jsonl", "-q"},
			in[1:]...)
		_, one, _ := runs(t, "", append(args, in[0])...)
		want := sorted(t, one, "item", "line", "column")
		means := []int64{1 + info.Size()/50, 1 + info.Size()/7, info.Size()}
		for _, mean := range means {
			var units []string
			for at := int64(0); at < info.Size(); {
				n := min(random.Int64N(2*mean), info.Size()-at)
				units = append(units, fmt.Sprintf("%s\t%d\t%d\n", in[0], at, n))
				at += n
			}
			random.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
			_, got, stderr := runs(t, strings.Join(units, ""), append(args, "--units", "-")...)
			if in[0] == "page.html" { // it is read from its beginning
				got = strings.Join(sorted(t, got, "line", "column"), "\n")
			}
			if !slices.Equal(sorted(t, got), want) {
				t.Errorf("%q in %d random units: got %d records and %.300q, want the %d of one run",
					in, len(units), strings.Count(got, "\n"), stderr, len(want))
			}
		}
	}
}

// The same holds for units that are cut only by size. An input that cannot be cut in this way is
// one unit.
func TestUnitsBlind(t *testing.T) {
	t.Chdir(t.TempDir())
	list, _ := shareable(t)
	plain, _ := webArchive(effort.Pick(120, 60))
	save(t, "one.warc.gz", packed(t, coding.Gzip, []byte(plain)))
	save(t, "one.warc.zst", packed(t, coding.Zstd, []byte(plain)))
	save(t, "box.gz", packed(t, coding.Gzip, []byte(letters(100, relative))))
	var frames []byte
	for i := 0; i < len(plain); {
		n := len(plain)
		if k := strings.Index(plain[i+1:], "WARC/1."); k >= 0 {
			n = i + 1 + k
		}
		frames = append(frames, packed(t, coding.Zstd, []byte(plain[i:n]))...)
		i = n
	}
	save(t, "a.warc.zst", frames)
	cuttable := map[string]bool{"a.warc": true, "a.warc.gz": true,
		"a.warc.zst": true, "rd.mbox": true, "lead.mbox": true}
	for _, in := range append(list, []string{"one.warc.gz"},
		[]string{"one.warc.zst"}, []string{"box.gz"}, []string{"a.warc.zst"}) {
		args := append([]string{"extract", "--default-base", "http://example.test/", "--format", "jsonl", "-q"},
			in[1:]...)
		_, one, _ := runs(t, "", append(args, in[0])...)
		want := sorted(t, one, "item", "line", "column")
		sizes := []string{"500", "1000", "1G"}
		if !effort.Whole() && cuttable[in[0]] {
			sizes = sizes[1:]
		} else if !effort.Whole() {
			sizes = sizes[1:2]
		}
		for _, size := range sizes {
			_, units, _ := runs(t, "", append([]string{"units", "-q", "--blind", "--size", size, in[0]}, in[1:]...)...)
			_, got, stderr := runs(t, units, append(args, "--units", "-")...)
			n := strings.Count(units, "\n")
			if !slices.Equal(sorted(t, got, "item", "line", "column"), want) || len(want) == 0 {
				t.Errorf("%q: %d blind units of %s bytes: got %d records and %.300q, want the %d of one run",
					in, n, size, strings.Count(got, "\n"), stderr, len(want))
			}
			if info, err := os.Stat(in[0]); err == nil && !info.IsDir() &&
				(n > 1) != (cuttable[in[0]] && size != "1G") {
				t.Errorf("%q: got %d blind units of %s bytes", in, n, size)
			}
		}
	}
}

// packed returns data in a coding.
func packed(t *testing.T, c coding.Coding, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := c.Writer(&b)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A blind cut reads only the beginning of a file.
func TestBlindReadsLittle(t *testing.T) {
	t.Chdir(t.TempDir())
	_, some := webArchive(200)
	members := strings.Repeat(some, 4<<20/len(some))
	save(t, "a.warc.gz", []byte(members))
	read := func() (n int64) {
		text, _ := os.ReadFile("/proc/self/io")
		fmt.Sscanf(string(text), "rchar: %d", &n)
		return n
	}
	before := read()
	if before == 0 {
		t.Skip("there is no /proc/self/io, which counts what is read")
	}
	_, units, _ := runs(t, "", "units", "--blind", "--size", "1M", "a.warc.gz")
	if n := read() - before; n > 1<<20+256<<10 || len(members) < 2<<20 || strings.Count(units, "\n") < 2 {
		t.Errorf("units --blind: %d bytes were read of %d, for %q", n, len(members), units)
	}
}

// The shards of a run divide its units or inputs among them.
func TestShards(t *testing.T) {
	t.Chdir(t.TempDir())
	shareable(t)
	_, units, _ := runs(t, "", "units", "-q", "--size", "5K", "a.warc", "rd.mbox", "page.html")
	for name, args := range map[string][]string{"units": {"--units", "-"},
		"inputs": {"a.warc", "a.warc.gz", "rd.mbox", "mail"}} {
		args = append([]string{"extract", "-q", "--format", "jsonl", "--default-base", "http://example.test/"}, args...)
		_, one, _ := runs(t, units, args...)
		all := ""
		for i := range 3 {
			_, got, _ := runs(t, units, append(args, "--shard", strconv.Itoa(i+1)+"/3")...)
			if got == "" {
				t.Errorf("shard %d of 3 of the %s: got nothing, want its part", i+1, name)
			}
			all += got
		}
		if !slices.Equal(slices.Sorted(strings.Lines(all)), slices.Sorted(strings.Lines(one))) {
			t.Errorf("3 shards of the %s: got %d records, want the %d of one run",
				name, strings.Count(all, "\n"), strings.Count(one, "\n"))
		}
	}
}

// A process that is killed leaves nothing behind, and its unit is run again.
func TestKilledUnit(t *testing.T) {
	effort.Only(t)
	t.Chdir(t.TempDir())
	save(t, "a.mbox", []byte(letters(8_000, relative)))
	_, one, _ := runs(t, "", "extract", "--format", "jsonl", "--default-base", "http://example.test/", "a.mbox")
	_, units, _ := runs(t, "", "units", "--size", "500K", "a.mbox")
	all := ""
	for i, line := range slices.Collect(strings.Lines(units)) {
		save(t, "unit", []byte(line))
		command := func() *exec.Cmd {
			return exec.Command("absolink", "extract", "--units", "unit", "--default-base", "http://example.test/")
		}
		cmd := command()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i) * 3 * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		out, err := command().Output()
		if err != nil {
			t.Fatalf("unit %d again: %v", i, err)
		}
		all += string(out)
	}
	if all != one {
		t.Errorf("units of killed processes: got %d bytes, want the %d of one run", len(all), len(one))
	}
	if left, _ := filepath.Glob("*"); !slices.Equal(left, []string{"a.mbox", "unit"}) {
		t.Errorf("after the kills: found %q, want the mailbox and the unit", left)
	}
}

// killOnce runs a unit, and kills the first process that does.
const killOnce = `
cat > unit.$$
if mkdir killed 2>/dev/null; then
	absolink extract --units unit.$$ --default-base http://example.test/ &
	sleep 0.01
	kill -9 $!
	wait $!
	exit 1
fi
exec absolink extract --units unit.$$ --default-base http://example.test/
`

// GNU parallel runs units, one to eight at a time, one of them killed and run again. The sorted
// output is always the same, byte for byte.
func TestParallel(t *testing.T) {
	if _, err := exec.LookPath("parallel"); err != nil {
		t.Skip("GNU parallel is not installed")
	}
	if out, _ := exec.Command("parallel", "--version").Output(); !strings.HasPrefix(string(out), "GNU parallel") {
		t.Skip("parallel is not GNU parallel")
	}
	t.Chdir(t.TempDir())
	plain, members := webArchive(1000)
	save(t, "a.warc", []byte(plain))
	save(t, "a.warc.gz", []byte(members))
	save(t, "a.mbox", []byte(letters(1500, relative)))
	save(t, "once.sh", []byte(killOnce))
	_, one, _ := runs(t, "", "extract", "--format", "jsonl", "--default-base",
		"http://example.test/", "a.warc", "a.warc.gz", "a.mbox")
	_, units, _ := runs(t, "", "units", "--size", "250K", "a.warc", "a.warc.gz", "a.mbox")
	want := slices.Sorted(strings.Lines(one))
	for _, jobs := range []string{"1", "8"} {
		os.RemoveAll("killed")
		cmd := exec.Command("parallel", "--will-cite", "-j", jobs, "--pipe", "-N1", "--retries", "2", "sh", "once.sh")
		cmd.Stdin = strings.NewReader(units)
		out, err := cmd.Output()
		if _, kerr := os.Stat("killed"); err != nil || kerr != nil {
			t.Fatalf("parallel -j %s: %v, killed one: %v", jobs, err, kerr)
		}
		if got := slices.Sorted(strings.Lines(string(out))); !slices.Equal(got, want) {
			t.Errorf("parallel -j %s over %d units: got %d records, want the %d of one run",
				jobs, strings.Count(units, "\n"), len(got), len(want))
		}
	}
}

// Each unit is answered as soon as its line comes, up to the record that says that it is done.
func TestStreamAnswers(t *testing.T) {
	t.Chdir(t.TempDir())
	save(t, "a.mbox", []byte(letters(4000, relative))) // a container that waits for its turn
	save(t, "b.html", []byte("<a href=x>"))
	in, lines := io.Pipe()
	answers, out := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- absolink([]string{"extract", "-q", "--stream", "--units", "-"}, in, out, io.Discard)
		out.Close()
	}()
	s := bufio.NewScanner(answers)
	for _, unit := range []string{"b.html", "a.mbox", "nothere", "b.html"} {
		io.WriteString(lines, unit+"\n")
		links := 0
		for s.Scan() && !strings.HasPrefix(s.Text(), `{"record":"unit"`) {
			if strings.HasPrefix(s.Text(), `{"record":"link"`) {
				links++
			}
		}
		if want := fmt.Sprintf(`{"record":"unit","unit":%q,`, unit); !strings.HasPrefix(s.Text(), want) ||
			!strings.Contains(s.Text(), fmt.Sprintf(`"link_count":%d,`, links)) {
			t.Fatalf("after unit %s and %d links: got %s, want %s and that number", unit, links, s.Text(), want)
		}
	}
	lines.Close()
	if s.Scan() {
		t.Errorf("after the last unit: got %s, want nothing", s.Text())
	}
	if got := <-code; got != cli.ExitUnread {
		t.Errorf("exit status: got %d, want %d", got, cli.ExitUnread)
	}
}

// A dead letter can be read again. It gives exactly the records that it gave before.
func TestDeadLettersAreExact(t *testing.T) {
	t.Chdir(t.TempDir())
	plain, members := webArchive(60)
	var one bytes.Buffer // all records in one member
	w := gzip.NewWriter(&one)
	io.WriteString(w, plain)
	w.Close()
	rng := rand.New(rand.NewPCG(17, 5))
	for name, content := range map[string]string{"a.warc": plain, "b.warc.gz": members,
		"c.warc.gz": one.String(), "d.mbox": letters(60, relative)} {
		dead := 0
		for n := range 6 {
			b := []byte(content)
			for range 8 {
				b[rng.IntN(len(b))] = byte(rng.IntN(256))
			}
			save(t, name, b[:len(b)-n*len(b)/20])
			dead += deadAgain(t, name)
		}
		if dead < 3 {
			t.Errorf("%s: got %d dead letters, want 3 at least", name, dead)
		}
	}
}

// deadAgain runs the dead letters of name as units, and returns their number.
func deadAgain(t *testing.T, name string) (n int) {
	t.Helper()
	_, all, _ := runs(t, name+"\n", "extract", "-q", "--stream", "--pages", "--units", "-")
	first := make(map[any]string) // the records at an offset
	var letters []string
	for line := range strings.Lines(all) {
		r := object(t, line)
		at := r["record_offset"]
		switch r["record"] {
		case "dead":
			letters = append(letters, r["unit"].(string))
		case "page", "link":
			first[at] += line
		}
	}
	for _, letter := range letters {
		code, again, _ := runs(t, letter+"\n", "extract", "-q", "--stream", "--pages", "--units", "-")
		var records string
		at, dead := any(nil), false
		for line := range strings.Lines(again) {
			switch r := object(t, line); r["record"] {
			case "dead":
				at, dead = r["record_offset"], dead || r["unit"] == letter
			case "page", "link":
				records += line
			}
		}
		if code != cli.ExitDone || !dead || records != first[at] {
			t.Errorf("unit %q again: got code %d, dead %v and\n%s\nwant\n%s", letter, code, dead, records, first[at])
		}
	}
	return len(letters)
}

// A unit of any program that begins at the offset of a record finds that record, however it is
// compressed.
func TestRecordOffsets(t *testing.T) {
	t.Chdir(t.TempDir())
	plain, members := webArchive(30)
	save(t, "a.warc", []byte(plain))
	save(t, "b.warc.gz", []byte(members))
	save(t, "c.mbox", []byte(letters(30, relative)))
	var frames []byte
	e, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, record := range strings.Split(plain, "WARC/1.") {
		if i > 0 {
			frames = e.EncodeAll([]byte("WARC/1."+record), frames)
		}
	}
	save(t, "d.warc.zst", frames)
	for _, name := range []string{"a.warc", "b.warc.gz", "c.mbox", "d.warc.zst"} {
		_, all, _ := runs(t, "", "extract", "-q", "--format", "jsonl", "--fields", "record_offset,page,uri,value", name)
		at := make(map[string]string)
		for line := range strings.Lines(all) {
			at[strconv.Itoa(int(object(t, line)["record_offset"].(float64)))] += line
		}
		if len(at) < 20 {
			t.Errorf("%s: got %d offsets, want one a record", name, len(at))
		}
		for offset, want := range at {
			if _, got, _ := runs(t, name+"\t"+offset+"\t1\n", "extract", "-q",
				"--fields", "record_offset,page,uri,value", "--units", "-"); got != want {
				t.Errorf("%s: unit at %s: got\n%s\nwant\n%s", name, offset, got, want)
			}
		}
	}
}
