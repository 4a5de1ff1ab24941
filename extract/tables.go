package extract

import "absolink/extract/internal/place"

// Place is a row of the tables of places, in words: the attributes of elements whose values hold
// references. It is a copy, which the caller owns.
type Place struct {
	Table string // the heading of the table with the row
	// Elements are lower-case names separated by blanks. "*" is any element, "-" is any HTML
	// element with a hyphen in its name, and "amp-*" is any element of AMP. A prefix svg: or math:
	// names the namespace; svg:* is any element of SVG. In the table of XML each name has the usual
	// prefix of its namespace; "?" begins the name of an instruction and "!" the name of a
	// declaration. In the table of manifests they are the outermost members around the member in
	// Attributes.
	Elements string
	// lower-case names separated by blanks; on* and data-* are all names with this prefix; "" is
	// the text
	Attributes string
	Type       string // the format of a value with references
	Base       string // the base of the references
	Kind       Kind   // the purpose of the references
	Default    string // the treatment of the references without options
	// If limits the row to elements with a certain attribute. "name property=a b* c" means that the
	// attribute name or property is a or c or begins with b, in any case. If several rows fit a
	// place, the first one counts. "" limits nothing.
	If string
}

// Tables returns a copy of all tables of places: HTML, XML, header fields, calendars and cards,
// manifests, and the kinds of links by their rel.
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
