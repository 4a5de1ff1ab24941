package reference

import (
	"errors"
	"fmt"

	"absolink/cmd/absolink/internal/fault"
	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
	"absolink/resolve"
	"absolink/resolve/grammar"
)

// result shows the URI that a reference resolves to, or its view.
func (s *Shower) result(given []byte) error {
	ref, stripped := s.strip(given)
	err := s.find(ref)
	if err != nil {
		err = s.fail(given, err)
	}
	if s.o.Format == record.Text {
		return s.text(ref, err == nil)
	}
	return s.record(given, ref, stripped, err)
}

// find resolves a reference into s.uri and s.status. Most references are plain, and have at most
// one warning, which Plain returns.
func (s *Shower) find(ref []byte) (err error) {
	s.warnings = s.warnings[:0]
	p, plain := s.b.Plain(ref)
	s.status = statuses[p.Form]
	if plain {
		s.uri = append(append(append(s.uri[:0], p.Prefix...), ref[p.Skip:]...), p.Suffix...)
		if p.Warning != "" {
			s.warnings = append(s.warnings, p.Warning)
		}
		return nil
	}
	if s.uri, err = s.b.Append(s.uri[:0], ref); err != nil {
		s.status = statusWithout(p.Form, err)
		return err
	}
	s.warnings = s.b.AppendWarnings(s.warnings, ref, s.uri)
	return nil
}

// statuses are the statuses of references that resolve.
var statuses = [...]extract.Status{resolve.Relative: extract.Resolved,
	resolve.Absolute: extract.AbsoluteRef, resolve.SameDocument: extract.SameDocument}

// statusWithout returns the status of a reference that does not resolve.
func statusWithout(form resolve.Form, err error) extract.Status {
	switch {
	case !errors.Is(err, resolve.ErrNoBase):
		return extract.Invalid
	case form == resolve.SameDocument:
		return extract.SameDocument
	}
	return extract.Unresolved
}

// fail counts a reference without a result, and returns the reason. An unknown current document
// does not count as a defect.
func (s *Shower) fail(given []byte, err error) error {
	if s.status != extract.SameDocument {
		s.failed = true
	} else if s.base == "" {
		err = errNoDocument
		if rules := s.o.Rules.Rules; rules == resolve.RFC2396 || rules == resolve.Draft02 {
			err = fmt.Errorf("%w, or --document URI", err)
		}
	}
	if s.o.Format == record.Text {
		hint := ""
		if errors.Is(err, resolve.ErrNoBase) && s.base == "" {
			hint = ": add --base URI"
		}
		s.notes.Printf("%s: %s%s", s.quote(given), fault.ErrorText(err), hint)
	}
	return err
}

var errNoDocument = errors.New("names the current document, whose URI is not known: add --base URI")

// text prints the result, or its view.
func (s *Shower) text(ref []byte, ok bool) error {
	switch {
	case !ok: // an empty line
	case s.o.View == Components:
		for _, c := range componentsOf(string(s.uri)) {
			s.out.WriteString(c.Name + "\t" + c.Value + "\n")
		}
	case s.o.View == Relative:
		s.out.WriteString(s.shortest())
	case s.o.View == Normal:
		s.out.WriteString(s.normal(ref))
	default:
		s.out.Write(s.uri)
	}
	return s.out.WriteByte('\n')
}

// record writes the result and its view.
func (s *Shower) record(given, ref []byte, stripped bool, err error) error {
	s.entry.begin()
	s.entry.reference(s.b.String(), given)
	if err == nil {
		s.entry.bytes("uri", known(s.uri))
	}
	s.entry.text("status", s.status.String())
	if err != nil {
		s.entry.text("error", fault.ErrorText(err))
	}
	if stripped {
		s.warnings = append(s.warnings, "delimiters")
	}
	s.entry.list("warnings", s.warnings)
	if err == nil {
		s.addView(ref)
	}
	return s.entry.end(s.out)
}

// addView adds the member of the view.
func (s *Shower) addView(ref []byte) {
	switch s.o.View {
	case Components:
		s.entry.nested("components", jsonComponents(componentsOf(string(s.uri))))
	case Relative:
		s.entry.bytes("relative", []byte(s.shortest()))
	case Normal:
		s.entry.bytes("normal", []byte(s.normal(ref)))
	}
}

// componentsOf returns the defined components of a URI.
func componentsOf(uri string) (list []grammar.Component) {
	r := resolve.Split(uri)
	add := func(name, value string, defined bool) {
		if defined {
			list = append(list, grammar.Component{Name: name, Value: value})
		}
	}
	add("scheme", r.Scheme, r.Scheme != "")
	add("authority", r.Authority, r.HasAuthority)
	add("path", r.Path, true)
	add("query", r.Query, r.HasQuery)
	add("fragment", r.Fragment, r.HasFragment)
	return list
}

// jsonComponents returns the components as a JSON object.
func jsonComponents(list []grammar.Component) []byte {
	o := record.Object{'{'}
	for _, c := range list {
		o = o.Bytes(c.Name, []byte(c.Value))
	}
	return append(o, '}')
}

// shortest returns the shortest reference that resolves back to the result.
func (s *Shower) shortest() string {
	ref, err := s.b.Relative(string(s.uri))
	if err != nil { // the result is not an absolute URI
		return string(s.uri)
	}
	return ref
}

// normal returns the normal form of a reference whose result is s.uri.
func (s *Shower) normal(ref []byte) string { return s.o.Level.Normalize(s.written(ref)) }

// asWritten only escapes invalid characters in an absolute URI. RFC 2396 5.2 step 3 stops there,
// while RFC 3986 also removes dot segments.
var asWritten, _ = resolve.NewBase("", resolve.Options{Rules: resolve.RFC2396})

// written returns the URI of a reference whose result is s.uri. An absolute URI stays as written.
func (s *Shower) written(ref []byte) string {
	if s.b.Form(ref) == resolve.Absolute {
		if uri, err := asWritten.Resolve(string(ref)); err == nil {
			return uri
		}
	}
	return string(s.uri)
}
