package mime

import (
	"strconv"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, msg, outline, defects string }{
		{"empty", "", "1|text/plain|0|\"\"\n", ""},
		{"header only", "Subject: x\n", "1|text/plain|1|\"\"\n", "1@11: no blank line after the header\n"},
		{"no header", "\nbody\n", "1|text/plain|0|\"body\\n\"\n", ""},
		{"plain LF", "Subject: x\nContent-Type: text/html\n\n<p>\n", "1|text/html|2|\"<p>\\n\"\n", ""},
		{"plain CRLF", "Subject: x\r\nContent-Type: text/html\r\n\r\n<p>\r\n", "1|text/html|2|\"<p>\\r\\n\"\n", ""},
		{"plain CR", "Subject: x\rContent-Type: text/html\r\r<p>\r", "1|text/html|2|\"<p>\\r\"\n", ""},
		{"folded field", "Content-Type: text/html;\n charset=utf-8\n\nx", "1|text/html|1|\"x\"\n", ""},
		{"envelope", "From a@b Sat Jan  3 01:05:34 1996\nSubject: x\n\nb", "1|text/plain|1|\"b\"\n", ""},
		{"quoted envelope", ">From a@b Sat Jan  3 01:05:34 1996\nSubject: x\n\nb", "1|text/plain|1|\"b\"\n", ""},
		{"field From with a blank", "From : a@b\n\nb", "1|text/plain|1|\"b\"\n", ""},
		{"byte order mark", "\xef\xbb\xbfSubject: x\n\nb",
			"1|text/plain|1|\"b\"\n", "@0: byte order mark before the header\n"},
		{"line without a name", "A: 1\nnonsense\nB: 2\n\nb",
			"1|text/plain|3|\"b\"\n", "1@5: header line without a field name\n"},
		{"no blank line, after two lines without a name", "x y\nA: 1\nz y\ntext\n",
			"1|text/plain|0|\"x y\\nA: 1\\nz y\\ntext\\n\"\n", ""},
		{"no blank line", "A: 1\n<p>\ntext\n", "1|text/plain|1|\"<p>\\ntext\\n\"\n",
			"1@5: no blank line after the header\n"},
		{"two parts",
			"Content-Type: multipart/mixed; boundary=b\n\npre\n--b\n\none\n--b\nContent-Type: text/html\n\ntwo\n\n" +
				"--b--\nepi\n",
			"|multipart/mixed|1|…\n1|text/plain|0|\"one\"\n2|text/html|1|\"two\\n\"\n", ""},
		{"CRLF before the boundary belongs to it",
			"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\none\r\n--b--\r\n",
			"|multipart/mixed|1|…\n1|text/plain|0|\"one\"\n", ""},
		{"blanks after a boundary", "Content-Type: multipart/mixed; boundary=b\n\n--b \t\n\none\n--b-- \n",
			"|multipart/mixed|1|…\n1|text/plain|0|\"one\"\n", ""},
		{"no final boundary", "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n",
			"|multipart/mixed|1|…\n1|text/plain|0|\"one\\n\"\n", "@52: no final boundary\n"},
		{"outer boundary ends inner",
			"Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n" +
				"one\n--a\n\ntwo\n--a--\n",
			"|multipart/mixed|1|…\n1|multipart/mixed|1|…\n1.1|text/plain|0|\"one\"\n2|text/plain|0|\"two\"\n",
			"1@99: no final boundary\n"},
		{"boundary that is a prefix",
			"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=bb\n\n--bb\n\n" +
				"one\n--bb--\n--b\n\ntwo\n--b--\n",
			"|multipart/mixed|1|…\n1|multipart/mixed|1|…\n1.1|text/plain|0|\"one\"\n2|text/plain|0|\"two\"\n", ""},
		{"boundary that ends in dashes",
			"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=b--\n\n--b--\n" +
				"\none\n--b----\n--b\n\ntwo\n--b--\n",
			"|multipart/mixed|1|…\n1|multipart/mixed|1|…\n1.1|text/plain|0|\"one\"\n2|text/plain|0|\"two\"\n", ""},
		{"same boundary inside",
			"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n" +
				"one\n--b--\n--b\n\ntwo\n--b--\n",
			"|multipart/mixed|1|…\n1|multipart/mixed|1|…\n1.1|text/plain|0|\"one\"\n2|text/plain|0|\"two\"\n", ""},
		{"boundary in a header",
			"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n--b\n\ntwo\n--b--\n",
			"|multipart/mixed|1|…\n1|text/html|1|\"\"\n2|text/plain|0|\"two\"\n",
			"1@71: no blank line after the header\n"},
		{"header that runs into its own boundary",
			"Subject: x\nContent-Type: multipart/mixed;\n boundary=\"b b\"\nX: y\n--b b\nContent-Type: text/html\n\n" +
				"one\n--b b--\n",
			"|multipart/mixed|3|…\n1|text/html|1|\"one\"\n",
			"1@63: no blank line before the first boundary line, which ends the header\n"},
		{"the same in CRLF, with blanks", "Content-Type: multipart/mixed; boundary=b\r\n--b \t\r\n\r\none\r\n--b--\r\n",
			"|multipart/mixed|1|…\n1|text/plain|0|\"one\"\n",
			"1@43: no blank line before the first boundary line, which ends the header\n"},
		{"the same in a part",
			"Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=b\n--b\n\n" +
				"one\n--b--\n--a--\n",
			"|multipart/mixed|1|…\n1|multipart/mixed|1|…\n1.1|text/plain|0|\"one\"\n",
			"1@89: no blank line before the first boundary line, which ends the header\n"},
		{"the boundary of the first Content-Type counts",
			"Content-Type: multipart/mixed; boundary=a\nContent-Type: multipart/mixed; boundary=b\n--b\n--a\n\none\n" +
				"--a--\n",
			"|multipart/mixed|3|…\n1|text/plain|0|\"one\"\n",
			"1@42: second Content-Type, the first counts\n1@84: header line without a field name\n1@88: no blank " +
				"line before the first boundary line, which ends the header\n"},
		{"comments in a media type",
			"Content-Type: multipart (a) / (b) mixed; (c) boundary (d) = b\n\n--b\n\none\n--b--\n",
			"|multipart/mixed|1|…\n1|text/plain|0|\"one\"\n", ""},
		{"a media type without a subtype", "X: y\nContent-Type: html;\n charset=x\n\none\n",
			"1|text/plain|2|\"one\\n\"\n", "1@5: Content-Type \"html; charset=x\" has no type and subtype\n"},
		{"its final boundary alone ends no header", "Content-Type: multipart/mixed; boundary=b\n--b--\nX: y\n\none\n",
			"|multipart/mixed|3|\"one\\n\"\n", "1@42: header line without a field name\n@58: no final boundary\n"},
		{"the boundary of a text ends no header", "Content-Type: text/plain; boundary=b\n--b\nX: y\n\none\n",
			"1|text/plain|3|\"one\\n\"\n", "1@37: header line without a field name\n"},
		{"a longer line than the boundary ends no header",
			"Content-Type: multipart/mixed; boundary=b\n--bc\nX: y\n\n--b\n\none\n--b--\n",
			"|multipart/mixed|3|…\n1|text/plain|0|\"one\"\n", "1@42: header line without a field name\n"},
		{"empty part", "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n--b--\n",
			"|multipart/mixed|1|…\n1|text/plain|0|\"\"\n", ""},
		{"no boundary parameter", "Content-Type: multipart/mixed\n\n--b\n\nx\n",
			"1|multipart/mixed|1|\"--b\\n\\nx\\n\"\n", "1@0: multipart without a usable boundary\n"},
		{"boundary with equals signs",
			"Content-Type: multipart/mixed; boundary=----=_NextPart_000\n\n------=_NextPart_000\n\nx\n" +
				"------=_NextPart_000--\n",
			"|multipart/mixed|1|…\n1|text/plain|0|\"x\"\n", ""},
		{"message inside", "Content-Type: message/rfc822\n\nContent-Type: text/html\n\n<p>",
			"1|message/rfc822|1|…\n1.1|text/html|1|\"<p>\"\n", ""},
		{"multipart in a message in a multipart",
			"Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: message/rfc822\n\nContent-Type: " +
				"multipart/mixed; boundary=b\n\n--b\n\none\n--b--\n\n--a--\n",
			"|multipart/mixed|1|…\n1|message/rfc822|1|…\n1|multipart/mixed|1|…\n1.1|text/plain|0|\"one\"\n", ""},
		{"message in base64 stays closed", "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nQQ==\n",
			"1|message/rfc822|2|\"QQ==\\n\"\n", ""},
		{"digest", "Content-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: x\n\none\n--b\nContent-Type: text/" +
			"html\n\ntwo\n--b--\n",
			"|multipart/digest|1|…\n1|message/rfc822|0|…\n1.1|text/plain|1|\"one\"\n2|text/html|1|\"two\"\n", ""},
		{"line ends of CR CR LF", "A: 1\r\r\nB: 2\r\r\n\r\r\nbody\r\r\n", "1|text/plain|2|\"body\\r\\r\\n\"\n", ""},
		{"second Content-Location", "Content-Location: a\nContent-Location: b\n\n",
			"1|text/plain|2|\"\"\n", "1@20: second Content-Location, the first counts\n"},
		{"blank before the colon", "content-base : http://a/\n\n",
			"1|text/plain|1|\"\"\n", "1@0: blank before the colon of Content-Base\n"},
		{"NUL bytes", "Subject: \x00\n\n\x00\x00", "1|text/plain|1|\"\\x00\\x00\"\n", ""},
		{"text after the final boundary that looks like a part",
			"Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b--\n--b\n\ntwo\n",
			"|multipart/mixed|1|…\n1|text/plain|0|\"one\"\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := parse(t, c.msg)
			if got := outline(m, c.msg); got != c.outline {
				t.Errorf("Parse(%q):\ngot\n%swant\n%s", c.msg, got, c.outline)
			}
			if got := defects(m); got != c.defects {
				t.Errorf("Parse(%q) defects:\ngot\n%swant\n%s", c.msg, got, c.defects)
			}
		})
	}
}

