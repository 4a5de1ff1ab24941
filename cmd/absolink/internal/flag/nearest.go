package flag

import "iter"

// Nearest returns which of names differs least from name, "" if all differ in more than two
// letters, or in half of them (the first one not among these). names is to go on to its end.
func Nearest(name string, names iter.Seq[string]) (near string) {
	least := 3
	for n := range names {
		d := distance(n, name)
		if d < least && (2*d < len(name) || 2*d == len(name) && n != "" && n[0] == name[0]) {
			near, least = n, d
		}
	}
	return near
}

// distance returns how many letters must be added, taken away or replaced, or change places with
// the next one, to make b of a.
func distance(a, b string) int {
	var before []int // the row before the last one
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
