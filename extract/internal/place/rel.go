package place

import (
	"strings"
	"sync"

	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// LinkKind returns the kind of a link element with the link types rel, which are separated by ASCII
// white space and in any case.
func LinkKind(rel string) Kind {
	best := len(linkKinds)
	for t := range ascii.Space.Split(rel) {
		best = min(best, linkType([]byte(t)))
	}
	if best == len(linkKinds) {
		return KindNav
	}
	return linkKinds[best].Kind
}

// linkTypeNames numbers the link types of linkKinds.
type linkTypeNames struct {
	names
	kinds []int // index into linkKinds by number
}

// linkTypes are compiled when the first link element is read.
var linkTypes = sync.OnceValue(func() *linkTypeNames {
	l := &linkTypeNames{kinds: []int{len(linkKinds)}}
	for i, k := range linkKinds {
		_, types := k.condition()
		for t := range strings.FieldsSeq(types) {
			l.add(t)
			l.kinds = append(l.kinds, i)
		}
	}
	return l
})

// linkType returns the index into linkKinds of a link type. It is len(linkKinds) for a type that is
// not there.
func linkType(t []byte) int {
	for _, p := range linkFamilies {
		if text.HasPrefixFold(t, p.prefix) {
			t = p.like
		}
	}
	l := linkTypes()
	return l.kinds[l.find(t)]
}
