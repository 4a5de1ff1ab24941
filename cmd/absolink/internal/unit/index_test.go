package unit

import (
	"strings"
	"testing"
)

// units returns the units of an index, joined by ", ". An error follows a !.
func units(f Format, text string) string {
	var list []string
	for u, err := range f.Read(strings.NewReader(text), "p") {
		s := "header"
		switch {
		case err != nil:
			s = "!" + err.Error()
		case u.Path != "":
			s = strings.ReplaceAll(strings.TrimSpace(string(u.Append(nil))), "\t", " ")
			if !u.Indexed {
				s += " not exact"
			}
		}
		if u.OpenEnded {
			s += " open"
		}
		list = append(list, s)
	}
	return strings.Join(list, ", ")
}

func TestIndex(t *testing.T) {
	const capture = "a,b)/ 2024 http://a.test/ text/html 200 X - "
	tests := []struct {
		name   string
		format Format
		text   string
		want   string
	}{
		{"11 columns", CDX, capture + "- 175 165 d/a.warc.gz\n", "p/d/a.warc.gz 165 175"},
		{"11 columns behind their header", CDX,
			" CDX N b a m s k r M S V g\r\n" + capture + "- 175 165 a.warc\r\n\n" +
				capture + "- 1 2 b.warc", "header, p/a.warc 165 175, p/b.warc 2 1"},
		{"14 columns, of a revisit", CDX, capture + "- 175 165 a.warc 1 2 b.warc", "p/a.warc 165 175"},
		{"10 columns", CDX, capture + "- 165 a.warc", "p/a.warc 165 1 open"},
		{"9 columns", CDX, capture + "165 a.warc", "p/a.warc 165 1 open"},
		{"9 columns behind their header", CDX,
			" CDX N b a m s k r V g\n" + capture + "165 a.warc", "header, p/a.warc 165 1 open"},
		{"other columns", CDX, " CDX g V S a\na.warc 165 175 http://a.test/ more", "header, p/a.warc 165 175"},
		{"tabs", CDX, "\tCDX\ta\tV\tS\tg\nhttp://a.test/\t165\t175\ta b.warc", "header, p/a b.warc 165 175"},
		{"blanks in a row", CDX, strings.ReplaceAll(capture, " ", "  ") + " - 175  165 a.warc ", "p/a.warc 165 175"},
		{"the offset in what is not compressed", CDX, " CDX a v S g\nu 165 175 a.warc", "header, p/a.warc 165 175"},
		{"both offsets", CDX, " CDX a v V S g\nu 9 165 175 a.warc\n CDX a V v S g\nu 165 9 175 a.warc",
			"header, p/a.warc 165 175, header, p/a.warc 165 175"},
		{"two headers", CDX, " CDX a V g\nu 165 a.warc\n CDX a S V g\nu 175 165 a.warc",
			"header, p/a.warc 165 1 open, header, p/a.warc 165 175"},
		{"no length", CDX, capture + "- - 165 a.warc", "p/a.warc 165 1 open"},
		{"no offset, no file", CDX, capture + "- 175 - a.warc\n" + capture + "- 175 165 -",
			"!it has no offset, !it names no file"},
		{"no numbers", CDX, capture + "- x 165 a.warc\n" + capture + "- 1 -2 a.warc\n" + capture + "- 0 1 a.warc",
			`!its length "x" is not a number, !its offset "-2" is not a number, !its length is 0`},
		{"a file elsewhere", CDX, capture + "- 175 165 ../a.warc", `!the file "../a.warc" does not lie below --prefix`},
		{"other lines", CDX, "a,b)/ 2024 http://a.test/ text/html 200 X 7\nx",
			`!7 columns are not CDX: 11 are needed, with length, offset and file last, or a header line that begins with " CDX ", !1 columns are not CDX: 11 are needed, with length, offset and file last, or a header line that begins with " CDX "`},
		{"fewer columns than the header has", CDX, " CDX N b a m s k r M S V g\nx y",
			"header, !2 columns, and 11 are needed"},
		{"a header without a file", CDX, " CDX N b a V\na b c 1",
			"header, !its header has no column V (offset) or g (file)"},
		{"JSON", JSON,
			`{"url": "http://a.test/", "filename": "d/a.warc", "offset": "165", "length": "175"}` + "\n\n" +
				` {"filename":"a.warc","offset":165,"length":175} ` + "\r\n", "p/d/a.warc 165 175, p/a.warc 165 175"},
		{"no JSON", JSON, `a,b)/ 2024 {"filename": "a.warc"}` + "\n[\n{\n" + `{"message": "No Captures found"}`,
			`!"a,b)/ 2024 {\"filename\": \"a.warc\"}" is not a JSON object with filename, offset and length, !"[" is not a JSON object with filename, offset and length, !its JSON object cannot be read: unexpected end of JSON input, !it has no offset`},
		{"CDXJ", CDXJ, "!meta {}\n CDX a\n" + `a,b)/ 2024 {"filename": "a.warc", "offset": "165", "length": "175"}`,
			"header, header, p/a.warc 165 175"},
		{"CDXJ without JSON", CDXJ, capture,
			`!"a,b)/ 2024 http://a.test/ text/html 200 X -" is not a line of CDXJ: urlkey, timestamp and a JSON object`},
		{"CSV", CSV, "filename,offset,length\na.warc,165,175\n", "p/a.warc 165 175"},
		{"nothing", CDX, "", ""},
	}
	for _, tt := range tests {
		if got := units(tt.format, tt.text); got != tt.want {
			t.Errorf("%s: %v of %q: got %s, want %s", tt.name, tt.format, tt.text, got, tt.want)
		}
	}
}
