package main

import "strconv"

// plural writes n with the words that fit it.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
