package maildir_test

import (
	"testing"

	"absolink/cmd/absolink/internal/maildir"
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
		{"1.M2P3.host,S=12,W=13:2,FS", maildir.Name{Unique: "1.M2P3.host", Fields: ",S=12,W=13", Info: ":2,FS"},
			12, 13},
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
		if disk, crlf := got.Sizes(); disk != tt.disk || crlf != tt.crlf {
			t.Errorf("Split(%q): got sizes %d and %d, want %d and %d", tt.name, disk, crlf, tt.disk, tt.crlf)
		}
	}
}

func TestWith(t *testing.T) {
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
		if got := n.With(100, 105).String(); got != tt.want {
			t.Errorf("Split(%q).With(100, 105): got %q, want %q", tt.name, got, tt.want)
		}
		if got, want := n.Agree(100, 105), tt.name == tt.want; got != want {
			t.Errorf("Split(%q).Agree(100, 105): got %v, want %v", tt.name, got, want)
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
		if got := maildir.Split(name).Telling(5, 6).String(); got != want {
			t.Errorf("Split(%q).Telling: got %q, want %q", name, got, want)
		}
	}
}

// A renamed message keeps its unique name and its flags, and gets the fields of the other name.
func TestRenamed(t *testing.T) {
	fields := []string{"", ",S=1", ",S=1,W=2", ",a=b"}
	for _, info := range []string{"", ":2,", ":2,FS", ";2,F", "!2,S"} {
		for _, before := range fields {
			for _, after := range fields {
				got := maildir.Renamed("1.host"+before+info, "2.other"+after+":2,R")
				if want := "1.host" + after + info; got != want {
					t.Errorf("%q with the fields of %q: got %q, want %q", before+info, after, got, want)
				}
			}
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
		m := n.With(disk, crlf)
		if again := maildir.Split(m.String()); again != m ||
			!m.Agree(disk, crlf) || m.Unique != n.Unique || m.Info != n.Info {
			t.Fatalf("Split(%q).With(%d, %d): got %+v, read again %+v", s, disk, crlf, m, again)
		}
	})
}
