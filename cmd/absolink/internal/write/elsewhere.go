package write

import (
	"bytes"
	"strings"
	"sync"

	"absolink/cmd/absolink/internal/console"
	"absolink/resolve/move"
)

// elsewhere counts the documents that contain the OLD of an unused rule outside of links, for
// example in the text of a page or in a script. It is safe for concurrent use.
type elsewhere struct {
	mu     sync.Mutex
	byRule map[string]int

	unused []string // the result of the last lookup of the unused rules
	rules  int      // number of all rules
	left   int      // number of documents until the next lookup
}

// look searches data, a decoded document, for each rule of m that is not used yet: for the OLD of
// the rule without its scheme. If more than maxNamedRules rules are unused, look does nothing,
// because the search would take long.
func (e *elsewhere) look(data []byte, m *move.Map) {
	for _, rule := range e.unusedRules(m) {
		text := withoutScheme(rule)
		if text == "" || !bytes.Contains(data, []byte(text)) {
			continue
		}
		e.mu.Lock()
		if e.byRule == nil {
			e.byRule = make(map[string]int)
		}
		e.byRule[rule]++
		e.mu.Unlock()
	}
}

// rulesPerDocument is the number of rules above which not each document has a lookup of its own.
const rulesPerDocument = 100

// unusedRules returns the unused rules of m, or nil if there are more than maxNamedRules. A lookup
// takes time for each rule. So with many rules, several documents have the result of one lookup.
func (e *elsewhere) unusedRules(m *move.Map) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.left > 0 {
		e.left--
		return e.unused
	}
	unused, _ := m.Unused()
	e.rules = max(e.rules, len(unused)) // at the first lookup all rules are unused
	e.left = e.rules / rulesPerDocument
	if len(unused) > maxNamedRules {
		unused = nil
	}
	e.unused = unused
	return unused
}

// describe says how many documents contain rule. It returns "" if there are none.
func (e *elsewhere) describe(rule string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := e.byRule[rule]
	if n == 0 {
		return ""
	}
	return console.Plural(n, "document contains it", "documents contain it") + " outside of links"
}

// withoutScheme returns a rule without its scheme: the slashes and the text after them. It returns
// "" for an expression without slashes.
func withoutScheme(rule string) string {
	_, rest, ok := strings.Cut(rule, "//")
	if !ok {
		return ""
	}
	return "//" + rest
}
