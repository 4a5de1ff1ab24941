package resolve

import (
	"math/rand"
	"net/netip"
	"strings"
	"testing"
)

// netip reads the same addresses, and zones and IPv4 addresses besides.
func TestIPv6Oracle(t *testing.T) {
	all := []string{"", "0", "0", "1", "a0", "0BcD", "ffff", "12345", "g"} // the last ones are invalid
	r := rand.New(rand.NewSource(1))
	valid := 0
	for range 40_000 {
		var pieces []string
		for range r.Intn(10) {
			pieces = append(pieces, all[r.Intn(len(all)-r.Intn(3))])
		}
		s := strings.Join(pieces, ":")
		switch r.Intn(6) {
		case 0:
			s = "::" + s
		case 1:
			s += "::"
		case 2:
			s += []string{"1.2.3.4", "255.0.10.1", "1.2.3", "1.2.3.256", "01.2.3.4", "1.2.3.4.5"}[r.Intn(6)]
		case 3:
			s += ":" + []string{"1.2.3.4", "0.0.0.0"}[r.Intn(2)]
		}
		ip, problem := parsePieces(s)
		want, err := netip.ParseAddr(s)
		if ok := err == nil && !want.Is4(); ok != (problem == "") {
			t.Fatalf("parsePieces(%q): %q; netip: %v", s, problem, err)
		}
		if err != nil || want.Is4() {
			continue
		}
		valid++
		var got [16]byte
		for i, piece := range ip {
			got[2*i] = byte(piece >> 8)
			got[2*i+1] = byte(piece)
		}
		if got != want.As16() {
			t.Fatalf("parsePieces(%q) = %x, netip has %x", s, ip, want.As16())
		}
		if again, _ := parsePieces(strings.Trim(string(appendIPv6(nil, ip)), "[]")); again != ip {
			t.Fatalf("%q is written as %s", s, appendIPv6(nil, ip))
		}
	}
	if valid < 4000 {
		t.Errorf("only %d addresses are valid", valid)
	}
}

// TestIPv6Written is the serializer of the standard: the first longest run of zeros is compressed.
func TestIPv6Written(t *testing.T) {
	for in, want := range map[string]string{
		"::": "[::]", "::1": "[::1]", "1::": "[1::]", "1:0:0:2:0:0:0:3": "[1:0:0:2::3]",
		"1:0:0:2:0:0:3:4": "[1::2:0:0:3:4]", "1:0:2:3:4:5:6:7": "[1:0:2:3:4:5:6:7]",
		"0:1:2:3:4:5:6:7": "[0:1:2:3:4:5:6:7]", "0:0:1:2:3:4:5:6": "[::1:2:3:4:5:6]",
		"1:2:3:4:5:6:0:0": "[1:2:3:4:5:6::]", "1:2:3:4:5:6:7:0": "[1:2:3:4:5:6:7:0]",
		"::FFFF:1.2.3.4": "[::ffff:102:304]", "00AB::0cd0": "[ab::cd0]",
	} {
		ip, problem := parsePieces(in)
		if got := string(appendIPv6(nil, ip)); got != want || problem != "" {
			t.Errorf("%q is written as %s, %q, want %s", in, got, problem, want)
		}
	}
}

// An IPv4 address has at most four numbers, whatever the numbers are. The last number fills the
// remaining bytes.
func TestIPv4Parts(t *testing.T) {
	for _, last := range []string{"0", "1", "00", "0x0"} {
		for n := 1; n <= 6; n++ {
			host := strings.Repeat("0.", n-1) + last
			for _, host := range []string{host, host + "."} {
				want, ok := "0.0.0.0", n <= 4
				if last == "1" {
					want = "0.0.0.1"
				}
				b, err := NewBase("http://"+host+"/", Options{})
				if (err == nil) != ok || ok && b.String() != "http://"+want+"/" {
					t.Errorf("NewBase of the host %s: got %v, error %v, want %s: %v", host, b, err, want, ok)
				}
			}
		}
	}
}
