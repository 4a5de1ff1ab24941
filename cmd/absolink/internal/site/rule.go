package site

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"absolink/cmd/absolink/internal/kinds"
	"absolink/cmd/absolink/internal/lines"
	"absolink/resolve"
	"absolink/resolve/move"
)

// AddRule adds the rule OLD=NEW to m.
func AddRule(m *move.Map, arg string) error {
	before, after, ok := SplitPair(arg)
	if hint := ProbableRule(arg); hint != "" {
		return fmt.Errorf("%q: an address without a scheme; type %s", arg, hint)
	}
	if !ok {
		return fmt.Errorf("%q: OLD=NEW is needed, such as http://old.example/=http://new.example/", arg)
	}
	if strings.HasPrefix(before, "/") && !strings.HasPrefix(before, "//") {
		return fmt.Errorf("%q: OLD is a path; type it with its host, such as //old.example%s", arg, before)
	}
	if strings.Contains(before, "*") {
		return fmt.Errorf("%q: a * in OLD is not a wildcard: type %%2A for the character, or give a pattern to "+
			"--map-regex", arg)
	}
	if err := m.Add(before, after); err != nil {
		return fmt.Errorf("%q: %s", arg, withoutOffset(err))
	}
	return nil
}

// withoutOffset returns the text of err. If err wraps a [resolve.Error], withoutOffset leaves out
// the rule set, the input and the offset: the message already shows the rule of the user.
func withoutOffset(err error) string {
	var wrong *resolve.Error
	if !errors.As(err, &wrong) {
		return err.Error()
	}
	return strings.TrimSuffix(err.Error(), wrong.Error()) + wrong.Reason
}

// ProbableRule corrects a rule OLD=NEW in which a side begins with a host, without // before the
// host. For old.example=new.example it returns //old.example/=//new.example/. It returns "" if no
// side needs this correction, or if arg cannot become a rule.
func ProbableRule(arg string) string {
	before, after, ok := SplitPair(arg)
	if !ok {
		before, after, ok = strings.Cut(arg, "=")
	}
	if !ok || strings.Contains(before, "*") || !StartsWithHost(before) && !StartsWithHost(after) {
		return ""
	}
	scheme := ""
	if strings.HasPrefix(before, "http") && HasScheme(before) {
		scheme = "https:" // with // alone, the new address would keep the scheme of OLD
	}
	if StartsWithHost(before) {
		before = "//" + withSlash(before)
	}
	if StartsWithHost(after) {
		after = scheme + "//" + withSlash(after)
	}
	return before + "=" + after
}

// StartsWithHost reports whether s begins with the name of a host that has a dot, such as
// www.old.example or old.example:8080. It returns false if a scheme or // comes first, or if the
// name looks like the name of a file, such as index.html.
func StartsWithHost(s string) bool {
	host, _ := cutHost(s)
	name, port, hasPort := strings.Cut(host, ":")
	if hasPort && (port == "" || strings.Trim(port, "0123456789") != "") {
		return false // name is a scheme
	}
	if name != strings.Trim(name, ".") || !strings.Contains(name, ".") || strings.ContainsAny(name, " <>=\"'") {
		return false
	}
	return !kinds.IsFileName(name)
}

// cutHost splits s behind the host at its start.
func cutHost(s string) (host, rest string) {
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// withSlash returns s, which begins with a host, with a slash behind the host.
func withSlash(s string) string {
	host, rest := cutHost(s)
	return host + "/" + strings.TrimPrefix(rest, "/")
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

// ReadRules adds the rules OLD=NEW of a file to m, one rule on each line. It skips empty lines, and
// lines that begin with '#'. An error names the line by its number. The file may have any encoding
// that [lines.UTF8] reads.
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
