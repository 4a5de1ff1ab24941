package main

import (
	"bufio"
	"unicode"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
)

// asWritten makes no more of an absolute URI than to escape what it must not hold: RFC
// 2396 5.2 step 3 is done with it there, where RFC 3986 already removes dot segments.
var asWritten, _ = resolve.NewBase("", resolve.Options{Rules: resolve.RFC2396})

// written is the URI of a reference whose result is x.uri: of an absolute one as it is
// written.
func (x *resolution) written(ref []byte) string {
	if x.b.Form(ref) == resolve.Absolute {
		if uri, err := asWritten.Resolve(string(ref)); err == nil {
			return uri
		}
	}
	return string(x.uri)
}

// normalForm is the normal form of a reference whose result is x.uri.
func (x *resolution) normalForm(ref []byte) string {
	return resolve.Normalize(x.written(ref), x.level)
}

// showEquivalence prints the first level on which two URIs are the same.
func (p *program) showEquivalence(out *bufio.Writer, x *resolution, a, b []byte) error {
	first, err := p.comparable(x, a)
	second, err2 := p.comparable(x, b)
	if err == nil {
		err = err2
	}
	level := ""
	if err == nil {
		level = x.equal(first, second)
	}
	if level == "different" {
		p.code = exitDefects
	}
	if x.entry.format == record.Text {
		_, err := out.WriteString(level + "\n")
		return err
	}
	x.entry.begin()
	x.entry.bytes("a", known(a))
	x.entry.bytes("b", known(b))
	x.entry.text("level", level)
	if err != nil {
		x.entry.text("error", why(err))
	}
	return x.entry.end(out)
}

// comparable is the URI of a reference, or why it has none.
func (p *program) comparable(x *resolution, given []byte) (string, error) {
	ref, _ := p.strip(x, given)
	if err := x.find(ref); err != nil {
		return "", p.fail(x, given, err)
	}
	return x.written(ref), nil
}

// equal is the name of the first level on which two URIs are the same, "different" if
// there is none up to --normalize.
func (x *resolution) equal(a, b string) string {
	last := resolve.Scheme
	if x.normalizes {
		last = x.level
	}
	for level := resolve.Exact; level <= last; level++ {
		if resolve.Equivalent(a, b, level) {
			return level.String()
		}
	}
	return "different"
}

// showData prints data escaped for a component, or a component with its escapes undone.
func (p *program) showData(out *bufio.Writer, x *resolution, value []byte) error {
	key, result := "escaped", ""
	if x.escapes {
		result = resolve.Escape(string(value), x.keep)
	} else {
		key, result = "unescaped", resolve.Unescape(string(value))
	}
	if x.format != record.Text {
		x.entry.begin()
		x.entry.bytes("value", known(value))
		x.entry.bytes(key, []byte(result))
		return x.entry.end(out)
	}
	line := escapeControls(result)
	if line != result {
		p.say("%s: control characters stay escaped; --format jsonl shows what they are", x.quote(value))
	}
	_, err := out.WriteString(line + "\n")
	return err
}

// escapeControls escapes control characters, which would end the line or reach a
// terminal.
func escapeControls(s string) string {
	var out []byte
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsControl(r) {
			out = append(out, resolve.Escape(s[i:i+n], "")...)
		} else {
			out = append(out, s[i:i+n]...)
		}
		i += n
	}
	return string(out)
}
