package maildir_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"absolink/mime/maildir"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		name string
		want maildir.Name
		disk int64
		crlf int64
	}{
		{"1204680122.27c448.host", maildir.Name{Unique: "1204680122.27c448.host"}, -1, -1},
		{"1204680122.27c448.host:2,", maildir.Name{Unique: "1204680122.27c448.host", Info: ":2,"}, -1, -1},
		{"1.M2P3.host,S=12,W=13:2,FS", maildir.Name{Unique: "1.M2P3.host", Fields: ",S=12,W=13", Info: ":2,FS"}, 12, 13},
		{"1.host,S=12:2,Sa", maildir.Name{Unique: "1.host", Fields: ",S=12", Info: ":2,Sa"}, 12, -1},
		{"1.host,W=13", maildir.Name{Unique: "1.host", Fields: ",W=13"}, -1, 13},
		{"1.host;2,FS", maildir.Name{Unique: "1.host", Info: ";2,FS"}, -1, -1},
		{"1.host,S=5!2,R", maildir.Name{Unique: "1.host", Fields: ",S=5", Info: "!2,R"}, 5, -1},
		{"1.host;1!x", maildir.Name{Unique: "1.host;1!x"}, -1, -1},
		{"1.host:1,x", maildir.Name{Unique: "1.host", Info: ":1,x"}, -1, -1},
		{"1.host,S=,W=x", maildir.Name{Unique: "1.host", Fields: ",S=,W=x"}, -1, -1},
		{"1.host,S=-4", maildir.Name{Unique: "1.host", Fields: ",S=-4"}, -1, -1},
		{"1.host:2,,S=9", maildir.Name{Unique: "1.host", Info: ":2,,S=9"}, -1, -1},
		{"", maildir.Name{}, -1, -1},
	}
	for _, tt := range tests {
		got := maildir.Split(tt.name)
		if got != tt.want || got.String() != tt.name {
			t.Errorf("Split(%q): got %+v (%q), want %+v", tt.name, got, got.String(), tt.want)
		}
		if s := got.Sizes(); s != (maildir.Sizes{Disk: tt.disk, CRLF: tt.crlf}) {
			t.Errorf("Split(%q): got sizes %+v, want %d and %d", tt.name, s, tt.disk, tt.crlf)
		}
	}
}

func TestWith(t *testing.T) {
	sizes := maildir.Sizes{Disk: 100, CRLF: 105}
	tests := []struct{ name, want string }{
		{"1.host,S=12,W=13:2,FS", "1.host,S=100,W=105:2,FS"},
		{"1.host,W=13,S=12:2,", "1.host,W=105,S=100:2,"},
		{"1.host,S=12", "1.host,S=100"},
		{"1.host,X=12,S=7!2,T", "1.host,X=12,S=100!2,T"},
		{"1.host,S=:2,S", "1.host,S=:2,S"},
		{"1.host:2,S", "1.host:2,S"},
		{"S=1", "S=1"},
	}
	for _, tt := range tests {
		n := maildir.Split(tt.name)
		if got := n.With(sizes).String(); got != tt.want {
			t.Errorf("Split(%q).With(%+v): got %q, want %q", tt.name, sizes, got, tt.want)
		}
		if got, want := n.Agree(sizes), tt.name == tt.want; got != want {
			t.Errorf("Split(%q).Agree(%+v): got %v, want %v", tt.name, sizes, got, want)
		}
	}
}

func TestCounter(t *testing.T) {
	tests := []struct {
		name, text string
		disk, crlf int64
	}{
		{"empty", "", 0, 0},
		{"no line end", "a", 1, 1},
		{"LF", "a\nb\n", 4, 6},
		{"CRLF", "a\r\nb\r\n", 6, 6},
		{"mixed", "\na\r\n\r\rb\n\n", 9, 12},
		{"CR alone", "a\rb\r", 4, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := maildir.Sizes{Disk: tt.disk, CRLF: tt.crlf}
			var whole, single maildir.Counter
			io.WriteString(&whole, tt.text)
			for i := range len(tt.text) {
				single.Write([]byte{tt.text[i]})
				single.Write(nil)
			}
			if whole.Sizes != want || single.Sizes != want {
				t.Errorf("Counter: got %+v, by single bytes %+v, want %+v", whole.Sizes, single.Sizes, want)
			}
		})
	}
}

