package prose

import (
	"slices"
	"strings"

	"absolink/resolve/ascii"
)

// The start of schemes, and the known schemes.

// wordLen returns the number of scheme characters at the start of s.
func wordLen(s string) int {
	n := 0
	for n < len(s) && inScheme[s[n]] {
		n++
	}
	return n
}

// glued are the schemes that begin a URI even after a letter, a digit or a dot, as in
// "spam.https://h/" and "hahahttp://h/". The variable longer has the other schemes that end
// like them.
var glued = [...]string{
	"http", "https", "ftp", "ftps", "sftp", "gopher", "telnet",
	"nntp", "wais", "prospero", "ldap", "ldaps", "rtsp", "webcal",
}

// longer are the schemes of IANA's register and of the Globus Toolkit that end like one of glued.
var longer = [...]string{"chttp", "dhttp", "shttp", "gsiftp", "tftp", "xftp", "cldap"}

// dotted are the schemes that begin a URI after a dot, but not after a letter or a digit, because
// words such as "profile" end like them.
var dotted = [...]string{"file", "news", "ws", "wss", "irc", "ircs", "git", "ssh", "svn", "imap", "smb", "nfs", "feed"}

// wordBefore returns the length of the text before a known scheme at the end of the first word of
// s, or 0. It is 4 for spamhttps://h/. A '+' or '-' before the scheme makes it part of a longer
// scheme, as in git+https, but not if the word begins with a digit or a sign, as in 1-https.
func wordBefore(s string) int {
	n := wordLen(s)
	if n == len(s) || s[n] != ':' {
		return 0
	}
	word := s[:n]
	if !strings.HasPrefix(s[n+1:], "//") {
		return before(word, "mailto")
	}
	if slices.ContainsFunc(longer[:], func(l string) bool { return equalFold(l, word) }) {
		return 0
	}
	cut := n
	for _, scheme := range glued {
		if len(scheme) == n && equalFold(scheme, word) {
			return 0
		}
		if b := before(word, scheme); b > 0 && b < cut {
			cut = b
		}
	}
	for _, scheme := range dotted {
		if b := before(word, scheme); b > 0 && word[b-1] == '.' && b < cut {
			cut = b
		}
	}
	if cut == n {
		return 0
	}
	return cut
}

// before returns the length of the text before the scheme at the end of a word. It is 0 if the word
// does not end with the scheme, or if nothing precedes it, or if it is part of a longer scheme.
func before(word, scheme string) int {
	n := len(word) - len(scheme)
	switch {
	case n <= 0 || !equalFold(word[n:], scheme):
		return 0
	case (word[n-1] == '+' || word[n-1] == '-') && ascii.Letter.Has(word[0]):
		return 0
	}
	return n
}

// startsURI reports whether s begins with a scheme of n bytes that has an authority or is known to
// have none. authority is the offset of the authority, or -1.
func startsURI(s string, n int) (authority int, ok bool) {
	switch {
	case n == len(s) || s[n] != ':':
		return -1, false
	case len(s) > n+2 && s[n+1:n+3] == "//":
		return n + 3, true
	}
	return -1, isOpaqueScheme(s[:n]) || isFilePath(s, n)
}

// isFilePath reports whether s begins with file: and a slash, as in file:/a
// (draft-fielding-uri-url-00e).
func isFilePath(s string, n int) bool {
	return len(s) > n+2 && s[n+1] == '/' && equalFold(s[:n], "file")
}

// isOpaqueScheme reports whether a scheme has no authority, and has a name that hardly any prose
// has before a colon.
func isOpaqueScheme(scheme string) bool {
	for _, s := range [...]string{"mailto", "news", "urn", "cid",
		"mid", "tel", "sms", "sip", "sips", "xmpp", "magnet", "geo"} {
		if equalFold(s, scheme) {
			return true
		}
	}
	return false
}

// isKnownScheme reports whether a scheme without "//" is accepted in angle brackets, although its
// name may also occur in prose. The schemes are from RFC 1738 and from IANA's register.
func isKnownScheme(scheme string) bool {
	for _, s := range [...]string{"about", "acct", "data", "dav", "dns", "doi",
		"fax", "file", "im", "info", "ldap", "modem", "nntp", "oid", "pres",
		"service", "snews", "tag", "telnet", "tip", "wais", "z39.50r", "z39.50s"} {
		if equalFold(s, scheme) {
			return true
		}
	}
	return false
}

// equalFold reports whether a and b are equal without regard to case. One of them must be ASCII.
// The letters outside of ASCII that strings.EqualFold accepts for ASCII letters are longer, so they
// never match.
func equalFold(a, b string) bool { return len(a) == len(b) && strings.EqualFold(a, b) }
