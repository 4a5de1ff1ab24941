package resolve

import (
	"net/netip"
	"strings"

	"absolink/resolve/ascii"
	"absolink/resolve/internal/component"
)

// These are the warnings of RFC 2396 Section 7, RFC 3986 Section 7 and RFC 1738 Section 6. Most of
// them depend only on the resolved URI, so every rule set can share this code. Only host-change,
// file-base and credentials-in-base also need the reference.

// AppendWarnings appends to dst the names of the warnings about ref and uri. uri is the resolved
// ref, or nil if ref does not resolve.
//
//	password             the authority has a user with a password
//	misleading-user      the user looks like a host, as in http://bank.example@other.example/
//	port                 a port other than the scheme's default
//	reserved-port        a port below 1024 other than the scheme's default
//	escaped-control      an escaped control character, such as %0D or %00
//	host-change          a network-path reference, //host/path
//	private-host         the host is this machine, or in a private network
//	file-base            the reference is relative, and the base is a file: URL
//	script               javascript: or vbscript:
//	credentials-in-base  the base supplied a user or password
//
// It allocates only to grow dst.
func (b *Base) AppendWarnings(dst []string, ref, uri []byte) []string {
	r, u := trimWeb(view(ref)), view(uri)
	if len(r) > 1 && b.isSlash(r[0]) && b.isSlash(r[1]) {
		dst = append(dst, hostChange)
	}
	n := schemeLen(u)
	if n == 0 {
		return dst
	}
	scheme, rest := u[:n], u[n+1:]
	if c := scheme[0] | 0x20; (c == 'j' || c == 'v') && isScript(scheme) {
		dst = append(dst, script)
	}
	if strings.IndexByte(rest, '%') >= 0 && hasEscapedControl(rest) {
		dst = append(dst, "escaped-control")
	}
	if at := len(b.prefix.origin); at > 0 && len(u) > at && u[at] == '/' && u[:at] == b.prefix.origin {
		dst = append(dst, b.authorityWarnings...)
	} else if len(rest) >= 2 && rest[0] == '/' && rest[1] == '/' {
		dst = warnAuthority(dst, scheme, rest[2:])
	}
	if b.riskyBase {
		dst = b.warnBase(dst, r)
	}
	return dst
}

// Warnings that [Base.Plain] also returns.
const (
	hostChange = "host-change"
	script     = "script"
)

// isSlash reports whether the rule set reads c as a slash at the start of a reference.
func (b *Base) isSlash(c byte) bool { return c == '/' || c == '\\' && b.o.Rules == WHATWG }

func isScript(scheme string) bool {
	return component.EqualFold(scheme, "javascript") || component.EqualFold(scheme, "vbscript")
}

// hasEscapedControl reports whether s contains %00 to %1F or %7F.
func hasEscapedControl(s string) bool {
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 || i+2 >= len(s) {
			return false
		}
		s = s[i+1:]
		if (s[0] == '0' || s[0] == '1') && ascii.Hex(s[1]) >= 0 || s[0] == '7' && s[1]|0x20 == 'f' {
			return true
		}
	}
}

// warnAuthority appends the warnings about user, host and port. s starts after the slashes.
func warnAuthority(dst []string, scheme, s string) []string {
	end, at, colon := len(s), -1, -1 // colon is the last colon outside of brackets: the port follows it
	for i := 0; i < end; i++ {
		switch c := s[i]; {
		case class[c]&plainHost != 0 || c == '.':
		case c == '/' || c == '?' || c == '#':
			end = i
		case c == '@':
			at, colon = i, -1
		case c == ':':
			colon = i
		case c == ']':
			colon = -1
		}
	}
	if at >= 0 && strings.IndexByte(s[:at], ':') >= 0 {
		dst = append(dst, "password")
	}
	if at >= 0 && looksLikeHost(s[:at]) {
		dst = append(dst, misleadingUser)
	}
	host := s[at+1 : end]
	if colon >= 0 {
		host = s[at+1 : colon]
		if colon+1 < end {
			dst = warnPort(dst, scheme, s[colon+1:end])
		}
	}
	if isPrivate(host) {
		dst = append(dst, "private-host")
	}
	return dst
}

