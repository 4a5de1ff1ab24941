package unit_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"absolink/cmd/absolink/internal/unit"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, line string
		want       unit.Unit
		err        string
	}{
		{"a file", "a b.html", unit.Unit{Path: "a b.html"}, ""},
		{"a range", "a.mbox\t5\t10", unit.Unit{Path: "a.mbox", Ranged: true, Offset: 5, Length: 10}, ""},
		{"a range with item and line", "a.mbox\t5\t10\t2\t7",
			unit.Unit{Path: "a.mbox", Ranged: true, Offset: 5, Length: 10, Item: 2, Line: 7}, ""},
		{"an unknown line", "a.warc.gz\t5\t10\t2\t0",
			unit.Unit{Path: "a.warc.gz", Ranged: true, Offset: 5, Length: 10, Item: 2}, ""},
		{"no path", "\t5\t10", unit.Unit{}, "a path is missing"},
		{"an offset without a length", "a\t5", unit.Unit{}, "2 fields, not path"},
		{"an item without a line", "a\t5\t10\t2", unit.Unit{}, "4 fields"},
		{"a negative offset", "a\t-5\t10", unit.Unit{}, `"-5" is not a number`},
		{"too large", "a\t9223372036854775807\t1", unit.Unit{}, "beyond all files"},
		{"a path in quotation marks", `"a\tb"	5	10`,
			unit.Unit{Path: "a\tb", Ranged: true, Offset: 5, Length: 10}, ""},
		{"an open quotation mark", `"a`, unit.Unit{}, "begins with a quotation mark"},
		{"a wrong escape", `"a\z"`, unit.Unit{}, "begins with a quotation mark"},
		{"an empty path in quotation marks", `""`, unit.Unit{}, "a path is missing"},
		{"item 0", "a\t0\t1\t0\t1", unit.Unit{}, "the first item is 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := unit.Parse(tt.line)
			switch {
			case tt.err != "":
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("Parse(%q): got error %v, want %q in it", tt.line, err, tt.err)
				}
			case err != nil || got != tt.want:
				t.Errorf("Parse(%q): got %+v and error %v, want %+v", tt.line, got, err, tt.want)
			}
		})
	}
}

// A path is quoted only if it cannot stand in a line as it is.
func TestPaths(t *testing.T) {
	for path, want := range map[string]string{
		"a b": "a b", "é": "é", `a"b\`: `a"b\`, `C:\x`: `C:\x`,
		"a\tb": `"a\tb"`, "a\nb": `"a\nb"`, "a\rb": `"a\rb"`, "a\x00": `"a\x00"`,
		"caf\xe9": `"caf\xe9"`, `"a"`: `"\"a\""`, `"`: `"\""`, "\x7f": `"\x7f"`,
		"\u009b1m": `"\u009b1m"`, "\u202eb": `"\u202eb"`, "é\u200b": `"é\u200b"`, "\U000e0041": `"\U000e0041"`,
	} {
		line := string((&unit.Unit{Path: path, Ranged: true, Offset: 1, Length: 2}).Append(nil))
		if line != want+"\t1\t2\n" {
			t.Errorf("Append of %q: got %q, want %q before the range", path, line, want)
		}
		if u, err := unit.Parse(strings.TrimSuffix(line, "\n")); err != nil || u.Path != path {
			t.Errorf("Parse(%q): got path %q and error %v, want %q", line, u.Path, err, path)
		}
	}
}

func TestRead(t *testing.T) {
	var got []string
	for u, err := range unit.Read(iotest.OneByteReader(strings.NewReader("a\r\n\nb\t1\nc\t1\t2\nd"))) {
		if err != nil {
			got = append(got, "error")
			continue
		}
		got = append(got, u.Path)
	}
	if want := "a error c d"; strings.Join(got, " ") != want {
		t.Errorf("Read: got %q, want %q", got, want)
	}
	boom := errors.New("boom")
	for _, err := range unit.Read(iotest.ErrReader(boom)) {
		if err != boom {
			t.Errorf("Read of a reader that fails: got error %v, want %v", err, boom)
		}
	}
}

func TestShard(t *testing.T) {
	for _, v := range []string{"", "1", "0/2", "3/2", "-1/2", "1/0", "a/b", "1/2/3"} {
		if _, err := unit.ParseShard(v); err == nil {
			t.Errorf("ParseShard(%q): got no error, want one", v)
		}
	}
	var s unit.Shard
	if !s.Has(0) || !s.Has(7) {
		t.Errorf("Has of no shard: got false, want true")
	}
	s, err := unit.ParseShard("2/3")
	if err != nil {
		t.Fatalf("ParseShard(2/3): got error %v", err)
	}
	for i, want := range []bool{false, true, false, false, true, false} {
		if got := s.Has(i); got != want {
			t.Errorf("Has(%d) of 2/3: got %v, want %v", i, got, want)
		}
	}
}

// A unit that is read and written again is the same, except for leading zeros.
func FuzzParse(f *testing.F) {
	f.Add("a\t5\t10\t2\t7")
	f.Add("a b")
	f.Add("\"a\\xff\"")
	f.Fuzz(func(t *testing.T, line string) {
		u, err := unit.Parse(line)
		if err != nil {
			return
		}
		text := string(u.Append(nil))
		if again, err := unit.Parse(strings.TrimSuffix(text, "\n")); err != nil || again != u {
			t.Errorf("Parse(%q) after Append: got %+v and error %v, want %+v", text, again, err, u)
		}
	})
}
