package warc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"absolink/mime/httpmsg"
	"absolink/testdata/effort"
)

// arcRecord returns a record of ARC 1.
func arcRecord(url, media, block string) string {
	return fmt.Sprintf("%s 1.2.3.4 20050102030405 %s %d\n%s\n", url, media, len(block), block)
}

const arcDescription = "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"

// arcHead is the first record of an ARC.
var arcHead = arcRecord("filedesc://a.arc", "text/plain", arcDescription)

// arcPage returns the response with a page.
func arcPage(text string) string { return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + text }

// zipped returns each record as a gzip member.
func zipped(records ...string) []byte { return []byte(gz(records...)) }

// arcList lists the records of an archive: number, bounds, type, URI, the end of the block,
// defects.
func arcList(data []byte, o Options) (list []string) {
	r := readers.Get().(*Reader)
	defer readers.Put(r)
	r.Reset(bytes.NewReader(data), o)
	for rec, err := range r.All() {
		if err != nil {
			return append(list, err.Error())
		}
		block := rec.block()
		s := fmt.Sprintf("%d [%d,%d) %s %s %q", rec.Number, rec.Offset, rec.End, rec.Type, rec.TargetURI,
			block[max(0, len(block)-4):])
		for _, d := range rec.Defects {
			s += fmt.Sprintf(" (%d %s)", d.Offset, d.Text)
		}
		list = append(list, s)
		rec.Release()
	}
	return list
}

func TestARC(t *testing.T) {
	page := arcRecord("http://a/x", "text/html", arcPage("<one"))
	other := arcRecord("http://a/y z", "text/html", arcPage("two>"))
	lie := func(n int) string { return strings.Replace(page, " 48\n", fmt.Sprintf(" %d\n", n), 1) }
	if !strings.Contains(page, " 48\n") {
		t.Fatalf("the page has another length: %q", page)
	}
	for _, tt := range []struct{ name, data, want string }{
		{"version 1", arcHead + page + other, `1 [0,131) warcinfo filedesc://a.arc "gth\n"|` +
			`2 [131,227) response http://a/x "<one"|3 [227,325) response http://a/y z "two>"`},
		{"version 2", "filedesc://a.arc 0.0.0.0 20050102030405 text/plain 200 - - 0 a.arc 4\n2 0\n\n" +
			"https://a/x ::1 20050102030405 text/html 200 abc - 0 a.arc 3\nabc\n",
			`1 [0,74) warcinfo filedesc://a.arc "2 0\n"|2 [74,139) response https://a/x "abc"`},
		{"other schemes", arcRecord("dns:a.example", "text/dns", "x") + arcRecord("ftp://a/b", "text/html", "y"),
			`1 [0,50) resource dns:a.example "x"|2 [50,97) resource ftp://a/b "y"`},
		{"CRLF", strings.ReplaceAll(arcRecord("http://a/", "text/html", "x"), "\n", "\r\n") + page,
			`1 [0,49) response http://a/ "x"|2 [49,145) response http://a/x "<one"`},
		{"no line end at the end", strings.TrimSuffix(page, "\n"), `1 [0,95) response http://a/x "<one"`},
		{"too large", lie(60) + other, `1 [0,96) response http://a/x "<one" (0 Archive-length 60 is too large, ` +
			`the block has 48 bytes)|2 [96,194) response http://a/y z "two>"`},
		{"too small", lie(40) + other, `1 [0,96) response http://a/x "<one" (0 Archive-length 40 is too small, ` +
			`the block has 48 bytes)|2 [96,194) response http://a/y z "two>"`},
		{"far too large", lie(99999) + other, `1 [0,99) response http://a/x "<one" (0 Archive-length 99999 is too ` +
			`large, the block has 48 bytes)|2 [99,197) response http://a/y z "two>"`},
		{"not a number", arcHead + strings.Replace(page, " 48\n", " x\n", 1) + other,
			`1 [0,131) warcinfo filedesc://a.arc "gth\n"|2 [131,226) response http://a/x "<one" (131 Archive-length "x" is not a number)|` +
				`3 [226,324) response http://a/y z "two>"`},
		{"not a number in the last record", strings.Replace(page, " 48\n", " -\n", 1),
			`1 [0,95) response http://a/x "<one" (0 Archive-length "-" is not a number)`},
		{"negative", lie(-48) + other, `1 [0,97) response http://a/x "<one" (0 Archive-length "-48" is not a ` +
			`number)|2 [97,195) response http://a/y z "two>"`},
		{"more than 64 bits", page + strings.Replace(page, " 48\n", " 99999999999999999999\n", 1) + other,
			`1 [0,96) response http://a/x "<one"|2 [96,210) response http://a/x "<one" (96 Archive-length ` +
				`"99999999999999999999" is not a number)|3 [210,308) response http://a/y z "two>"`},
		{"not a number in version 2", "https://a/x ::1 20050102030405 text/html 200 abc - 0 a.arc x\nabc\n" + page,
			`1 [0,65) response https://a/x "abc" (0 Archive-length "x" is not a number)|` +
				`2 [65,161) response http://a/x "<one"`},
		{"no line of a record", page + "http://a/z 1.2.3.4 20050102030405 text/html a b\nx\n" + other,
			`1 [0,146) response http://a/x " b\nx" (0 Archive-length 48 is too small, the block has 98 bytes)|` +
				`2 [146,244) response http://a/y z "two>"`},
		{"cut short", page[:len(page)-3], `1 [0,93) response http://a/x "\r\n<o" (93 block cut short: 46 bytes of 48)`},
		{"a line in a right block", arcRecord("http://a/", "text/html", "x\n"+page),
			`1 [0,145) response http://a/ "one\n"`},
		{"bytes after a block", page + "\n\nstray\n" + other, `1 [0,104) response http://a/x "tray" (0 Archive-length ` +
			`48 is too small, the block has 56 bytes)|2 [104,202) response http://a/y z "two>"`},
		{"bytes before a record", arcHead + "x\n" + page, `1 [0,133) warcinfo filedesc://a.arc "h\n\nx" (0 ` +
			`Archive-length 76 is too small, the block has 78 bytes)|2 [133,229) response http://a/x "<one"`},
	} {
		got := strings.Join(arcList([]byte(tt.data), Options{}), "|")
		if got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
		var slow []string
		for rec, err := range recordsOf(iotest.OneByteReader(strings.NewReader(tt.data)), Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			slow = append(slow, fmt.Sprintf("%d [%d,%d)", rec.Number, rec.Offset, rec.End))
		}
		if n := len(strings.Split(got, "|")); len(slow) != n {
			t.Errorf("%s: %d records from a pipe, want %d", tt.name, len(slow), n)
		}
	}
}

