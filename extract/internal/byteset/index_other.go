//go:build !amd64 || purego

package byteset

const hasVector = false

func index(data *byte, n, i int, s *Set) int { panic("byteset: no vectors") }

func indexPair(data *byte, n, i int, s *Pair) int { panic("byteset: no vectors") }
