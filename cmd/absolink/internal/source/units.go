package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"regexp"
	"sync"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/lines"
	"absolink/cmd/absolink/internal/unit"
)

// units yields the files of the units in the shard. If the list cannot be read, it yields the error
// in every shard.
func (s *Set) units(ctx context.Context, stdin io.Reader) iter.Seq2[input.File, error] {
	return func(yield func(input.File, error) bool) {
		if !canReadList(s.Units, stdin) {
			return
		}
		in, list, err := openList(ctx, s.Units, stdin)
		if err != nil {
			yield(list, err)
			return
		}
		defer in.Close()
		n := 0
		for u, err := range s.UnitsFormat.Read(lines.UTF8(in), s.Prefix) {
			n++
			goOn := true
			isLine := u.Text != ""
			switch {
			case isLine && !s.Shard.Has(n-1):
				continue
			case err != nil:
				f := lineFile(list, err)
				if isLine {
					f.Unit = &unit.Unit{Text: u.Text} // nothing can be read by this unit
				}
				goOn = yield(f, input.Pathless(err))
			case u.Path == "": // the header of an index
			default:
				goOn = s.yieldUnit(u, yield)
			}
			if !goOn || s.MarkUnitEnds && isLine && !yield(input.File{UnitEnd: &u}, nil) {
				return
			}
		}
	}
}

// lineFile returns a File that stands for the line of the list in which err is. If err is in no
// line, the File stands for the list.
func lineFile(list input.File, err error) input.File {
	var line *unit.LineError
	if errors.As(err, &line) {
		list.Source = fmt.Sprintf("%s:%d", list.Source, line.Line)
	}
	return list
}

// blankSeparated matches a unit with a range whose fields are separated by blanks instead of tabs.
var blankSeparated = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`. +\d+ +\d+( +\d+ +\d+)?$`)
})

// yieldUnit yields the file of a unit, or the files of its directory. It returns false if yield
// did.
func (s *Set) yieldUnit(u unit.Unit, yield func(input.File, error) bool) bool {
	if u.Path == input.Stdin {
		return yield(input.File{Source: u.Path, Named: true, Bytes: -1},
			errors.New("standard input is not a unit; ./- is a file named -"))
	}
	for f, err := range s.chosenFiles(u.Path) {
		if err == nil && u.Ranged && !f.Named {
			err = errors.New("a directory has no ranges")
		}
		if !u.Ranged && errors.Is(err, fs.ErrNotExist) && blankSeparated().MatchString(u.Path) {
			err = fmt.Errorf("%w; tabs separate PATH, OFFSET and LENGTH of a unit", err)
		}
		if f.Named {
			f.Maildir = input.MaildirOf(f.Path)
		}
		f.Listed = f.URL != ""
		if u.Query != "" {
			f.URL += "?" + u.Query
		}
		if u.Ranged {
			f.Unit = &u
			f.Bytes = min(f.Bytes, u.Length)
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