// The line of an ARC record has a URL, an address, a date, a media type and a length.
func TestParseLine(t *testing.T) {
	const mid = "1.2.3.4 20050102030405 text/html"
	for line, want := range map[string]string{
		"http://a/ " + mid + " 12":                 "http://a/ " + mid + " 12 true",
		"http://a/b c " + mid + " 12":              "http://a/b c " + mid + " 12 true",
		"http://a/ " + mid + " 200 x - 0 a.arc 12": "http://a/ " + mid + " 12 true",
		"http://a/ " + mid + " 12 13 14":           "http://a/ " + mid + " 14 true",
		"http://a/ " + mid + " x":                  "http://a/ " + mid + " -1 true",
		"http://a/ " + mid + " 200 x - 0 a.arc -":  "http://a/ " + mid + " -1 true",
		"http://a/ " + mid + " x y":                "http://a/ " + mid + " -1 false",
		"http://a/ " + mid:                         "    0 false",
		mid + " 12":                                "    0 false",
		" " + mid + " 12":                          "    0 false",
		"a:  " + mid + " 12":                       "a: " + mid + " 12 true",
		"no scheme " + mid + " 12":                 "    0 false",
		"http://a/ 1.2.3.4 2005010203040 text/html 9223372036854775807": "" +
			"http://a/ 1.2.3.4 2005010203040 text/html 9223372036854775807 true",
		"http://a/ 1.2.3.4 2005010203040 text/html 9223372036854775808": "" +
			"http://a/ 1.2.3.4 2005010203040 text/html -1 true",
		"http://a/ 1.2.3.4 a.day.in.2005 text/html 12": "    0 false",
	} {
		a, ok := parseLine([]byte(line))
		if got := fmt.Sprintf("%s %s %s %s %d %v", a.url, a.ip, a.date, a.media, a.length, ok); got != want {
			t.Errorf("parseLine(%q) = %q, want %q", line, got, want)
		}
	}
}

