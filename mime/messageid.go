package mime

// isPlainID reports whether s is a Message-ID in the form that almost all messages have (RFC 5322
// 3.6.4): two dot-atoms with an @ between them, in angle brackets, and nothing around it.
func isPlainID(s string) bool {
	if len(s) < len("<a@b>") || s[0] != '<' || s[len(s)-1] != '>' {
		return false
	}
	ats := 0 // number of @ so far
	last := byte('.')
	for _, c := range []byte(s[1 : len(s)-1]) {
		switch {
		case c == '@' && last != '.':
			ats++
			c = '.' // an atom must follow
		case c == '.' && last != '.':
		case !isAtomText[c]:
			return false
		}
		last = c
	}
	return ats == 1 && last != '.'
}

// isAtomText says which bytes are atext (RFC 5322 3.2.3).
var isAtomText = func() (is [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~") {
		is[c] = true
	}
	return is
}()
