package base

import "slices"

// Memo remembers what the layers around the documents of a message amount to, so that
// layers that documents share are worked out once, not once a document. It remembers
// inherited headings, with what lies around them, of one message at a time. All calls must
// be under the same policy. The zero value is ready for use, nil remembers nothing. It is
// not safe for concurrent use.
type Memo struct {
	known map[*Layer]stage
	steps int // layers that were judged; tests hold it against their number
}

// Base returns what [Layer.Base] does, and remembers it: "" and nil if the layers give none.
// p must be that of all calls since [Memo.Forget].
func (m *Memo) Base(l *Layer, p *Policy) (uri string, from *Layer) {
	s := search{policy: orDefault(p), memo: m}
	var few [4]stage
	_, uri, from = s.run(few[:0], l)
	return uri, from
}

// Forget forgets everything; until the next call the policy may change.
func (m *Memo) Forget() { clear(m.known) }

// recall returns what is known of a layer.
func (m *Memo) recall(l *Layer) (stage, bool) {
	if m == nil || len(m.known) == 0 {
		return stage{}, false
	}
	st, ok := m.known[l]
	return st, ok
}

// keep remembers the layers of a path from the first inherited one on. A path that
// came to none that is known belongs to another message.
func (m *Memo) keep(path []stage, came bool) {
	if m == nil {
		return
	}
	m.steps += len(path)
	first := slices.IndexFunc(path, func(st stage) bool { return st.layer.Inherited })
	if first < 0 {
		return
	}
	if !came || m.known == nil {
		m.known = make(map[*Layer]stage)
	}
	for _, st := range path[first:] {
		m.known[st.layer] = st
	}
}