// The line of an ARC record begins after a line end, and ends in the available bytes.
func TestFindLine(t *testing.T) {
	const line = "http://a/ 1.2.3.4 20050102030405 text/html 12\n"
	for before, want := range map[string]int{"": 0, "\n": 1, "7": -1, "x\n": 2, "x\ny\n": 4, "x\n\n": 3, "x ": -1,
		"x\n7": -1} {
		text := before + line
		for from := range len(before) + 1 {
			if got := findLine([]byte(text), from, len(text)); got != want {
				t.Errorf("findLine(%q, %d) = %d, want %d", text, from, got, want)
			}
		}
		if got := findLine([]byte(text), 0, len(before)); got != -1 {
			t.Errorf("findLine(%q) before the line = %d, want -1", text, got)
		}
		if got := findLine([]byte(text[:len(text)-1]), 0, len(text)-1); got != -1 {
			t.Errorf("findLine(%q) = %d, want -1", text[:len(text)-1], got)
		}
	}
}

// After a damaged member, an ARC continues at the next member that begins with a record.
func TestDamagedARC(t *testing.T) {
	pages := make([]string, 4)
	for i := range pages {
		pages[i] = arcRecord(fmt.Sprintf("http://a/%d", i), "text/html", arcPage(strings.Repeat("<p>", 200)))
	}
	data := zipped(pages...)
	second := len(zipped(pages[0]))
	for at := second + 10; at < len(zipped(pages[:2]...)); at += 7 {
		damaged := bytes.Clone(data)
		damaged[at] ^= 0x55
		list := arcList(damaged, Options{})
		all := strings.Join(list, "\n")
		if len(list) < 3 || !strings.Contains(all, "http://a/2") || !strings.Contains(all, "http://a/3") {
			t.Errorf("damage at %d: got %q, want the records behind it", at, list)
		}
	}
}

