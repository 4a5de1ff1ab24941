package flag

import "iter"

// Nearest returns the name of names that is most like name, or "" if all names differ in more than
// two letters, or in more than half of the letters of name. If exactly half of them differ, the
// first letter must be the same. names must not be cut short.
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

// distance returns the number of letters that must be added, removed, replaced or swapped with the
// next letter to turn a into b.
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
