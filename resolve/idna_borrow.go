//go:build !go1.27

package resolve

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Before Go 1.27, x/net/idna has the tables of Unicode 15.0, which refuse newer characters. So a
// domain borrows: each newer character is replaced by an older one with the same properties. The
// profile maps and checks the result, and then the newer characters are put back. An older
// character that replaces others is in no mapping and no composition. So its nth occurrence in the
// result is the nth in the domain. idna_later.go has the tables. All of this can be deleted with Go
// 1.27.

//go:generate go run ./internal/genidna

// laterRow is a run of newer characters, and the older one that replaces each.
type laterRow struct{ lo, hi, like rune }

// loans are the characters of a domain by their replacement, in order.
type loans map[rune][]rune

var errNotNormal = errors.New("a label in Punycode that is not in its normal form")

// compose and decompose are the additions of laterPairs to normalization form C.
var compose, decompose = strings.NewReplacer(laterPairs[:]...), strings.NewReplacer(backwards(laterPairs[:])...)

func backwards(list []string) []string {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

func normalLater(s string) string { return compose.Replace(decompose.Replace(s)) }

// borrow replaces the newer characters of a domain. ace means that it has labels in Punycode. loans
// are nil if nothing was replaced.
func borrow(domain string, ace bool) (string, loans, error) {
	if !ace && !strings.ContainsFunc(domain, func(r rune) bool { return standsFor(r) > 0 }) {
		return domain, nil, nil
	}
	lent := loans{}
	newer := false
	labels := strings.Split(strings.Map(toLabelDot, normalLater(domain)), ".")
	for i, label := range labels {
		older, err := lent.label(label)
		if err != nil {
			return "", nil, err
		}
		newer = newer || older != label
		labels[i] = older
	}
	if !newer {
		return domain, nil, nil
	}
	return strings.Join(labels, "."), lent, nil
}

// label replaces the newer characters of a label. A label in Punycode must be in normal form.
func (l loans) label(label string) (string, error) {
	ace, ok := mapACE(label)
	if !ok {
		return strings.Map(l.take, label), nil
	}
	own, err := idna.Punycode.ToUnicode(ace)
	if err != nil {
		return label, nil // the profile reports it
	}
	older := strings.Map(l.take, own)
	if older == own {
		return label, nil
	}
	if normalLater(mapLater(own)) != own {
		return "", errNotNormal
	}
	return idna.Punycode.ToASCII(older)
}

func toLabelDot(r rune) rune {
	if isLabelDot(r) {
		return '.'
	}
	return r
}

// take notes r if it is newer or replaces newer characters, and returns the replacement.
func (l loans) take(r rune) rune {
	like := standsFor(r)
	if like == 0 {
		if !slices.ContainsFunc(laterValid[:], func(x laterRow) bool { return r == x.like }) {
			return r
		}
		like = r
	}
	l[like] = append(l[like], r)
	return like
}

// standsFor returns the replacement of a newer character, or 0.
func standsFor(r rune) rune {
	i, ok := slices.BinarySearchFunc(laterValid[:], r, func(x laterRow, r rune) int {
		switch {
		case r < x.lo:
			return 1
		case r > x.hi:
			return -1
		}
		return 0
	})
	if !ok {
		return 0
	}
	return laterValid[i].like
}

// giveBack puts the newer characters back into a domain.
func (l loans) giveBack(ascii string) (string, error) {
	if l == nil {
		return ascii, nil
	}
	older, err := profile.ToUnicode(ascii)
	if err != nil {
		return "", err
	}
	return idna.Punycode.ToASCII(strings.Map(func(r rune) rune {
		list := l[r]
		if len(list) == 0 {
			return r
		}
		l[r] = list[1:]
		return list[0]
	}, older))
}

// mapLater applies the mappings that Unicode 17.0 has and 15.0 does not have.
func mapLater(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteString(mapLaterRune(r))
	}
	return b.String()
}

func mapLaterRune(r rune) string {
	for _, m := range laterMappings {
		switch {
		case r < m.lo || r > m.hi:
		case m.lo == m.hi || m.to == "":
			return m.to
		default:
			first, _ := utf8.DecodeRuneInString(m.to)
			return string(first + r - m.lo)
		}
	}
	return string(r)
}
