package sheet

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// keysOf yields keys through one buffer, as resolved URIs come.
func keysOf(list []string, turns *int) func() iter.Seq[[]byte] {
	return func() iter.Seq[[]byte] {
		*turns++
		return func(yield func([]byte) bool) {
			var room []byte
			for _, key := range list {
				room = append(room[:0], key...)
				if !yield(room) {
					return
				}
			}
		}
	}
}

// The rows of a page are those of a stable sort, whatever the keys are like, and keys are gone
// through a few times only.
func TestRanked(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	makers := map[string]func(i int) string{
		"one key":           func(int) string { return "a" },
		"two keys":          func(i int) string { return string(rune('a' + i%2)) },
		"rising":            func(i int) string { return fmt.Sprintf("%08d", i) },
		"falling":           func(i int) string { return fmt.Sprintf("%08d", 1<<20-i) },
		"random":            func(int) string { return fmt.Sprint(random.Uint64()) },
		"a long prefix":     func(int) string { return strings.Repeat("b", 300) + fmt.Sprint(random.IntN(1000)) },
		"one that is other": func(i int) string { return map[bool]string{true: "a", false: "b"}[i == 7] },
		"empty and not":     func(i int) string { return strings.Repeat("x", i%3) },
	}
	for name, key := range makers {
		for _, n := range []int{0, 1, 99, 100, 101, sampled, sampled + 1, effort.Pick(20_000, 5000)} {
			list, order := make([]string, n), make([]int, n)
			for i := range list {
				list[i] = key(i)
				order[i] = i
			}
			slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(list[a], list[b]) })
			for _, from := range []int{0, 1, 100, n / 3, n/2 - 50, n - 100, n - 1} {
				from = max(from, 0)
				if from > n {
					continue
				}
				turns, to := 0, min(from+100, n)
				if got := ranked(keysOf(list, &turns), from, to); !slices.Equal(got, order[from:to]) {
					t.Errorf("%s: ranked(%d keys, %d, %d): got %v, want %v", name, n, from, to, got, order[from:to])
				}
				if turns > 6 {
					t.Errorf("%s: ranked(%d keys, %d, %d) goes through the keys %d times, want at most 6",
						name, n, from, to, turns)
				}
			}
		}
	}
}

// A sample that misleads is made good, and keys that change meanwhile end the search.
func TestRankedMisled(t *testing.T) {
	list := make([]string, 3*sampled)
	for i := range list {
		list[i] = fmt.Sprintf("%08d", i)
	}
	turns := 0
	all := keysOf(list, &turns)
	changed := func() iter.Seq[[]byte] {
		turns++
		if turns == 2 { // as if nothing was inside of the bounds
			return func(func([]byte) bool) {}
		}
		return all()
	}
	if got := ranked(changed, 1000, 1003); !slices.Equal(got, []int{1000, 1001, 1002}) {
		t.Errorf("misled once: got %v, want 1000 to 1002", got)
	}
	if got := ranked(func() iter.Seq[[]byte] { return func(func([]byte) bool) {} }, 0, 10); got != nil {
		t.Errorf("no keys any more: got %v, want none", got)
	}
}
