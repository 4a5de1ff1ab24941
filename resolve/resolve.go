package resolve

import "unsafe"

// NewBase parses uri, which must be absolute. If uri is "", the Base has no URI: absolute
// references still resolve, and relative ones give [ErrNoBase]. Any error is an *[Error]. NewBase
// panics if the rule set is unknown.
func NewBase(uri string, o Options) (*Base, error) {
	b := new(Base)
	if err := b.Reset(uri, o); err != nil {
		return nil, err
	}
	return b, nil
}

// Reset re-initialises b as [NewBase] would, reusing its memory; b must not be in use. After an
// error b is invalid until the next Reset.
func (b *Base) Reset(uri string, o Options) error {
	*b = Base{o: o}
	if int(o.Rules) >= len(rulesNames) {
		panic("resolve: unknown rule set " + o.Rules.String())
	}
	var err error
	if o.Rules == WHATWG {
		err = b.setWeb(uri)
	} else {
		err = b.setRFC(uri)
	}
	if err != nil {
		return err
	}
	b.setWarnings()
	b.setNotPlain()
	return nil
}

// Form classifies ref, which need not be valid. With a base of the scheme http, the reference
// http:g is [Relative] in two cases: under [WHATWG], and with CompatScheme (RFC 2396 5.2 step 3).
func (b *Base) Form(ref []byte) Form { return b.form(view(ref)) }

func (b *Base) form(ref string) Form {
	if b.o.Rules == WHATWG {
		return b.formWeb(ref)
	}
	return b.formRFC(ref)
}

// Append appends the absolute URI of ref, including the fragment, to dst. On an error it returns
// dst unchanged. The error is [ErrNoBase] or an *[Error]. It allocates only to grow dst. Under
// WHATWG it also allocates for hosts with escapes or with characters outside of ASCII, for inner
// tabs and line ends, and for an error.
func (b *Base) Append(dst, ref []byte) ([]byte, error) {
	s := view(ref)
	if p := (Plain{}); b.plain(&p, s) {
		return append(append(append(dst, p.Prefix...), s[p.Skip:]...), p.Suffix...), nil
	}
	if b.o.Rules == WHATWG {
		return b.appendWeb(dst, trimWeb(s))
	}
	return b.appendRFC(dst, s, false)
}

// AppendForm appends the absolute URI of ref, the action of an HTML form. It differs from
// [Base.Append] only if ref is empty or only a fragment, because a form sends a new request. Under
// RFC2396 and Draft02 such an action means the base instead of the document (RFC 2396 4.2). Under
// WHATWG an empty action means Options.Document instead of the base; the error is [ErrNoBase] if
// Document is "".
func (b *Base) AppendForm(dst, ref []byte) ([]byte, error) {
	if b.o.Rules != WHATWG {
		return b.appendRFC(dst, view(ref), true)
	}
	if s := trimWeb(view(ref)); s != "" {
		return b.appendWeb(dst, s)
	}
	if b.o.Document == "" {
		return dst, ErrNoBase
	}
	return b.appendWeb(dst, trimWeb(b.o.Document))
}

// Resolve does the work of [Base.Append] for strings. If there is an error, the URI is "".
func (b *Base) Resolve(ref string) (string, error) {
	room := make([]byte, 0, len(b.uri)+len(ref))
	out, err := b.Append(room, unsafe.Slice(unsafe.StringData(ref), len(ref)))
	return view(out), err
}
