package extract

import (
	"strings"
	"sync"
)

// LinkKind returns the kind of a link element with the link types rel, separated
// by white space, in any case.
func LinkKind(rel string) Kind {
	best := len(linkKinds)
	for t := range strings.FieldsSeq(rel) {
		best = min(best, linkType([]byte(t)))
	}
	if best == len(linkKinds) {
		return KindNav
	}
	return linkKinds[best].kind
}

// LinkTypes returns the link types by which a link is of kind k, in lower case; those
// of KindNav are all others. Types that begin with schema. are as type is.
func LinkTypes(k Kind) []string {
	for _, row := range linkKinds {
		if row.kind == k {
			return strings.Fields(row.types)
		}
	}
	return nil
}

// linkLookup are the link types of linkKinds.
type linkLookup struct {
	names
	kinds []int // index into linkKinds by number
}

// linkTypes are compiled when the first link element is read.
var linkTypes = sync.OnceValue(func() *linkLookup {
	l := &linkLookup{kinds: []int{len(linkKinds)}}
	for i, k := range linkKinds {
		for t := range strings.FieldsSeq(k.types) {
			l.add(t)
			l.kinds = append(l.kinds, i)
		}
	}
	return l
})

// linkType returns the index into linkKinds of one link type.
func linkType(t []byte) int {
	for _, p := range linkFamilies {
		if hasPrefixFold(t, p.prefix) {
			t = p.like
		}
	}
	l := linkTypes()
	return l.kinds[l.find(t)]
}
