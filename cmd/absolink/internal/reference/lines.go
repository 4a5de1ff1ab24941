package reference

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"absolink/cmd/absolink/internal/fault"
	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
)

// Lines shows the references in the lines of in. Each may follow a base of its own and a tab.
// Depending on the view, a line is two URIs with a tab between them, or data. The output for a line
// is written before waiting for the next line.
func (s *Shower) Lines(ctx context.Context, in io.Reader) error {
	s.entry.header(s.out, s.keys())
	return errors.Join(eachLine(ctx, in, s.out, s.showLine), s.out.Flush())
}

// Pairs shows references with their bases. An empty base stands for the base of the options.
func (s *Shower) Pairs(pairs iter.Seq2[string, string]) error {
	s.entry.header(s.out, s.keys())
	for base, ref := range pairs {
		if err := s.pair([]byte(base), []byte(ref)); err != nil {
			return err
		}
	}
	return s.out.Flush()
}

// eachLine calls f with each line of in, without its end, and flushes out before it waits for more.
// Lines may have any length; ref is valid until f returns.
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
		long = long[:0]
		if err == io.EOF {
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

// showLine shows the view of a line. Most lines are a single reference, whose result goes straight
// into the buffer of out.
func (s *Shower) showLine(line []byte) error {
	s.line++
	alone := !(s.o.strips() && wrapped(line)) && bytes.IndexByte(line, '\t') < 0
	if s.o.View == Result && s.o.Format == record.Text && s.foreign == "" && alone {
		if uri, err := s.b.Append(s.out.AvailableBuffer(), line); err == nil {
			_, err = s.out.Write(append(uri, '\n'))
			return err
		}
	}
	return s.showWhole(line)
}

// showWhole does the work of showLine for any line.
func (s *Shower) showWhole(line []byte) error {
	if s.o.View.data() {
		return s.data(line)
	}
	first, ref, two := bytes.Cut(line, []byte("\t"))
	switch {
	case s.o.View == Equivalence && !two:
		return s.refuse(nil, line, errors.New("one URI, nothing to compare: put a tab and another one behind it"))
	case s.o.View == Equivalence:
		return s.equivalence(first, ref)
	case two:
		return s.pair(first, ref)
	}
	return s.pair(nil, line)
}

// pair shows a reference with a base of its own, or without one if first is empty.
func (s *Shower) pair(first, ref []byte) error {
	if len(first) > 0 {
		s.useForeign(first)
		if s.wrong != nil {
			return s.refuse(first, ref, s.wrong)
		}
		return s.show(ref)
	}
	if s.foreign != "" {
		s.foreign, s.wrong = "", nil
		s.use(s.o.Base) // it was accepted before
	}
	return s.show(ref)
}

// useForeign uses the base of a line. Consecutive lines often have the same base.
func (s *Shower) useForeign(given []byte) {
	if s.foreign == string(given) {
		return
	}
	s.foreign = string(given)
	s.wrong = nil
	text, _ := s.strip(given)
	if err := s.use(string(text)); err != nil {
		s.wrong = fmt.Errorf("before the tab a base is expected, and %q is none: %s",
			clip(given), fault.ErrorText(err))
	}
}

// refuse prints the output for a line that cannot be read.
func (s *Shower) refuse(given, ref []byte, err error) error {
	s.failed = true
	if s.o.Format == record.Text {
		s.notes.Printf("%s: %v", s.quote(ref), err)
		return s.out.WriteByte('\n')
	}
	s.entry.begin()
	if s.o.View == Equivalence {
		s.entry.bytes("a", known(ref))
	} else {
		s.entry.bytes("base", given)
		s.entry.bytes("ref", known(ref))
		s.entry.text("status", extract.Invalid.String())
	}
	s.entry.text("error", err.Error())
	return s.entry.end(s.out)
}
