package css

// Outside of functions that take strings and of the preludes of at-rules few bytes begin
// anything: those of strings, comments, escapes and at-rules, and the '(' of a function
// that takes URLs. What lies between them is passed over 32 bytes at a time where the
// processor has vectors of that length, else eight. The letters before a '(' and the
// star of a comment are told by their lower four bits, which letters of either case
// have in common; what only looks like it is found out when it is read.

// nextStart returns the offset of the first byte from i on at which something may begin,
// or the length of data.
func nextStart(data []byte, i int) int {
	if hasVector && len(data) >= vectorLen && i < len(data) {
		if i = startBefore(data, i, 2); i >= 2 {
			i = startVector(data, i)
		}
		if i < len(data)-1 && starts[data[i]] != 0 {
			return i
		}
	}
	for ; i+8 <= len(data); i += 8 {
		b := data[i : i+8 : i+8]
		if starts[b[0]]|starts[b[1]]|starts[b[2]]|starts[b[3]]|starts[b[4]]|starts[b[5]]|starts[b[6]]|starts[b[7]] == 0 {
			continue
		}
		if at := startBefore(data, i, i+8); at < i+8 {
			return at
		}
	}
	return startBefore(data, i, len(data))
}

// startBefore is nextStart up to the offset limit.
func startBefore(data []byte, i, limit int) int {
	for i < limit && !startAt(data, i) {
		i++
	}
	return i
}

// starts is 1 for the bytes at which something may begin.
var starts = [256]uint8{'"': 1, '\'': 1, '\\': 1, '@': 1, '/': 1, '(': 1}

// startAt reports whether something may begin at i.
func startAt(data []byte, i int) bool {
	switch data[i] {
	case '(':
		return i >= 2 && resembles(data[i-1], "lcte") && resembles(data[i-2], "reg") // url, src, image-set, image
	case '/':
		return i+1 < len(data) && resembles(data[i+1], "*")
	}
	return starts[data[i]] != 0
}

// resembles reports whether c is ASCII and has the lower four bits of a byte of list.
func resembles(c byte, list string) bool {
	for i := range len(list) {
		if c < 0x80 && c&15 == list[i]&15 {
			return true
		}
	}
	return false
}

// vectorLen is how long data must be for startVector.
const vectorLen = 35
