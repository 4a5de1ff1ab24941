package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"absolink/base"
	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
	"absolink/resolve"
)

// eachLine calls f with each line of in, without its end, and flushes out before it
// waits for more. Lines may be of any length; ref is valid until f returns.
func eachLine(ctx context.Context, in io.Reader, out *bufio.Writer, f func(ref []byte) error) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	var long []byte
	for ctx.Err() == nil {
		if lines.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		line, err := lines.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long, line...)
			continue
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("reading standard input: %w", err)
		}
		if len(long) > 0 {
			long = append(long, line...)
			line = long
		}
		if err == nil || len(line) > 0 {
			if err := f(cutEnd(line)); err != nil {
				return err
			}
		}
		if long = long[:0]; err == io.EOF {
			return nil
		}
	}
	return ctx.Err()
}

// cutEnd returns a line without LF or CRLF.
func cutEnd(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}

// showLine shows what was asked for about a line. Most lines are a reference alone,
// whose result goes straight into the buffer of out.
func (p *program) showLine(out *bufio.Writer, x *resolution, line []byte) error {
	x.line++
	if x.simple && x.foreign == "" && !wrapped(line) && bytes.IndexByte(line, '\t') < 0 {
		if uri, err := x.b.Append(out.AvailableBuffer(), line); err == nil {
			_, err = out.Write(append(uri, '\n'))
			return err
		}
	}
	return p.showWhole(out, x, line)
}

// showWhole is showLine for any line: a reference, perhaps behind a base of its own and
// a tab.
func (p *program) showWhole(out *bufio.Writer, x *resolution, line []byte) error {
	if x.data() {
		return p.showData(out, x, line)
	}
	first, ref, two := bytes.Cut(line, []byte("\t"))
	switch {
	case x.equivalent && !two:
		return p.refuseLine(out, x, nil, line, errors.New("one URI, nothing to compare: put a tab and another one behind it"))
	case x.equivalent:
		return p.showEquivalence(out, x, first, ref)
	case two && len(first) > 0:
		if p.useForeign(x, first); x.failed != nil {
			return p.refuseLine(out, x, first, ref, x.failed)
		}
		return p.show(out, x, ref)
	case two:
		line = ref
	}
	if x.foreign != "" {
		x.foreign, x.failed = "", nil
		x.use(x.option) // which it has been
	}
	return p.show(out, x, line)
}

// useForeign makes the base of a line the base. Lines with the same one often follow
// each other.
func (p *program) useForeign(x *resolution, given []byte) {
	if x.foreign == string(given) {
		return
	}
	x.foreign = string(given)
	text, _ := p.strip(x, given)
	if err := x.use(string(text)); err != nil {
		x.failed = fmt.Errorf("before the tab a base is expected, and %q is none: %s", clip(given), why(err))
	} else {
		x.failed = nil
	}
}

// refuseLine is what is shown for a line that cannot be read.
func (p *program) refuseLine(out *bufio.Writer, x *resolution, given, ref []byte, err error) error {
	p.code = exitDefects
	if x.format == record.Text {
		p.say("%s: %v", x.quote(ref), err)
		return out.WriteByte('\n')
	}
	x.entry.begin()
	if x.equivalent {
		x.entry.bytes("a", known(ref))
	} else {
		x.entry.bytes("base", given)
		x.entry.bytes("ref", known(ref))
		x.entry.text("status", extract.Invalid.String())
	}
	x.entry.text("error", err.Error())
	return x.entry.end(out)
}

// quote is a reference as messages have it, with the number of its line.
func (x *resolution) quote(ref []byte) string {
	q := strconv.Quote(string(clip(ref)))
	if x.line > 0 {
		return fmt.Sprintf("line %d: %s", x.line, q)
	}
	return q
}

// clip is as much of a reference as a message has room for.
func clip(ref []byte) []byte { return ref[:min(len(ref), 200)] }

// why says what is wrong with a reference, without the reference.
func why(err error) string {
	var e *resolve.Error
	switch {
	case !errors.As(err, &e):
		return err.Error()
	case e.Offset < 0:
		return e.By + ": " + e.Reason
	}
	return fmt.Sprintf("%s: byte %d: %s", e.By, e.Offset, e.Reason)
}

// wrapped reports whether strip may have something to do.
func wrapped(ref []byte) bool {
	if len(ref) == 0 {
		return false
	}
	first := ref[0]
	return first <= ' ' || first == '<' || first == '"' || first|0x20 == 'u' || ref[len(ref)-1] <= ' '
}

const blanks = " \t\n\v\f\r"

// strip takes off what surrounds a URI in text (RFC 2396 Appendix E): blanks, quotes or
// angle brackets, in which other blanks count for nothing, and the prefix "URL:". It
// reports whether there was any of it; blanks at the ends are none under whatwg, whose
// own rules drop them.
func (x *resolution) strip(ref []byte) ([]byte, bool) {
	trimmed := bytes.Trim(ref, blanks)
	if delimited(trimmed) {
		uri, _ := base.CleanField(string(trimmed))
		return []byte(uri), true
	}
	if x.options.Rules == resolve.WHATWG {
		return ref, false
	}
	return trimmed, len(trimmed) < len(ref)
}

// strip is strip of x, with a note where there is no record to hold it.
func (p *program) strip(x *resolution, given []byte) ([]byte, bool) {
	ref, stripped := x.strip(given)
	if stripped && x.format == record.Text {
		p.say("%s: read as %q (RFC 2396 Appendix E)", x.quote(given), clip(ref))
	}
	return ref, stripped
}

// delimited reports whether s stands in quotes or angle brackets, or behind "URL:".
func delimited(s []byte) bool {
	if len(s) < 2 {
		return false
	}
	first, last := s[0], s[len(s)-1]
	return first == '<' && last == '>' || first == '"' && last == '"' || len(s) > 4 && bytes.EqualFold(s[:4], []byte("URL:"))
}