// The fields of a line are those of WARC.
func TestARCFields(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"http://a/ 1.2.3.4 20050102030405 text/html 0", "response|http://a/|2005-01-02T03:04:05Z|1.2.3.4|text/html"},
		{"http://a/b c 1.2.3.4 200501020304 text/html 0",
			"response|http://a/b c|2005-01-02T03:04:00Z|1.2.3.4|text/html"},
		{"http://a/ 20050102030405 1.2.3.4 20060102030405123 no-type 0",
			"response|http://a/ 20050102030405|2006-01-02T03:04:05Z|1.2.3.4|no-type"},
		{"HTTP://a/ - 20051302030405 text/html 0", "response|HTTP://a/||-|text/html"},
	} {
		rec, err := firstOf(strings.NewReader(tt.line+"\n"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := []string{rec.Type, rec.TargetURI}
		for _, name := range []string{"WARC-Date", "WARC-IP-Address", "Content-Type"} {
			v, _ := rec.Get(name)
			got = append(got, v)
		}
		if s := strings.Join(got, "|"); s != tt.want || rec.Version != arcVersion {
			t.Errorf("%q: %s, version %s, want %s", tt.line, s, rec.Version, tt.want)
		}
	}
}

func TestStartsWithRecord(t *testing.T) {
	for line, want := range map[string]bool{
		"WARC/1.0\r\n": true, "http://a/ 1.2.3.4 20050102030405 text/html 0\n": true,
		"http://a/ 1.2.3.4 20050102030405 text/html 0":                                     false, // without its end
		"http://a/ 1.2.3.4 20050102030405 text/html\n":                                     false,
		"http://a/ 1.2.3.4 20050102030405 text/html x\n":                                   true,
		"http://a/ 1.2.3.4 20050102030405 text/html x y\n":                                 false,
		"http://a/ 1.2.3.4 2005 text/html 0\n":                                             false,
		"http://a/ host 20050102030405 text/html 0\n":                                      false,
		"1.2.3.4 20050102030405 text/html 0\n":                                             false,
		"a b: 1.2.3.4 20050102030405 text/html 0\n":                                        false,
		":a 1.2.3.4 20050102030405 text/html 0\n":                                          false,
		strings.Repeat("a", 40) + ": 1.2.3.4 200501020304 t 0\n":                           false,
		"http://" + strings.Repeat("a", maxLine) + " 1.2.3.4 20050102030405 text/html 0\n": false,
		"": false,
	} {
		if got := startsWithRecord([]byte(line)); got != want {
			t.Errorf("startsWithRecord(%.60q) = %v, want %v", line, got, want)
		}
	}
}

// Adjacent ranges together have the same records as the whole archive, plain, in members and with a
// damaged member.
func TestARCRanges(t *testing.T) {
	var records []string
	records = append(records, arcHead)
	for i := range 40 {
		text := strings.Repeat(fmt.Sprintf("<a href=%d>%x", i, i*i), i*i%700)
		records = append(records, arcRecord(fmt.Sprintf("http://a/%d", i), "text/html", arcPage(text)))
	}
	inner := arcRecord("http://a/arc", "application/x-arc", arcPage(strings.Join(records[:9], "")))
	records = append(records, inner)
	archives := map[string][]byte{
		"plain":   []byte(strings.Join(records, "")),
		"members": zipped(records...),
		"whole":   zipped(strings.Join(records, "")),
	}
	damaged := slices.Clone(archives["members"])
	damaged[len(damaged)/2] ^= 0xff
	archives["damaged"] = damaged
	for name, data := range archives {
		whole := arcList(data, Options{})
		if len(whole) < 30 {
			t.Errorf("%s: %d records", name, len(whole))
		}
		if ahead := arcList(data, Options{Ahead: 4}); !slices.Equal(ahead, whole) {
			t.Errorf("%s: reading ahead finds other records", name)
		}
		for _, size := range effort.Pick([]int64{100, 999, 4096, 70000}, []int64{1999, 70000}) {
			var got []string
			for at := int64(0); at < int64(len(data)); at += size {
				got = append(got, arcList(data, Options{Start: at, End: at + size})...)
			}
			if !slices.Equal(unnumbered(got), unnumbered(whole)) {
				t.Errorf("%s in ranges of %d bytes:\n%s\nwant\n%s", name, size,
					strings.Join(got, "\n"), strings.Join(whole, "\n"))
			}
		}
	}
	r := NewReader(bytes.NewReader(archives["members"]), Options{})
	if ok, err := r.Divisible(); !ok || err != nil {
		t.Errorf("Divisible() = %v, %v", ok, err)
	}
	if ok, _ := NewReader(bytes.NewReader(archives["whole"]), Options{}).Divisible(); ok {
		t.Error("an ARC in one gzip member is divisible")
	}
	for rec := range recordsOf(bytes.NewReader(archives["plain"]), Options{}) {
		o := Options{Start: rec.Offset, End: rec.End, Indexed: true}
		if got := arcList(archives["plain"], o); len(got) != 1 || !strings.Contains(got[0], rec.TargetURI) {
			t.Errorf("record at %d: %q", rec.Offset, got)
		}
	}
}

// unnumbered returns the records without their numbers.
func unnumbered(list []string) (out []string) {
	for _, s := range list {
		_, rest, _ := strings.Cut(s, " ")
		out = append(out, rest)
	}
	return out
}

// A block above the limit is skipped, whether its length is right or too large.
func TestARCLimit(t *testing.T) {
	large := arcRecord("http://a/large", "text/html", arcPage(strings.Repeat("x", 300000)))
	next := arcRecord("http://a/next", "text/html", arcPage("y"))
	for name, data := range map[string][]byte{
		"plain":   []byte(arcHead + large + next),
		"members": zipped(arcHead, large, next),
		"wrong":   []byte(arcHead + strings.Replace(large, " 300045\n", " 300445\n", 1) + next),
	} {
		got := arcList(data, Options{Limit: 100000})
		if len(got) != 3 || !strings.Contains(got[1], "larger than the limit") ||
			!strings.Contains(got[2], "http://a/next") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// arcOf returns an ARC with the responses of a WARC, and the records as payloads lists them.
func arcOf(t *testing.T, data []byte) (records []string, want [][3]string) {
	t.Helper()
	records = append(records, arcHead)
	for rec, err := range recordsOf(bytes.NewReader(data), Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		block := string(rec.block())
		if rec.Type != "response" || !strings.HasPrefix(rec.TargetURI, "http") || !strings.HasPrefix(block, "HTTP/") ||
			strings.ContainsAny(rec.TargetURI, "\r\n") || len(rec.Defects) > 0 {
			continue
		}
		line := fmt.Sprintf("%s 10.0.0.1 20050102030405 text/html %d\n", rec.TargetURI, len(block))
		records = append(records, line+block+"\n")
		sum := payloadSum(t, rec)
		want = append(want, [3]string{"response", rec.TargetURI, sum})
	}
	return records, want
}

// An ARC that is made from a WARC has the same documents, and warcio reads the same from it.
func TestARCOfWARC(t *testing.T) {
	files := archives(t)
	dir := t.TempDir()
	var names []string
	for name, data := range files {
		records, want := arcOf(t, data)
		if len(want) == 0 {
			continue
		}
		made := map[string][]byte{".arc": []byte(strings.Join(records, "")), ".arc.gz": zipped(records...)}
		for ending, arc := range made {
			got, _ := payloads(t, arc)
			if len(got) == 0 || !slices.Equal(got[1:], want) {
				t.Errorf("%s%s: %d records, want %d", name, ending, len(got), len(want)+1)
			}
			path := filepath.Join(dir, strings.ReplaceAll(name, "/", "_")+ending)
			if err := os.WriteFile(path, arc, 0o666); err != nil {
				t.Fatal(err)
			}
			names = append(names, path)
		}
	}
	if len(names) == 0 {
		t.Fatal("no archive has a response")
	}
	out, err := exec.Command(python(t), append([]string{"-c", arcOracle}, names...)...).Output()
	answers := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if err != nil || len(answers) != len(names) {
		t.Fatalf("warcio: %d answers for %d archives, %v", len(answers), len(names), err)
	}
	for i, name := range names {
		var answer [][]string
		if err := json.Unmarshal(answers[i], &answer); err != nil {
			t.Fatalf("%s: warcio: %q, %v", name, answers[i], err)
		}
		same(t, name, arcBlocks(t, name), answer)
	}
}

// arcBlocks lists type, URI and length of the records of an ARC.
func arcBlocks(t *testing.T, name string) (list [][3]string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for rec, err := range recordsOf(f, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		size := fmt.Sprint(len(rec.block()))
		if rec.Type == "warcinfo" {
			size = "0" // warcio has read the block
		}
		list = append(list, [3]string{rec.Type, rec.TargetURI, size})
	}
	return list
}

// arcOracle lists the records of ARCs as JSON, one line for each archive: type, URI and length.
const arcOracle = `
import sys, json
from warcio.archiveiterator import ArchiveIterator
names = {'arc_header': 'warcinfo', 'response': 'response'}
for path in sys.argv[1:]:
    records = []
    for r in ArchiveIterator(open(path, 'rb'), no_record_parse=True):
        assert r.format == 'arc', path
        records.append([names[r.rec_type], r.rec_headers.get_header('uri'), str(len(r.raw_stream.read()))])
    print(json.dumps(records))
`

func FuzzARC(f *testing.F) {
	f.Add([]byte(arcHead+arcRecord("http://a/x", "text/html", arcPage("<a>"))), int64(0), int64(0))
	f.Add(zipped(arcHead, arcRecord("http://a/x", "text/html", "y")), int64(100), int64(0))
	f.Fuzz(func(t *testing.T, data []byte, start, end int64) {
		last := int64(0)
		data = append([]byte(arcHead), data...)
		for rec, err := range recordsOf(bytes.NewReader(data), Options{Limit: 1000, Start: start, End: end}) {
			if err != nil {
				t.Fatal(err)
			}
			if rec.Offset < last || rec.End < rec.Offset || rec.End > int64(len(data)) {
				t.Fatalf("record [%d,%d) after %d in %q", rec.Offset, rec.End, last, data)
			}
			last = rec.End
			rec.Message(httpmsg.Options{})
			rec.Release()
		}
	})
}

// In an ARC, a block is an HTTP message only if it begins like one: the media type of the record is
// the type of the content.
func TestARCMessage(t *testing.T) {
	const text = "a: b\n\n<p>"
	for _, tt := range []struct {
		media, block, want string
		body               bool // the block is a body without a header
	}{
		{"text/html", arcPage("<one"), "<one", false},
		{"application/http", arcPage("<one"), "<one", false},
		{"text/html", text, text, true},
		{"application/http", text, text, true},
		{"application/http-response", text, text, true},
	} {
		rec, err := firstOf(strings.NewReader(arcRecord("http://a/", tt.media, tt.block)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := rec.Message(httpmsg.Options{})
		if got := tt.block[m.Content.Start:m.Content.End]; got != tt.want || (m.Content.Start == 0) != tt.body {
			t.Errorf("%s %q: the content is %q, want %q", tt.media, tt.block, got, tt.want)
		}
		rec.Release()
	}
}
