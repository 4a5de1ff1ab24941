package extract

import "strings"

// LinkKind returns the kind of a link element with the link types rel, separated
// by white space, in any case.
func LinkKind(rel string) Kind { return table().linkKind(rel) }

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
