package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
)

// An engine that runs absolink over many units gives each process some of them. A
// unit gives the same records whatever process takes it, and how often: the records
// of all units together are those of one run over the inputs that they were cut
// from. Only the number of an item and its line can't be known where a range
// begins, so records have them only where the unit says them.

// sharing are the flags by which an engine spreads a run over processes.
type sharing struct {
	units string
	shard unit.Shard
	dead  string
}

const unitsHelp = `
--units takes units as "absolink units" prints them, or any ranges of mailboxes and
web archives (path, offset, length), and gives the messages and records that begin in
them; the output is JSON lines. What makes the exit status 1 goes to --dead-letter.
`

// register adds the flags to c.
func (s *sharing) register(c *cobra.Command) {
	fs := c.Flags()
	fs.Var((*flag.Text)(&s.units), "units", "the inputs are the units in `FILE`, one a line, as \"absolink units\" prints them; - for standard input")
	fs.Func("shard", "only every Nth input or unit from the Ith on: `I/N`, I from 1 to N", func(v string) (err error) {
		s.shard, err = unit.ParseShard(v)
		return err
	})
	fs.Var((*flag.Text)(&s.dead), "dead-letter", "`FILE` to which what is damaged, unreadable or refused is added as units")
}

// check finds what cannot be carried out.
func (s *sharing) check(o *options, args []string) error {
	switch {
	case s.units != "" && (len(args) > 0 || o.urls != ""):
		return usagef("--units gives all inputs; leave the others out, or make units of them")
	case s.dead == input.Stdin:
		return usagef("--dead-letter -: standard output is for results; give a file, ./- for one of that name")
	}
	old, err := os.Stat(s.dead)
	if s.dead == "" || err != nil {
		return nil
	}
	for _, a := range append(args, s.units, o.report) {
		if in, err := os.Stat(a); err == nil && os.SameFile(in, old) {
			return usagef("--dead-letter %s is %s as well", s.dead, a)
		}
	}
	return nil
}

// checkFormat makes the output JSON lines where the inputs are units: those of many
// processes can be joined then.
func (o *options) checkFormat(f *record.Format) error {
	switch {
	case o.units == "":
		return nil
	case o.gave("format") && *f != record.JSONL:
		return usagef("--units gives JSON lines; leave --format %v out", *f)
	}
	*f = record.JSONL
	return nil
}

// unitFiles yields the files of the units of the shard. What is wrong with the list every
// shard says.
func (o *options) unitFiles(stdin io.Reader) iter.Seq2[input.File, error] {
	return func(yield func(input.File, error) bool) {
		list, n := input.File{Source: o.units, Named: true, Listed: true, Size: -1}, 0
		in := stdin
		if o.units != input.Stdin {
			file, err := os.Open(o.units)
			if err != nil {
				yield(list, pathless(err))
				return
			}
			defer file.Close()
			in = file
		}
		if in == nil {
			return
		}
		for u, err := range unit.Read(in) {
			n++
			switch {
			case err != nil:
				if !yield(list, pathless(err)) {
					return
				}
			case o.shard.Has(n-1) && !o.yieldUnit(u, yield):
				return
			}
		}
	}
}

// pathless drops the path from an error, since the source names it.
func pathless(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Errorf("%s: %w", pe.Op, pe.Err)
	}
	return err
}

// yieldUnit yields the files of one unit: one, or those of a directory.
func (o *options) yieldUnit(u unit.Unit, yield func(input.File, error) bool) bool {
	if u.Path == input.Stdin {
		return yield(input.File{Source: u.Path, Named: true, Size: -1}, errors.New("standard input is no unit; ./- is a file of that name"))
	}
	for f, err := range o.chosenOf(u.Path) {
		if err == nil && u.Ranged && !f.Named {
			err = errors.New("a directory has no ranges")
		}
		if f.Named {
			f.Maildir = input.MaildirOf(f.Path)
		}
		f.Listed = f.URL != ""
		if u.Ranged {
			f.Unit = &u
			f.Size = min(f.Size, u.Length)
		}
		if !yield(f, err) {
			return false
		}
		if err != nil && u.Ranged {
			return true
		}
	}
	return true
}

// section returns the range of a container that is to be read, nil for the whole:
// of what has no offsets nothing else can be.
func section(in *input.Document) *unit.Unit {
	if in.At == nil || in.Coding != coding.None {
		return nil
	}
	return in.Unit
}

// counts reports whether items of in have numbers and lines: those of a range only
// where the unit says them.
func counts(in *input.Document) bool { return in.Unit == nil || in.Unit.Item > 0 }

// outside settles an input of which the range holds nothing, or is not what it was.
// What is no container, or is compressed as a whole, is one item that begins where
// the file does.
func outside(in *input.Document, e *report.Entry) bool {
	u := in.Unit
	switch {
	case u == nil:
		return false
	case section(in) == nil || !in.Kind.Container():
		if u.Offset == 0 && (u.Length > 0 || in.StoredSize == 0) {
			return false
		}
		e.Outcome, e.Reason = report.Skipped, "begins before the range"
	case in.Kind == input.WARC && u.Item > 0 && !recordAt(in.At, u.Offset), u.Item > 1 && u.Offset == 0:
		e.Fail(report.Failed, errStale(u))
	default:
		return false
	}
	return true
}

func errStale(u *unit.Unit) error {
	return fmt.Errorf("item %d does not begin at offset %d: the units are those of another file", u.Item, u.Offset)
}

// unitOf returns the unit of an item of in; where nothing has an offset it is all of in.
func unitOf(in *input.Document, offset, length int64, number int, line int64) unit.Unit {
	if in.At == nil || in.Coding != coding.None {
		return fileUnit(in.File)
	}
	return unit.Unit{Path: in.Source, Ranged: true, Offset: offset, Length: length, Item: number, Line: line}
}

// fileUnit returns the unit that an input is. What is no URL in a list of them is
// none: it would be read as a file, which whoever wrote the list has no say in. Nor is
// a list that cannot be read.
func fileUnit(f input.File) unit.Unit {
	switch {
	case f.Unit != nil:
		return *f.Unit
	case f.Listed && !isURL(f.URL):
		return unit.Unit{}
	}
	return unit.Unit{Path: f.Source}
}

// deadLetters gets the units of what has failed: all that makes the exit status 1. nil
// is none. Lines are written one by one at the end of the file, so that processes
// may share it.
type deadLetters struct {
	f    *os.File
	last unit.Unit
}

func (r *runner) openDeadLetters() error {
	if r.o.dead == "" {
		return nil
	}
	f, err := r.openOutput("--dead-letter", r.o.dead, "the file of dead letters", os.O_APPEND)
	if err != nil {
		return err
	}
	r.dead = &deadLetters{f: f}
	return nil
}

// add adds what e is about, if it has failed. What is wrong with a container is that
// of its items, unless it could not be read to its end.
func (d *deadLetters) add(con *console.Console, e *report.Entry) {
	if d == nil {
		return
	}
	defects, lost := e.Defects()
	if e.Messages+e.Records > 0 {
		defects = 0
	}
	if !lost && defects == 0 || e.Unit == d.last || e.Unit.Path == "" {
		return
	}
	line, err := e.Unit.Append(nil)
	if err == nil {
		_, err = d.f.Write(line)
	}
	if err != nil {
		con.Printf("--dead-letter: %v", err)
	}
	d.last = e.Unit
}

func (d *deadLetters) close() {
	if d != nil {
		d.f.Close()
	}
}