func TestIndexDashes(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int
	}{
		{"", -1}, {"--", -1}, {"\n-", -1}, {"\n--", 0}, {"a\n--b", 1}, {"-\n--", 1}, {"--\n--", 2}, {"---\n---", 3},
		{"\n-\n--", 2}, {"\n- --", -1}, {"a-b--c\n\n--", 7}, {"\n-a-\n--", 4}, {"\r--", -1},
	} {
		if got := indexDashes([]byte(c.in), '\n'); got != c.want {
			t.Errorf("indexDashes(%q) = %d, want %d", c.in, got, c.want)
		}
	}
}

// All headings of a message together may have 16 times the bytes of one heading. The parts behind
// are not entered.
func TestHeadingsLimit(t *testing.T) {
	part := "A: " + strings.Repeat("x", 46) + "\n\nbody\n--b\n"
	msg := "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + strings.Repeat(part, 60)
	m := inBytes([]byte(msg), Limits{Header: 50})
	entered := 0
	for _, e := range m.Root.Parts {
		if e.Head.Len() == 50 {
			entered++
		}
	}
	if entered != 16 || !strings.Contains(defects(m), "more header fields than the limit") {
		t.Errorf("%d parts of %d have a heading, want 16; defects %s", entered, len(m.Root.Parts), defects(m))
	}
}

