package header

import "testing"

func TestColon(t *testing.T) {
	for line, want := range map[string]int{
		"Name: v": 4, "Name \t: v": 6, "N:": 1, "a:b:c": 1, "From a@b.c Sat 01:02": -1,
		":": -1, ": v": -1, " Name: v": -1, "\tName: v": -1,
		"Na me: v": -1, "Name v": -1, "": -1, "Name": -1, "Name ": -1,
	} {
		if got := Colon([]byte(line)); got != want {
			t.Errorf("Colon(%q) = %d, want %d", line, got, want)
		}
	}
}

func TestTrim(t *testing.T) {
	for value, want := range map[string]string{
		" v \r\n": "v", "v": "v", "\t a b\r\n c\n": "a b\r\n c", "": "", " \t\r\n": "", "\fv\v ": "\fv\v",
	} {
		if got := Trim([]byte(value)); string(got) != want {
			t.Errorf("Trim(%q) = %q, want %q", value, got, want)
		}
	}
}

func TestNamed(t *testing.T) {
	for before, want := range map[string]bool{
		"Link": true, "lINK": true, "Link \t": true,
		"Lin": false, "Links": false, "Link x": false, " Link": false, "": false,
		"L\tnk": false, "\x0cink": false, "linK": true, "\u212aink": false,
	} {
		if got := Named([]byte(before), "Link"); got != want {
			t.Errorf("Named(%q, Link) = %v, want %v", before, got, want)
		}
	}
	if !Named([]byte("AZ-a9"), "az-A9") {
		t.Error("Named does not fold the first and last letter")
	}
	if Named([]byte("@"), "`") || Named([]byte("["), "{") {
		t.Error("Named takes signs for letters")
	}
}
