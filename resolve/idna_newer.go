//go:build !go1.27

package resolve

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Before Go 1.27, x/net/idna has the tables of Unicode 15.0, which refuse newer characters. So each
// newer character of a domain is replaced by an older one with the same properties. The profile
// maps and checks the result, and then the newer characters are put back. The older characters are
// in no mapping and no composition. So they stay in their order: the nth occurrence of an older
// character in the result comes from its nth occurrence in the domain. idna_later.go has the
// tables. This file can be deleted when Go 1.27 is the oldest supported version.

//go:generate go run ./internal/genidna

// laterRow is a range of newer characters, and the older character that replaces each of them.
type laterRow struct{ lo, hi, older rune }

// replacements lists, for each older character, the characters of a domain that it replaced, in
// their order in the domain.
type replacements map[rune][]rune

var errNotNormal = errors.New("a label in Punycode that is not in its normal form")

// compose and decompose apply laterPairs, the pairs that newer Unicode adds to normalization form
// C.
var compose, decompose = strings.NewReplacer(laterPairs[:]...), strings.NewReplacer(backwards(laterPairs[:])...)

func backwards(list []string) []string {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

// normalLater applies the part of normalization form C that depends on laterPairs.
func normalLater(s string) string { return compose.Replace(decompose.Replace(s)) }

// replaceNewer replaces the newer characters of a domain. ace means that the domain has labels in
// Punycode. The replacements are nil if nothing was replaced.
func replaceNewer(domain string, ace bool) (string, replacements, error) {
	if !ace && !strings.ContainsFunc(domain, func(r rune) bool { return olderFor(r) > 0 }) {
		return domain, nil, nil
	}
	replaced := replacements{}
	newer := false
	labels := strings.Split(strings.Map(toLabelDot, normalLater(domain)), ".")
	for i, label := range labels {
		older, err := replaced.replaceInLabel(label)
		if err != nil {
			return "", nil, err
		}
		newer = newer || older != label
		labels[i] = older
	}
	if !newer {
		return domain, nil, nil
	}
	return strings.Join(labels, "."), replaced, nil
}

// replaceInLabel replaces the newer characters of a label. A label in Punycode must be in normal
// form.
func (l replacements) replaceInLabel(label string) (string, error) {
	ace, ok := mapACE(label)
	if !ok {
		return strings.Map(l.replaceRune, label), nil
	}
	decoded, err := idna.Punycode.ToUnicode(ace)
	if err != nil {
		return label, nil // the profile reports the error
	}
	older := strings.Map(l.replaceRune, decoded)
	if older == decoded {
		return label, nil
	}
	if normalLater(mapLater(decoded)) != decoded {
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

// replaceRune returns the replacement of r, and records it. r may itself be an older character that
// replaces others. Then r stays, and is recorded as its own replacement, because restore counts the
// occurrences of older characters.
func (l replacements) replaceRune(r rune) rune {
	older := olderFor(r)
	if older == 0 {
		if !slices.ContainsFunc(laterValid[:], func(x laterRow) bool { return r == x.older }) {
			return r
		}
		older = r
	}
	l[older] = append(l[older], r)
	return older
}

// olderFor returns the replacement of a newer character, or 0.
func olderFor(r rune) rune {
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
	return laterValid[i].older
}

// restore puts the newer characters back into a domain.
func (l replacements) restore(ascii string) (string, error) {
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
