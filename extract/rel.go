package extract

// LinkKind returns the kind of a link element with the link types rel, separated
// by white space, in any case.
func LinkKind(rel string) Kind { return table.linkKind(rel) }
