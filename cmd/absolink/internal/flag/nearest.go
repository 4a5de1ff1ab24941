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

// distance returns how many letters must be added, taken away or exchanged to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			last, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, last+cost)
		}
	}
	return row[len(b)]
}