func warnPort(dst []string, scheme, port string) []string {
	n := 0
	for i := 0; i < len(port) && n < 1<<20; i++ {
		n = n*10 + int(port[i]&15)
	}
	if n == (Ref{Scheme: scheme}).DefaultPort() {
		return dst
	}
	dst = append(dst, "port")
	if n < 1024 {
		dst = append(dst, "reserved-port")
	}
	return dst
}

// isPrivate reports whether a host is this machine, or is in a network that is not public. A name
// is private by its last labels, such as .local.
func isPrivate(host string) bool {
	host = strings.TrimSuffix(host, ".")
	if host == "" {
		return false
	}
	if host[0] == '[' || ascii.Digit.Has(host[0]) && strings.Trim(host, "0123456789.") == "" {
		ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
		return err == nil && isPrivateIP(ip.Unmap())
	}
	switch component.Lower(host[len(host)-1]) {
	case 't':
		return component.EqualFold(host, "localhost") || hasSuffixFold(host, ".localhost")
	case 'l':
		return hasSuffixFold(host, ".local") || hasSuffixFold(host, ".internal")
	case 'a':
		return hasSuffixFold(host, ".home.arpa")
	}
	return false
}

func isPrivateIP(ip netip.Addr) bool {
	shared := netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64, 0, 0}), 10) // RFC 6598
	return ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() || shared.Contains(ip)
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && component.EqualFold(s[len(s)-len(suffix):], suffix)
}

// setWarnings sets the warnings about the parts that a reference can inherit from the base.
func (b *Base) setWarnings() {
	r := Split(b.uri)
	b.riskyBase = component.EqualFold(r.Scheme, "file") || strings.Contains(r.Authority, "@")
	if b.prefix.origin != "" {
		n := schemeLen(b.uri)
		b.authorityWarnings = warnAuthority(nil, b.uri[:n], b.uri[n+len("://"):])
	}
	b.plainWarns = b.riskyBase || len(b.authorityWarnings) > 0 || hasEscapedControl(b.uri)
}

// warnBase appends the warnings about the parts that a reference inherits from the base.
func (b *Base) warnBase(dst []string, ref string) []string {
	if b.form(ref) == Absolute || len(ref) > 1 && b.isSlash(ref[0]) && b.isSlash(ref[1]) {
		return dst
	}
	r := Split(b.uri)
	if component.EqualFold(r.Scheme, "file") {
		dst = append(dst, "file-base")
	}
	if strings.Contains(r.Authority, "@") {
		dst = append(dst, "credentials-in-base")
	}
	return dst
}

// misleadingUser is the warning about a user that may be mistaken for the host (RFC 3986 7.6).
const misleadingUser = "misleading-user"

// looksLikeHost reports whether a user looks like a host up to its first delimiter: like an IPv4
// address, or like a name that has a dot and ends in letters. Escapes are decoded first.
func looksLikeHost(user string) bool {
	name := hostShape{digits: true}
	user = strings.TrimSuffix(user, ".")
	for i := 0; i < len(user); i++ {
		c := user[i]
		if component.IsEscape(user[i:]) {
			c = byte(ascii.Hex(user[i+1])<<4 | ascii.Hex(user[i+2]))
			i += 2
		}
		if strings.IndexByte(":/?#@&;=+$,!", c) >= 0 {
			break
		}
		if !name.add(c) {
			return false
		}
	}
	return name.dots > 0 && name.letters > 1 && name.letters == name.length ||
		name.dots == 3 && name.digits && name.length > 0
}

// hostShape describes the bytes of a name that add has read. digits must be true before the first
// byte.
type hostShape struct {
	dots            int
	length, letters int  // of the last label
	digits          bool // all bytes are digits and dots
}

// add reads the next byte. It returns false if no host can have this byte after the bytes before
// it.
func (h *hostShape) add(c byte) bool {
	h.digits = h.digits && (ascii.Digit.Has(c) || c == '.')
	switch {
	case c == '.':
		h.dots++
		ok := h.length > 0
		h.length, h.letters = 0, 0
		return ok
	case ascii.Letter.Has(c) || c >= 0x80:
		h.letters++
	case !ascii.Digit.Has(c) && c != '-':
		return false
	}
	h.length++
	return true
}
