package document

import (
	"bytes"
	"strings"
	"testing"
)

// The beginning of encrypted text is found behind texts that are nearly one.
func TestIndexPGP(t *testing.T) {
	whole := string(beginPGP)
	pieces := []string{"", "-", "x", "-----", whole[1:], whole[:len(whole)-1], "BEGIN PGP MESSAGE", whole}
	for _, a := range pieces {
		for _, b := range pieces {
			for _, c := range pieces {
				text := []byte(strings.Join([]string{a, b, c}, ""))
				if got, want := indexPGP(text), bytes.Index(text, beginPGP); got != want {
					t.Errorf("indexPGP(%q): got %d, want %d", text, got, want)
				}
			}
		}
	}
}
