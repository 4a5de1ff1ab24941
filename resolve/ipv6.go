package resolve

import (
	"strconv"
	"strings"

	"absolink/resolve/ascii"
)

// parseIPv6 reads a bracketed address, and appends it as the standard serialises it.
func (p *webParser) parseIPv6(s string) bool {
	if s[len(s)-1] != ']' {
		p.note("IPv6-unclosed")
		return p.fail("an IPv6 address without a closing bracket", s)
	}
	s = s[1 : len(s)-1]
	ip, problem := parsePieces(s)
	if problem != "" {
		p.note(problem)
		return p.fail("a malformed IPv6 address", s)
	}
	p.out = appendIPv6(p.out, ip)
	return true
}

// parsePieces is the IPv6 parser. problem is the validation error at which the parser fails, or "".
func parsePieces(s string) (ip [8]uint16, problem string) {
	n := 0        // pieces read; "::" counts as one
	compress := 0 // the index of the first piece after "::", or 0
	if strings.HasPrefix(s, ":") {
		if !strings.HasPrefix(s, "::") {
			return ip, "IPv6-invalid-compression"
		}
		s = s[len("::"):]
		n, compress = 1, 1
	}
	for s != "" {
		if n == len(ip) {
			return ip, "IPv6-too-many-pieces"
		}
		if s[0] == ':' {
			if compress > 0 {
				return ip, "IPv6-multiple-compression"
			}
			s = s[1:]
			n++
			compress = n
			continue
		}
		value, length := leadingHex(s)
		rest := s[length:]
		if strings.HasPrefix(rest, ".") {
			if length > 0 && n > len(ip)-2 {
				return ip, "IPv4-in-IPv6-too-many-pieces"
			}
			var v4 [4]byte
			v4, problem = parseDotted(s)
			if problem != "" {
				return ip, problem
			}
			ip[n] = uint16(v4[0])<<8 | uint16(v4[1])
			ip[n+1] = uint16(v4[2])<<8 | uint16(v4[3])
			n += 2
			break
		}
		if rest != "" && (rest[0] != ':' || rest == ":") {
			return ip, "IPv6-invalid-code-point"
		}
		ip[n] = value
		n++
		s = strings.TrimPrefix(rest, ":")
	}
	if compress == 0 {
		if n < len(ip) {
			return ip, "IPv6-too-few-pieces"
		}
		return ip, ""
	}
	moved := n - compress
	copy(ip[len(ip)-moved:], ip[compress:n])
	clear(ip[compress : len(ip)-moved])
	return ip, ""
}

// leadingHex returns the value and the length of up to four hexadecimal digits at the start of s.
func leadingHex(s string) (value uint16, length int) {
	for length < min(len(s), 4) && ascii.Hex(s[length]) >= 0 {
		value = value<<4 | uint16(ascii.Hex(s[length]))
		length++
	}
	return value, length
}

// parseDotted reads the four decimal numbers that end an IPv6 address.
func parseDotted(s string) (ip [4]byte, problem string) {
	for i := range ip {
		if i > 0 {
			if s == "" {
				return ip, "IPv4-in-IPv6-too-few-parts"
			}
			if s[0] != '.' {
				return ip, "IPv4-in-IPv6-invalid-code-point"
			}
			s = s[1:]
		}
		end := 0
		v := 0
		for end < len(s) && ascii.Digit.Has(s[end]) {
			if end > 0 && v == 0 {
				return ip, "IPv4-in-IPv6-invalid-code-point"
			}
			v = v*10 + int(s[end]-'0')
			if v > 255 {
				return ip, "IPv4-in-IPv6-out-of-range-part"
			}
			end++
		}
		if end == 0 {
			return ip, "IPv4-in-IPv6-invalid-code-point"
		}
		ip[i] = byte(v)
		s = s[end:]
	}
	if s != "" {
		return ip, "IPv4-in-IPv6-invalid-code-point"
	}
	return ip, ""
}

// appendIPv6 is the IPv6 serializer. The longest run of two or more zero pieces becomes "::". If
// several runs have this length, the first of them becomes "::".
func appendIPv6(dst []byte, ip [8]uint16) []byte {
	start, length := -1, 1
	for i := range ip {
		n := 0
		for i+n < len(ip) && ip[i+n] == 0 {
			n++
		}
		if n > length {
			start, length = i, n
		}
	}
	dst = append(dst, '[')
	for i := 0; i < len(ip); i++ {
		if i == start {
			dst = append(dst, "::"...)
			i += length - 1
			continue
		}
		if i > 0 && dst[len(dst)-1] != ':' {
			dst = append(dst, ':')
		}
		dst = strconv.AppendUint(dst, uint64(ip[i]), 16)
	}
	return append(dst, ']')
}
