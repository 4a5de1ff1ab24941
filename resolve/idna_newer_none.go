//go:build go1.27

package resolve

// From Go 1.27 on, x/net/idna has the tables of Unicode 17.0, so no character is replaced.

type replacements struct{}

func replaceNewer(domain string, ace bool) (string, replacements, error) {
	return domain, replacements{}, nil
}

func (replacements) restore(ascii string) (string, error) { return ascii, nil }

func mapLater(s string) string { return s }
