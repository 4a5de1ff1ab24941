package main

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
)

// views are what resolve can show instead of the result.
type views struct {
	compare, check, components, relative bool

	each []*resolve.Base // --compare: the base under every rule set, nil where it does not parse
	errs []error         // and why
}

func (v *views) count() (n int) {
	for _, on := range []bool{v.compare, v.check, v.components, v.relative} {
		if on {
			n++
		}
	}
	return n
}

// choice is a flag with a few values.
type choice struct {
	value   string
	allowed []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return "choice" }

func (c *choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return fmt.Errorf("unknown choice %q: use %s", s, strings.Join(c.allowed, " or "))
	}
	c.value = s
	return nil
}

// allRules are the rule sets in the order in which --compare shows them.
var allRules = []resolve.Rules{resolve.WHATWG, resolve.RFC3986, resolve.RFC2396, resolve.Draft02, resolve.Draft00e}

// prepare parses the base under every rule set for --compare, and wants one for
// --relative.
func (x *resolution) prepare() error {
	if x.relative && x.base == "" {
		return usagef("--relative wants a base to be relative to: add --base URI")
	}
	if !x.compare {
		return nil
	}
	for _, rules := range allRules {
		o := x.options
		o.Rules = rules
		b, err := resolve.NewBase(x.base, o)
		x.each, x.errs = append(x.each, b), append(x.errs, err)
	}
	return nil
}

// componentsOf are the components of a URI that are defined.
func componentsOf(uri string) (list []resolve.Component) {
	r := resolve.Split(uri)
	add := func(name, value string, defined bool) {
		if defined {
			list = append(list, resolve.Component{Name: name, Value: value})
		}
	}
	add("scheme", r.Scheme, r.Scheme != "")
	add("authority", r.Authority, r.HasAuthority)
	add("path", r.Path, true)
	add("query", r.Query, r.HasQuery)
	add("fragment", r.Fragment, r.HasFragment)
	return list
}

// shortest is the shortest reference that resolves back to the result.
func (x *resolution) shortest() string {
	ref, err := x.b.Relative(string(x.uri), resolve.RelativeOptions{})
	if err != nil { // a result that is no absolute URI again
		return string(x.uri)
	}
	return ref
}

// jsonView appends the view that was asked for to a record.
func (x *resolution) jsonView(o record.Object) record.Object {
	switch {
	case x.components:
		return o.Raw("components", jsonComponents(componentsOf(string(x.uri))))
	case x.relative:
		return o.Bytes("relative", []byte(x.shortest()))
	}
	return o
}

// jsonComponents is an object of the components.
func jsonComponents(list []resolve.Component) []byte {
	o := record.Object{'{'}
	for _, c := range list {
		o = o.Bytes(c.Name, []byte(c.Value))
	}
	return append(o, '}')
}

// opinion is what a rule set makes of a reference.
func (x *resolution) opinion(i int, ref []byte) (uri string, err error) {
	b := x.each[i]
	if b == nil {
		return "", x.errs[i]
	}
	out, err := b.Append(nil, ref)
	if errors.Is(err, resolve.ErrNoBase) && b.Form(ref) == resolve.SameDocument && x.base != "" {
		return "(current document)" + string(ref), nil // RFC 2396 4.2
	}
	return string(out), err
}

// showComparison prints what every rule set says.
func (p *program) showComparison(out *bufio.Writer, x *resolution, ref []byte) error {
	results, failures := record.Object{'{'}, record.Object{'{'}
	if x.format.Format != record.JSONL {
		fmt.Fprintf(out, "%s\n", ref)
	}
	for i, rules := range allRules {
		uri, err := x.opinion(i, ref)
		if err != nil {
			p.code = exitDefects
			failures = failures.String(rules.String(), err.Error())
			uri = "no result: " + err.Error()
		} else {
			results = results.Bytes(rules.String(), []byte(uri))
		}
		if x.format.Format != record.JSONL {
			fmt.Fprintf(out, "\t%s\t%s\n", rules, uri)
		}
	}
	if x.format.Format != record.JSONL {
		return nil
	}
	o := record.Object{'{'}.String("base", x.base).Bytes("ref", ref).Raw("results", append(results, '}'))
	if len(failures) > 1 {
		o = o.Raw("errors", append(failures, '}'))
	}
	_, err := out.Write(append(o, "}\n"...))
	return err
}

// showVerdicts prints what each grammar says of the reference as it is given, and what
// its scheme makes of it. A reference that fits no grammar counts as without result.
func (p *program) showVerdicts(out *bufio.Writer, x *resolution, ref []byte) error {
	jsonl := x.format.Format == record.JSONL
	if !jsonl {
		fmt.Fprintf(out, "%s\n", ref)
	}
	verdicts := record.Object{'{'}
	fits := false
	for _, g := range resolve.Grammars {
		verdict := "valid"
		var e *resolve.Error
		if err := resolve.Check(string(ref), g); errors.As(err, &e) {
			verdict = fmt.Sprintf("byte %d: %s", e.Offset, e.Reason)
		} else {
			fits = true
		}
		verdicts = verdicts.String(g.String(), verdict)
		if !jsonl {
			fmt.Fprintf(out, "\t%s\t%s\n", g, verdict)
		}
	}
	if !fits {
		p.code = exitDefects
	}
	parts, _ := resolve.Components(string(ref))
	if jsonl {
		o := record.Object{'{'}.Bytes("ref", ref).Raw("grammars", append(verdicts, '}'))
		_, err := out.Write(append(o.Raw("components", jsonPairs(parts)), "}\n"...))
		return err
	}
	for _, c := range parts {
		fmt.Fprintf(out, "\t%s\t%s\n", c.Name, c.Value)
	}
	return nil
}

// jsonPairs is a list of names and values, since an ftp path has a name twice.
func jsonPairs(list []resolve.Component) []byte {
	out := []byte{'['}
	for i, c := range list {
		if i > 0 {
			out = append(out, ',')
		}
		o := record.Object{'{'}.String("name", c.Name).Bytes("value", []byte(c.Value))
		out = append(append(out, o...), '}')
	}
	return append(out, ']')
}
