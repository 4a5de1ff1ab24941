package base

import "slices"

// Memo caches the bases of the layers that several documents share. These are the Inherited layers,
// and the layers around them. A Memo caches only one chain of layers at a time, such as the layers
// around the parts of one multipart. All calls between two calls of Forget must have the same
// policy. The zero value is ready for use. Base and Explain of a nil Memo work without a cache. A
// Memo is not safe for concurrent use.
type Memo struct {
	cached map[*Layer]stage // a layer of the chain, and its results
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

// lookup returns the cached stage of a layer, and whether there is one.
func (m *Memo) lookup(l *Layer) (stage, bool) {
	if m == nil || len(m.cached) == 0 {
		return stage{}, false
	}
	st, ok := m.cached[l]
	return st, ok
}

// store caches the stages of a path from the first Inherited layer on. atCached says that the
// search ended before a cached layer. If it is false, the path is of another chain of layers, so
// store empties the cache first.
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
