package mime

import "time"

// plainDate returns the time of a date in the form that almost all messages have (RFC 5322 3.3): an
// optional day of the week, single blanks, seconds, a numeric zone, and at most a word in brackets
// after it. ok is false for all other dates. The result is the same as from net/mail, which is
// slower because it tries many layouts.
func plainDate(s string) (t time.Time, ok bool) {
	if len(s) > 5 && s[3] == ',' && s[4] == ' ' && indexOf(weekdays, s[:3]) >= 0 {
		s = s[5:]
	}
	day, s, ok := cutDay(s)
	const layout = "Jan 2006 15:04:05 -0700"
	if !ok || len(s) < len(layout) || s[3] != ' ' || s[8] != ' ' || s[11] != ':' || s[14] != ':' || s[17] != ' ' {
		return t, false
	}
	month := indexOf(months, s[:3])
	year := number(s[4:8])
	hour := number(s[9:11])
	minute := number(s[12:14])
	second := number(s[15:17])
	if month < 0 || year < 0 || uint(hour) > 23 || uint(minute) > 59 || uint(second) > 59 {
		return t, false
	}
	offset, ok := zoneOffset(s[18:23])
	if !ok || !isWordInBrackets(s[23:]) {
		return t, false
	}
	t = time.Date(year, time.Month(month+1), day, hour, minute, second, 0, time.FixedZone("", offset))
	if t.Day() != day { // the month has fewer days
		return t, false
	}
	local := t.Local() // as net/mail does if the offset is the offset of the local zone
	if _, o := local.Zone(); o == offset {
		t = local
	}
	return t, true
}

const (
	weekdays = "MonTueWedThuFriSatSun"
	months   = "JanFebMarAprMayJunJulAugSepOctNovDec"
)

// indexOf returns the index of a name of three letters in a list of such names, or -1.
func indexOf(list, name string) int {
	for i := 0; i < len(list); i += 3 {
		if list[i:i+3] == name {
			return i / 3
		}
	}
	return -1
}

// cutDay cuts a day of one or two digits, and the blank after it.
func cutDay(s string) (day int, rest string, ok bool) {
	for n := 1; n <= 2 && n < len(s); n++ {
		if s[n] == ' ' {
			day = number(s[:n])
			return day, s[n+1:], day > 0
		}
	}
	return 0, s, false
}

// number returns the number with the digits s, or -1 if a byte is no digit.
func number(s string) (n int) {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return -1
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// zoneOffset returns the seconds east of UTC of a zone such as +0100.
func zoneOffset(s string) (seconds int, ok bool) {
	hours := number(s[1:3])
	minutes := number(s[3:5])
	if uint(hours) > 23 || uint(minutes) > 59 {
		return 0, false
	}
	seconds = (60*hours + minutes) * 60
	switch s[0] {
	case '+':
		return seconds, true
	case '-':
		return -seconds, true
	}
	return 0, false
}

// isWordInBrackets reports whether s is empty, or a blank and letters in brackets: " (CEST)".
func isWordInBrackets(s string) bool {
	if s == "" {
		return true
	}
	if len(s) < 3 || s[:2] != " (" || s[len(s)-1] != ')' {
		return false
	}
	for _, c := range []byte(s[2 : len(s)-1]) {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return true
}
