package unit

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// An index of web archives names, for each capture, a file, and offset and length of the
// record in it. Two forms are read: lines of CDXJ (urlkey, timestamp and a JSON object), as
// Common Crawl and pywb write them, and CSV with a header row, as queries of Common
// Crawl's columnar index give it. File names are below a prefix that the operator gives:
// what an index says may come from anybody.

// Format is how a list of units is written.
type Format uint8

// The formats.
const (
	Lines Format = iota // as Append writes them
	CDXJ
	CSV
)

// Formats are all formats.
var Formats = []Format{Lines, CDXJ, CSV}

func (f Format) String() string { return [...]string{"lines", "cdxj", "csv"}[f] }

// Read yields the units of a list in the format. Those of an index are below prefix, a
// directory or an http(s) URL. A line that is no unit is an error, of an index a
// *LineError, and the others go on; an error of reading ends them.
func (f Format) Read(r io.Reader, prefix string) iter.Seq2[Unit, error] {
	switch f {
	case CDXJ:
		return readCDXJ(r, prefix)
	case CSV:
		return readCSV(r, prefix)
	}
	return Read(r)
}

// LineError says what is wrong with a line of an index.
type LineError struct {
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return e.Err.Error() }

func (e *LineError) Unwrap() error { return e.Err }

// readCDXJ yields the units of lines of CDXJ. Empty lines are passed over. Those of a header, which
// begin with "!" or " CDX ", are units of no file.
func readCDXJ(r io.Reader, prefix string) iter.Seq2[Unit, error] {
	return func(yield func(Unit, error) bool) {
		n := 0
		for text, err := range linesOf(r) {
			n++
			line := strings.TrimSpace(text)
			if line == "" && err == nil {
				continue
			}
			var u Unit
			if err == nil && line[0] != '!' && !strings.HasPrefix(text, " CDX ") {
				u, err = parseCDXJ(line, prefix)
			}
			if err != nil && line != "" {
				err = &LineError{n, err}
			}
			u.Text = text
			if !yield(u, err) {
				return
			}
		}
	}
}

// capture is what the JSON object of a line says; numbers mostly stand in strings.
type capture struct {
	Filename string
	Offset   number
	Length   number
}

// number is a number, or a string that holds one, as it is written.
type number string

func (n *number) UnmarshalJSON(b []byte) error {
	*n = number(strings.Trim(string(b), `"`))
	return nil
}

func parseCDXJ(line, prefix string) (Unit, error) {
	fields := strings.SplitN(line, " ", 3)
	if len(fields) < 3 || !strings.HasPrefix(strings.TrimLeft(fields[2], " "), "{") {
		return Unit{}, fmt.Errorf("%.60q is no line of CDXJ: urlkey, timestamp and a JSON object", line)
	}
	var c capture
	var typ *json.UnmarshalTypeError
	switch err := json.Unmarshal([]byte(fields[2]), &c); {
	case errors.As(err, &typ):
		return Unit{}, fmt.Errorf("its %s is no string", strings.ToLower(typ.Field))
	case err != nil:
		return Unit{}, fmt.Errorf("its JSON object cannot be read: %w", err)
	}
	return indexed(prefix, c.Filename, string(c.Offset), string(c.Length))
}

// columns are the names of the columns that say file, offset and length, the first of which
// are those of Common Crawl's columnar index.
var columns = [...][2]string{{"warc_filename", "filename"}, {"warc_record_offset", "offset"}, {"warc_record_length", "length"}}

// readCSV yields the units of rows of CSV (RFC 4180) below a header row. A row is a line: a
// quotation mark that is not closed spoils one row, not all that follow.
func readCSV(r io.Reader, prefix string) iter.Seq2[Unit, error] {
	return func(yield func(Unit, error) bool) {
		var at *[len(columns)]int // once the header row is read
		n := 0
		for text, err := range linesOf(r) {
			n++
			line := strings.TrimSuffix(text, "\r")
			if n == 1 {
				line = strings.TrimPrefix(line, "\ufeff")
			}
			if line == "" && err == nil {
				continue
			}
			var u Unit
			var row []string
			if err == nil {
				row, err = cells(line)
			}
			switch {
			case at != nil && err == nil:
				u, err = parseRow(row, at, prefix)
			case err == nil:
				if at, err = header(row); err == nil {
					continue
				}
			}
			if err != nil && text != "" {
				err = &LineError{n, err}
			}
			if at != nil {
				u.Text = text
			}
			if !yield(u, err) || at == nil {
				return
			}
		}
		if at == nil {
			yield(Unit{}, errors.New("is empty; a header row names the columns"))
		}
	}
}

// cells returns the cells of a line. Quotation marks inside of a cell that begins with none are
// taken as they are.
func cells(line string) ([]string, error) {
	c := csv.NewReader(strings.NewReader(line))
	row, err := c.Read()
	if errors.Is(err, csv.ErrBareQuote) {
		c = csv.NewReader(strings.NewReader(line))
		c.LazyQuotes = true
		row, err = c.Read()
	}
	if errors.Is(err, csv.ErrQuote) {
		err = errors.New("a cell that begins with a quotation mark does not end with one in this line")
	}
	return row, err
}

// header returns where the columns are by the header row.
func header(row []string) (*[len(columns)]int, error) {
	at := new([len(columns)]int)
	for i, names := range columns {
		at[i] = slices.IndexFunc(row, func(cell string) bool {
			return slices.Contains(names[:], strings.ToLower(strings.TrimSpace(cell)))
		})
		if at[i] < 0 {
			return nil, fmt.Errorf("no column %s or %s in the header row", names[0], names[1])
		}
	}
	return at, nil
}

func parseRow(row []string, at *[len(columns)]int, prefix string) (Unit, error) {
	if most := slices.Max(at[:]); most >= len(row) {
		return Unit{}, fmt.Errorf("%d columns, and %d are needed", len(row), most+1)
	}
	return indexed(prefix, row[at[0]], row[at[1]], row[at[2]])
}

// indexed returns the unit of a record by what an index says.
func indexed(prefix, name, offset, length string) (Unit, error) {
	u := Unit{Ranged: true, Exact: true}
	for _, f := range []struct {
		name, text string
		n          *int64
	}{{"offset", offset, &u.Offset}, {"length", length, &u.Length}} {
		v, err := strconv.ParseUint(f.text, 10, 63)
		switch {
		case f.text == "":
			return u, fmt.Errorf("it has no %s", f.name)
		case err != nil:
			return u, fmt.Errorf("its %s %.40q is no number", f.name, f.text)
		}
		*f.n = int64(v)
	}
	switch {
	case u.Length == 0:
		return u, errors.New("its length is 0")
	case u.Length > math.MaxInt64-u.Offset:
		return u, errors.New("it ends beyond all files")
	}
	var err error
	u.Path, err = under(prefix, name)
	return u, err
}

// under returns the path or URL of a file name below a prefix.
func under(prefix, name string) (string, error) {
	if name == "" {
		return "", errors.New("it names no file")
	}
	segments := strings.Split(name, "/")
	if !filepath.IsLocal(filepath.FromSlash(name)) || slices.Contains(segments, "..") {
		return "", fmt.Errorf("the file %q does not lie below --prefix", name)
	}
	if scheme, _, ok := strings.Cut(prefix, "://"); !ok || !strings.HasPrefix(strings.ToLower(scheme), "http") {
		return filepath.Join(prefix, filepath.FromSlash(name)), nil
	}
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return strings.TrimRight(prefix, "/") + "/" + strings.Join(segments, "/"), nil
}
