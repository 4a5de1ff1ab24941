package write

import (
	"sync"

	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// unchosen counts the links that are not chosen although a rule applies to them. It is safe for
// concurrent use.
type unchosen struct {
	mu sync.Mutex
	n  map[string]int // by the rule
}

// note counts l if a rule of m applies to it.
func (u *unchosen) note(l *rewrite.Link, m *move.Map) {
	if l.URI == nil || m.Empty() {
		return
	}
	rule, ok := m.Rule(string(l.URI))
	if !ok {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.n == nil {
		u.n = make(map[string]int)
	}
	u.n[rule]++
}

// of returns the number of links to which a rule applies.
func (u *unchosen) of(rule string) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.n[rule]
}
