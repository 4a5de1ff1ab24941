package base

// Step tells the effect of one layer on the search for the base (RFC 2396 Section 5.1).
type Step struct {
	Layer  *Layer
	URI    string // the value of the layer made absolute, or "" if that is impossible
	Used   bool   // it gives the base
	Reason string // why it does not give the base; "" if Used
	Stops  bool   // it ends the search without a base: no layer around it counts
}

// Explain returns a step for every layer, innermost first. A nil p is the zero [Policy]. Under
// Policy.Force the first step is for the option.
func (l *Layer) Explain(p *Policy) []Step { return new(Memo).Explain(l, p) }

// Explain returns the result of [Layer.Explain], and caches it. p must be the policy of all calls
// since [Memo.Forget].
func (m *Memo) Explain(l *Layer, p *Policy) []Step {
	s := search{policy: orDefault(p), memo: m}
	path, _, from := s.walk(nil, l)
	steps := make([]Step, 0, len(path))
	ended := s.policy.Force != ""
	if ended {
		steps = append(steps, path[0].step(from))
	}
	for ; l != nil; l = l.Outer {
		st := stage{layer: l}
		switch {
		case ended:
		case len(path) > 0:
			st, path = path[0], path[1:]
		default:
			st, _ = m.lookup(l)
		}
		ended = ended || st.ends()
		steps = append(steps, st.step(from))
	}
	return steps
}

// step returns st as a step in the search that found from.
func (st *stage) step(from *Layer) Step {
	step := Step{Layer: st.layer, URI: st.uri, Reason: st.reason, Used: st.layer == from, Stops: st.fate == stops}
	if !step.Used && step.Reason == "" {
		step.Reason = "a layer before it counts"
	}
	return step
}
