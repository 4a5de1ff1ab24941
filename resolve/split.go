package resolve

import (
	"strings"

	"absolink/resolve/ascii"
)

// The drafts before RFC 2396 split a reference in other ways than [Split].

// splitRef is a reference split by the grammar of a rule set.
type splitRef struct {
	Ref
	Params string // of Draft00e, without its semicolon
}

// split cuts a reference by the grammar of the rule set.
func (r Rules) split(s string) splitRef {
	if r == Draft00e {
		return split1808(s)
	}
	ref := splitRef{Ref: Split(s)}
	if r == Draft02 && ref.Scheme == "" {
		ref.Ref = splitDraft02(s)
	}
	return ref
}

// splitDraft02 is Split, except that the scheme may start with any scheme character (draft-02 3.1).
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
// query, parameters. An empty component counts as undefined, except for an empty server:
// HasAuthority is then true, so that the two slashes of a base such as file:///a stay.
func split1808(s string) splitRef {
	var r splitRef
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

// schemeLen returns the length of the scheme of s without the colon, or 0. The first character must
// be a letter, except under the drafts.
func (r Rules) schemeLen(s string) int {
	i := schemeLen(s)
	if i > 0 && r < Draft02 && !ascii.Letter.Has(s[0]) {
		return 0
	}
	return i
}