func TestIs(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"box/cur", "box/new", "box/tmp", "box/.Sent/cur", "box/.Sent/new", "half/cur", "files/new"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	os.WriteFile(filepath.Join(dir, "files/cur"), nil, 0o666)
	for path, want := range map[string]bool{"box": true, "box/.Sent": true, "half": false, "files": false, "box/cur": false, "none": false} {
		if got := maildir.Is(filepath.Join(dir, path)); got != want {
			t.Errorf("Is(%q): got %v, want %v", path, got, want)
		}
	}
	for path, want := range map[string]bool{"box/cur/1": true, "box/new/1": true, "box/tmp/1": false, "box/.Sent/cur/1": true, "half/cur/1": false, "box/1": false} {
		if got := maildir.Holds(filepath.Join(dir, path)); got != want {
			t.Errorf("Holds(%q): got %v, want %v", path, got, want)
		}
	}
	t.Chdir(filepath.Join(dir, "box/cur"))
	if !maildir.Holds("1") {
		t.Error(`Holds("1") in cur: got false, want true`)
	}
}

func TestIndexed(t *testing.T) {
	for name, want := range map[string]bool{"dovecot-uidlist": true, "dovecot.index": true, "dovecot.index.log": true, "dovecot.index.cache": true, "maildirsize": false, "dovecot": false} {
		dir := t.TempDir()
		os.WriteFile(filepath.Join(dir, name), nil, 0o666)
		if got := maildir.Indexed(dir); got != want {
			t.Errorf("Indexed of a Maildir with %s: got %v, want %v", name, got, want)
		}
	}
}

func TestTelling(t *testing.T) {
	for name, want := range map[string]string{
		"1.host":              "1.host,S=5,W=6",
		"1.host:2,FS":         "1.host,S=5,W=6:2,FS",
		"1.host,a=b:2,":       "1.host,a=b,S=5,W=6:2,",
		"1.host,S=2:2,":       "1.host,S=5:2,",
		"1.host,W=2,S=2;2,S":  "1.host,W=6,S=5;2,S",
		"1.host,S=x,W=1:2,FS": "1.host,S=x,W=6:2,FS",
	} {
		if got := maildir.Split(name).Telling(maildir.Sizes{Disk: 5, CRLF: 6}).String(); got != want {
			t.Errorf("Split(%q).Telling: got %q, want %q", name, got, want)
		}
	}
}

func FuzzName(f *testing.F) {
	f.Add("1.M2P3.host,S=12,W=13:2,FS", int64(5), int64(6))
	f.Add("1.host,S=5!2,R", int64(0), int64(0))
	f.Fuzz(func(t *testing.T, s string, disk, crlf int64) {
		n := maildir.Split(s)
		if n.String() != s {
			t.Fatalf("Split(%q).String(): got %q", s, n.String())
		}
		if disk < 0 || crlf < 0 {
			return
		}
		sizes := maildir.Sizes{Disk: disk, CRLF: crlf}
		m := n.With(sizes)
		if again := maildir.Split(m.String()); again != m || !m.Agree(sizes) || m.Unique != n.Unique || m.Info != n.Info {
			t.Fatalf("Split(%q).With(%+v): got %+v, read again %+v", s, sizes, m, again)
		}
	})
}

// FuzzCounter holds the counter, in two pieces, against the text with its line
// ends replaced one by one.
func FuzzCounter(f *testing.F) {
	f.Add("a\r\nb\n\r", 2)
	f.Fuzz(func(t *testing.T, s string, cut int) {
		if cut < 0 || cut > len(s) {
			return
		}
		var c maildir.Counter
		io.WriteString(&c, s[:cut])
		io.WriteString(&c, s[cut:])
		want := int64(len(s))
		for i := range len(s) {
			if s[i] == '\n' && (i == 0 || s[i-1] != '\r') {
				want++
			}
		}
		if c.Disk != int64(len(s)) || c.CRLF != want {
			t.Fatalf("Counter(%q) cut at %d: got %+v, want %d and %d", s, cut, c.Sizes, len(s), want)
		}
	})
}
