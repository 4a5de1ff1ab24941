package base

import "slices"

// Memo caches the bases of the layers that several documents share. These are the Inherited layers,
// and the layers around them. A Memo caches the layers of one message at a time. If a search visits
// Inherited layers and finds none of them in the cache, the document belongs to another message.
// The Memo then forgets all other layers. All calls between two calls of Forget must have the same
// policy. The zero value is ready for use. Base and Explain of a nil Memo work without a cache. A
// Memo is not safe for concurrent use.
type Memo struct {
	cached map[*Layer]stage // the results for each cached layer
	judged int              // number of judged layers, for tests
}

// Base returns the result of [Layer.Base], and caches the bases of shared layers. All calls since
// the last [Memo.Forget] must have the same p.
func (m *Memo) Base(l *Layer, p *Policy) (uri string, from *Layer) {
	s := search{policy: orDefault(p), memo: m}
	var few [4]stage
	_, uri, from = s.walk(few[:0], l)
	return uri, from
}

// Forget empties the cache. Later calls may have another policy.
func (m *Memo) Forget() { clear(m.cached) }

// lookup returns the cached stage of a layer and true, or false if the layer is not cached.
func (m *Memo) lookup(l *Layer) (stage, bool) {
	if m == nil || len(m.cached) == 0 {
		return stage{}, false
	}
	st, ok := m.cached[l]
	return st, ok
}

// store caches the stages of a path, from the first Inherited layer on. If the path ends before a
// cached layer, atCached is true. Otherwise the path belongs to another message, so store first
// empties the cache.
func (m *Memo) store(path []stage, atCached bool) {
	if m == nil {
		return
	}
	m.judged += len(path)
	first := slices.IndexFunc(path, func(st stage) bool { return st.layer.Inherited })
	if first < 0 {
		return
	}
	if !atCached || m.cached == nil {
		m.cached = make(map[*Layer]stage)
	}
	for _, st := range path[first:] {
		m.cached[st.layer] = st
	}
}
