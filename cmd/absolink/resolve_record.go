package main

import (
	"bufio"
)

// keys are those of an entry, in the order of a row.
func (x *resolution) keys() []string {
	switch {
	case x.compare:
		return append([]string{"base", "ref"}, rulesNames()...)
	case x.check:
		return append(append([]string{"ref"}, x.grammarNames()...), "error")
	case x.equivalent:
		return []string{"a", "b", "level", "error"}
	case x.escapes:
		return []string{"value", "escaped"}
	case x.unescapes:
		return []string{"value", "unescaped"}
	}
	whole := []string{"base", "ref", "uri", "status", "error", "warnings"}
	switch {
	case x.relative:
		return append(whole, "relative")
	case x.normal():
		return append(whole, "normal")
	}
	return whole
}

// record writes what was asked for about one reference.
func (x *resolution) record(out *bufio.Writer, given, ref []byte, stripped bool, err error) error {
	x.entry.begin()
	x.entry.reference(x.b.String(), given)
	if err == nil {
		x.entry.bytes("uri", known(x.uri))
	}
	x.entry.text("status", x.status.String())
	if err != nil {
		x.entry.text("error", why(err))
	}
	if stripped {
		x.warnings = append(x.warnings, "delimiters")
	}
	x.entry.list("warnings", x.warnings)
	if err == nil {
		x.addView(ref)
	}
	return x.entry.end(out)
}

// addView adds what the view that was asked for says.
func (x *resolution) addView(ref []byte) {
	switch {
	case x.components:
		x.entry.nested("components", jsonComponents(componentsOf(string(x.uri))))
	case x.relative:
		x.entry.bytes("relative", []byte(x.shortest()))
	case x.normal():
		x.entry.bytes("normal", []byte(x.normalForm(ref)))
	}
}
