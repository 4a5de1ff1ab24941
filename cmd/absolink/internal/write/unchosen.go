package write

import (
	"sync"

	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// unchosen counts links that a rule would move if --kind, --select or another flag did not leave
// them out. It is safe for concurrent use.
type unchosen struct {
	mu     sync.Mutex
	byRule map[string]int
}

// add counts l, a link that is not chosen, if a rule of m applies to it.
func (u *unchosen) add(l *rewrite.Link, m *move.Map) {
	if l.URI == nil || m.Empty() {
		return
	}
	rule, ok := m.Rule(string(l.URI))
	if !ok {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.byRule == nil {
		u.byRule = make(map[string]int)
	}
	u.byRule[rule]++
}

// count returns the number of links that were counted for a rule.
func (u *unchosen) count(rule string) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.byRule[rule]
}
