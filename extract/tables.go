package extract

import "absolink/extract/internal/place"

// Place is a row of the tables that say where references stand, in words: the attributes
// of elements whose values hold references. It is a copy, which the caller owns.
type Place struct {
	Table string // the heading of the table that the row is of
	// Elements are lower-case names separated by blanks. "*" is any element, "-"
	// any HTML element with a hyphen in its name, "amp-*" those of AMP; a prefix svg: or math:
	// names the namespace, and svg:* any element of it. In the table of XML each name has the usual
	// prefix of its namespace, "?" begins that of an instruction and "!" that of a declaration. In
	// that of manifests they are the outermost members around the one that Attributes names.
	Elements   string
	Attributes string // lower-case names separated by blanks; on* and data-* are any that begin so; "" is the text
	Type       string // how a value holds references
	Base       string // what they are resolved against
	Kind       Kind   // what they are for
	Default    string // what is done with them without options
	// If limits the row to elements with a certain attribute: "name property=a b* c" means a
	// name or a property that is a or c or begins with b, in any case. If several rows fit a
	// place, the first one counts. "" limits nothing.
	If string
}

// Tables returns a copy of the tables that are read for references, one after the other:
// of HTML, of XML, of header fields, of calendars and cards, of manifests, and the kinds of
// links by their rel.
func Tables() []Place {
	var list []Place
	for _, t := range place.Tables() {
		for _, r := range t.Rows {
			list = append(list,
				Place{t.Name, r.Elements, r.Attributes, r.Type.String(),
					r.Base.String(), Kind(r.Kind), r.Default.String(), r.If})
		}
	}
	return list
}
