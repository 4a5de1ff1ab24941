package base

// Step describes the effect of one layer on the search for the base (RFC 2396 Section 5.1).
type Step struct {
	Layer *Layer
	// URI is the value of the layer as an absolute URI. It is "" if the value cannot be made
	// absolute. It is also "" if the search ignored the layer or did not reach it.
	URI    string
	Used   bool   // the layer gives the base
	Reason string // why the layer does not give the base; "" if Used
	// Stops is set if the layer ends the search, but its value cannot be a base. The layers around
	// it then give no base. A relative layer may become too long when it is resolved. Stops is not
	// set for such a layer, because another layer ended the search.
	Stops bool
}

// Explain returns a Step for every layer, innermost first. A nil p is the zero [Policy]. If
// Policy.Force is set, another Step for the forced base comes first.
func (l *Layer) Explain(p *Policy) []Step { return new(Memo).Explain(l, p) }

// Explain returns the result of [Layer.Explain], and caches the bases of shared layers. All calls
// since the last [Memo.Forget] must have the same p.
func (m *Memo) Explain(l *Layer, p *Policy) []Step {
	s := search{policy: orDefault(p), memo: m}
	path, _, from := s.walk(nil, l)
	steps := make([]Step, 0, len(path))
	ended := false // the search ended at a layer inside l
	if s.policy.Force != "" {
		steps = append(steps, path[0].step(from))
		ended = true
	}
	for ; l != nil; l = l.Outer {
		st := stage{layer: l}
		switch {
		case ended:
		case len(path) > 0:
			st = path[0]
			path = path[1:]
		default:
			st, _ = m.lookup(l) // the walk did not visit the cached layers
		}
		ended = ended || st.ends()
		steps = append(steps, st.step(from))
	}
	return steps
}

// step returns the Step for st. from is the layer that gave the base.
func (st *stage) step(from *Layer) Step {
	step := Step{Layer: st.layer, URI: st.uri, Reason: st.reason, Used: st.layer == from, Stops: st.fate == stops}
	if !step.Used && step.Reason == "" {
		step.Reason = unusedReason(from)
	}
	return step
}

// unusedReason returns why a layer does not give the base, although the search found no fault in it
// or did not reach it. from is the layer that gave the base, or nil.
func unusedReason(from *Layer) string {
	switch {
	case from == nil:
		return "an inner layer prevents a base"
	case from.Source == Forced:
		return "the forced base replaces it"
	}
	return "an inner layer gives the base"
}