// The smallest limits count, and zero and negative ones do not.
func TestLimitsDefaults(t *testing.T) {
	want := Limits{Depth: 100, Parts: 10_000, Header: 1 << 20, Leaf: 64 << 20}
	for _, l := range []Limits{{}, {-1, -1, -1, -1}} {
		if got := l.withDefaults(); got != want {
			t.Errorf("%+v with defaults is %+v, want %+v", l, got, want)
		}
	}
	if l := (Limits{1, 1, 1, 1}); l.withDefaults() != l {
		t.Errorf("%+v with defaults is %+v", l, l.withDefaults())
	}
}

// A message has at most maxDefects defects.
func TestManyDefects(t *testing.T) {
	for n := maxDefects - 1; n <= maxDefects+1; n++ {
		want := min(n, maxDefects)
		if m := parse(t, "A: b\n"+strings.Repeat("x y\n", n)+"\nx"); len(m.Defects) != want {
			t.Errorf("%d lines without a name have %d defects, want %d", n, len(m.Defects), want)
		}
	}
}

// The memory of a scanner is kept for the next message, unless a message made it large.
func TestScannerIsKept(t *testing.T) {
	for size, want := range map[int]bool{10: true, maxKept: true, maxKept + 1: false} {
		names := make(map[string]int)
		for i := range size {
			names[strconv.Itoa(i)] = i
		}
		for name, s := range map[string]scanner{
			"fields":           {fieldBuffer: make([]field, size)},
			"entities":         {openEntities: make([]*Entity, size)},
			"boundaries":       {stack: boundaries{frames: make([]frame, size)}},
			"boundary indices": {stack: boundaries{innermost: names}},
		} {
			got := keeps(&scanners, func() any {
				s := s
				s.release()
				return &s
			})
			if got != want {
				t.Errorf("scanner with %d %s: kept %v, want %v", size, name, got, want)
			}
		}
	}
}
