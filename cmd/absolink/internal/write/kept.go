package write

import (
	"sync"

	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// keptLinks counts links that a rule would move if a flag did not keep them. It is safe for
// concurrent use.
type keptLinks struct {
	mu     sync.Mutex
	byRule map[string]int
}

// add counts l, a link that stays, if a rule of m applies to it.
func (k *keptLinks) add(l *rewrite.Link, m *move.Map) {
	if l.URI == nil || m.Empty() {
		return
	}
	rule, ok := m.Rule(string(l.URI))
	if !ok {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byRule == nil {
		k.byRule = make(map[string]int)
	}
	k.byRule[rule]++
}

// count returns the number of links that were counted for a rule.
func (k *keptLinks) count(rule string) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.byRule[rule]
}
