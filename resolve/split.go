package resolve

import (
	"strings"

	"absolink/resolve/ascii"
)

// The drafts before RFC 2396 split a reference in other ways than [Split].

// split is a reference split by the grammar of a rule set.
type split struct {
	Ref
	Params string // of Draft00e, without its semicolon
}

// split cuts a reference by the grammar of the rule set.
func (r Rules) split(s string) split {
	if r == Draft00e {
		return split1808(s)
	}
	ref := split{Ref: Split(s)}
	if r == Draft02 && ref.Scheme == "" {
		ref.Ref = splitDraft02(s)
	}
	return ref
}

// splitDraft02 differs from Split in the scheme, which may start with any of its characters
// (draft-02 3.1).
func splitDraft02(s string) Ref {
	i := schemeLen(s)
	if i == 0 {
		return Split(s)
	}
	var r Ref
	r.Scheme, s = s[:i], s[i+1:]
	s, r.Fragment, r.HasFragment = strings.Cut(s, "#")
	s, r.Query, r.HasQuery = strings.Cut(s, "?")
	r.cutAuthority(s)
	return r
}

// split1808 follows draft-00e 4.3 (RFC 1808 2.4): fragment, scheme, server up to the next slash,
// query, parameters. An empty component counts as absent. But the result shows the slashes of an
// empty server.
func split1808(s string) split {
	var r split
	s, r.Fragment, _ = strings.Cut(s, "#")
	if i := schemeLen(s); i > 0 {
		r.Scheme, s = s[:i], s[i+1:]
	}
	if strings.HasPrefix(s, "//") {
		r.cutAuthority(s)
		s = r.Path
	}
	s, r.Query, _ = strings.Cut(s, "?")
	r.Path, r.Params, _ = strings.Cut(s, ";")
	r.HasQuery = r.Query != ""
	r.HasFragment = r.Fragment != ""
	return r
}

// schemeLen returns the length of the scheme, or 0. RFC 2396 and its successors require a letter
// first.
func (r Rules) schemeLen(s string) int {
	i := schemeLen(s)
	if i > 0 && r < Draft02 && !ascii.Letter.Has(s[0]) {
		return 0
	}
	return i
}
