package resolve

import (
	"net/netip"
	"testing"
)

// In the second draft a scheme may begin with any of its characters. All components come out, and
// together they are the reference.
func TestSplitDraft02(t *testing.T) {
	for _, ref := range []string{"1a:b?c#d", "+x://h/p?q#f", "-:", "2:?", "2:#", ".:?#", "1a:b#c?d", "1://h?q",
		"9:/p?a?b#c#d", "a:b?c#d", "x?q#f", "//h/p", ""} {
		r := Draft02.split(ref)
		text := ""
		if r.Scheme != "" {
			text = r.Scheme + ":"
		}
		if r.HasAuthority {
			text += "//" + r.Authority
		}
		text += r.Path
		if r.HasQuery {
			text += "?" + r.Query
		}
		if r.HasFragment {
			text += "#" + r.Fragment
		}
		if text != ref {
			t.Errorf("split(%q) = %+v, which is %q", ref, r, text)
		}
	}
	r := Draft02.split("1a://h/b?c#d")
	if r.Scheme != "1a" || r.Authority != "h" || r.Path != "/b" || r.Query != "c" || r.Fragment != "d" {
		t.Errorf("split: got %+v", r)
	}
}

// The code points of URLs end before the noncharacters of each plane (URL Standard, section 1.1 of
// the writing rules).
func TestURLCodePoints(t *testing.T) {
	for r, want := range map[rune]bool{'a': true, 'Z': true, '0': true, '~': true, '_': true, '%': false, ' ': false,
		'"': false, '<': false, '[': false, '\\': false, '^': false, '`': false, '{': false, '|': false, 0x7f: false,
		0x80: false, 0x9f: false, 0xa0: true, 0xfdcf: true, 0xfdd0: false, 0xfdef: false, 0xfdf0: true, 0xfffd: true,
		0xfffe: false, 0xffff: false, 0x10000: true, 0x1fffd: true, 0x1fffe: false, 0x1ffff: false, 0x10fffd: true,
		0x10fffe: false, 0x10ffff: false} {
		if got := isURLCodePoint(r); got != want {
			t.Errorf("isURLCodePoint(%U) = %v, want %v", r, got, want)
		}
	}
}

// The private networks begin and end where their RFCs say.
func TestPrivateIP(t *testing.T) {
	for text, want := range map[string]bool{
		"9.255.255.255": false, "10.0.0.0": true, "10.255.255.255": true, "11.0.0.0": false, // RFC 1918
		"172.15.255.255": false, "172.16.0.0": true, "172.31.255.255": true, "172.32.0.0": false,
		"192.167.255.255": false, "192.168.0.0": true, "192.168.255.255": true, "192.169.0.0": false,
		"100.63.255.255": false, "100.64.0.0": true, "100.127.255.255": true, "100.128.0.0": false, // RFC 6598
		"126.255.255.255": false, "127.0.0.0": true, "127.255.255.255": true, "128.0.0.0": false, // RFC 1122
		"169.253.255.255": false, "169.254.0.0": true, "169.254.255.255": true, "169.255.0.0": false, // RFC 3927
		"0.0.0.0": true, "::": true, "::1": true, "::2": false, "fe80::1": true, "fec0::1": false, // RFC 4291
		"fc00::": true, "fdff::1": true, "fe00::": false, "2001:db8::1": false, // RFC 4193
	} {
		if got := isPrivateIP(netip.MustParseAddr(text)); got != want {
			t.Errorf("privateIP(%s) = %v, want %v", text, got, want)
		}
	}
}
