package base

import "slices"

// Memo caches the bases of the layers around the documents of a message, so that shared layers are
// evaluated once and not for each document. It caches the inherited headings of one message at a
// time, with the layers around them. All calls must have the same policy. The zero value is ready
// for use; Base and Explain of a nil Memo work without a cache. It is not safe for concurrent use.
type Memo struct {
	known map[*Layer]stage
	steps int // number of judged layers; tests compare it with the number of layers
}

// Base returns the result of [Layer.Base], and caches it. p must be the policy of all calls since
// [Memo.Forget].
func (m *Memo) Base(l *Layer, p *Policy) (uri string, from *Layer) {
	s := search{policy: orDefault(p), memo: m}
	var few [4]stage
	_, uri, from = s.run(few[:0], l)
	return uri, from
}

// Forget empties the cache. The next call may have another policy.
func (m *Memo) Forget() { clear(m.known) }

// recall returns the cached stage of a layer.
func (m *Memo) recall(l *Layer) (stage, bool) {
	if m == nil || len(m.known) == 0 {
		return stage{}, false
	}
	st, ok := m.known[l]
	return st, ok
}

// keep caches the layers of a path from the first inherited one on. A path that reached no cached
// layer belongs to another message: the cache is emptied first.
func (m *Memo) keep(path []stage, reached bool) {
	if m == nil {
		return
	}
	m.steps += len(path)
	first := slices.IndexFunc(path, func(st stage) bool { return st.layer.Inherited })
	if first < 0 {
		return
	}
	if !reached || m.known == nil {
		m.known = make(map[*Layer]stage)
	}
	for _, st := range path[first:] {
		m.known[st.layer] = st
	}
}
