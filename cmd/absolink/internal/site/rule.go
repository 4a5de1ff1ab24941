package site

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"absolink/cmd/absolink/internal/lines"
	"absolink/resolve/move"
)

// AddRule adds the rule OLD=NEW to m.
func AddRule(m *move.Map, arg string) error {
	before, after, ok := SplitPair(arg)
	if !ok {
		return fmt.Errorf("%q: OLD=NEW is needed, such as http://old.example/=http://new.example/", arg)
	}
	if strings.Contains(before, "*") {
		return fmt.Errorf("%q: a * in OLD is not a wildcard: type %%2A for the character, or give a pattern to "+
			"--map-regex", arg)
	}
	if err := m.Add(before, after); err != nil {
		return fmt.Errorf("%q: %w", arg, err)
	}
	return nil
}

// AddPattern adds the rule RE=REPLACEMENT to m.
func AddPattern(m *move.Map, arg string) error {
	expr, replacement, ok := SplitPair(arg)
	if !ok {
		return fmt.Errorf("%q: RE=REPLACEMENT is needed, such as '^http://(old|older)\\.example/=https://$1.example/"+
			"'; the replacement begins with a scheme or a slash", arg)
	}
	if err := m.AddPattern(expr, replacement); err != nil {
		return fmt.Errorf("%q: %w", arg, err)
	}
	return nil
}

// ReadRules adds the rules OLD=NEW of a file to m, one rule a line. It skips empty lines, and lines
// that begin with '#'. An error tells the number of the line. [lines.UTF8] tells the encodings.
func ReadRules(m *move.Map, r io.Reader) error {
	s := bufio.NewScanner(lines.UTF8(r))
	s.Buffer(nil, 1<<20)
	n := 0
	for s.Scan() {
		n++
		line := strings.TrimSpace(s.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if err := AddRule(m, line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return nil
}
