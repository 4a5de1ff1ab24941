package resolve

import (
	"net/netip"
	"strconv"
	"strings"

	"absolink/resolve/ascii"
)

// parseAuthority implements authority state, host state and port state. s is the reference from the
// byte after the slashes to the end of the path.
func (p *webParser) parseAuthority(s string) bool {
	end := p.segmentEnd(s)
	auth, rest := s[:end], s[end:]
	p.pos.hasHost = true
	p.out = append(p.out, "//"...)
	if i := strings.LastIndexByte(auth, '@'); i >= 0 {
		p.note("invalid-credentials")
		p.appendUserinfo(auth[:i])
		auth = auth[i+1:]
		if auth == "" {
			p.note("host-missing")
			return p.fail("a user, but no host", s[:end])
		}
	}
	host, port, hasPort := cutPort(auth)
	if host == "" && (p.special || hasPort) {
		p.note("host-missing")
		return p.fail("no host", s[:end])
	}
	if host != "" && !p.parseHost(host) {
		return false
	}
	if !p.parsePort(port) {
		return false
	}
	p.startPath()
	p.parsePathStart(rest)
	return true
}

// appendUserinfo appends the user and the password, percent-encoded. It appends nothing if both are
// empty.
func (p *webParser) appendUserinfo(s string) {
	user, password, _ := strings.Cut(s, ":")
	if user == "" && password == "" {
		return
	}
	p.out = appendEncoded(p.out, user, encUserinfo)
	if password != "" {
		p.out = appendEncoded(append(p.out, ':'), password, encUserinfo)
	}
	p.out = append(p.out, '@')
}

// cutPort cuts s at the first colon outside of brackets.
func cutPort(s string) (host, port string, ok bool) {
	inside := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			inside = true
		case ']':
			inside = false
		case ':':
			if !inside {
				return s[:i], s[i+1:], true
			}
		}
	}
	return s, "", false
}

// parsePort appends the port, unless it is the default port of the scheme.
func (p *webParser) parsePort(s string) bool {
	if s == "" {
		return true
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if !ascii.Digit.Has(s[i]) {
			p.note("port-invalid")
			return p.fail("a port that is not a number", s)
		}
		n = n*10 + int(s[i]-'0')
		if n > 65535 {
			p.note("port-out-of-range")
			return p.fail("a port above 65535", s)
		}
	}
	if n != defaultPort(p.scheme()) {
		p.out = strconv.AppendInt(append(p.out, ':'), int64(n), 10)
	}
	return true
}

// parseHost is the host parser.
func (p *webParser) parseHost(s string) bool {
	if s[0] == '[' {
		return p.parseIPv6(s)
	}
	if !p.special {
		return p.parseOpaqueHost(s)
	}
	start := len(p.out)
	out, why := appendASCII(p.out, s)
	if why != "" {
		p.note("domain-to-ASCII")
		return p.fail(why, s)
	}
	p.out = out
	domain := view(out[start:])
	if i := indexClass(domain, badDomain); i >= 0 {
		p.note("domain-invalid-code-point")
		at := max(strings.IndexByte(s, domain[i]), 0) // 0 if the character was an escape in s
		return p.fail("a host with the character "+strconv.QuoteRune(rune(domain[i])), s[at:])
	}
	if !endsInNumber(domain) {
		return true
	}
	p.noteIPv4(domain)
	ip, ok := parseIPv4(domain)
	if !ok {
		return p.fail("a host that ends in a number and is not an IPv4 address", s)
	}
	p.out = netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}).AppendTo(p.out[:start])
	return true
}

// parseOpaqueHost is the opaque-host parser.
func (p *webParser) parseOpaqueHost(s string) bool {
	p.noteUnits(s)
	if i := indexClass(s, badHost); i >= 0 {
		p.note("host-invalid-code-point")
		return p.fail("a host with the character "+strconv.QuoteRune(rune(s[i])), s[i:])
	}
	p.out = appendEncoded(p.out, s, encC0)
	return true
}

func indexClass(s string, set uint16) int {
	for i := 0; i < len(s); i++ {
		if class[s[i]]&set != 0 {
			return i
		}
	}
	return -1
}

// endsInNumber is the ends-in-a-number checker.
func endsInNumber(s string) bool {
	last := strings.TrimSuffix(s, ".")
	last = last[strings.LastIndexByte(last, '.')+1:]
	if last == "" {
		return false
	}
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, ok := parseIPv4Number(last)
	return ok
}

// parseIPv4 is the IPv4 parser. s has one to four numbers, and the last one fills the remaining
// bytes.
func parseIPv4(s string) (uint32, bool) {
	s = strings.TrimSuffix(s, ".")
	n := strings.Count(s, ".")
	if n > 3 {
		return 0, false
	}
	var ip uint64
	for i := 0; i < n; i++ {
		part, rest, _ := strings.Cut(s, ".")
		v, ok := parseIPv4Number(part)
		if !ok || v > 255 {
			return 0, false
		}
		ip, s = ip<<8|v, rest
	}
	bits := 32 - 8*n
	v, ok := parseIPv4Number(s)
	if !ok || v >= 1<<bits {
		return 0, false
	}
	return uint32(ip<<bits | v), true
}

// parseIPv4Number reads a decimal, octal (0…) or hexadecimal (0x…) number. Numbers above 1<<40
// become 1<<40, which is out of range too.
func parseIPv4Number(s string) (uint64, bool) {
	if s == "" {
		return 0, false
	}
	base := uint64(10)
	switch {
	case len(s) >= 2 && s[0] == '0' && s[1]|0x20 == 'x':
		base, s = 16, s[2:]
	case len(s) >= 2 && s[0] == '0':
		base, s = 8, s[1:]
	}
	var v uint64
	for i := 0; i < len(s); i++ {
		digit := ascii.Hex(s[i])
		if digit < 0 || uint64(digit) >= base {
			return 0, false
		}
		v = v*base + uint64(digit)
		if v > 1<<40 {
			v = 1 << 40
		}
	}
	return v, true
}
