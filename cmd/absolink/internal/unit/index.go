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

// An index of web archives has a line for each capture. It names a file, and the offset and length
// of the record in it. Four forms are read:
//
//   - CDX with its columns;
//   - lines of CDXJ (urlkey, timestamp and a JSON object), as Common Crawl and pywb write them;
//   - the JSON objects alone, as index servers answer;
//   - CSV with a header row, as queries of Common Crawl's columnar index return it.
//
// An index may come from anybody. So it can name only files below a prefix that the operator gives.

// Format is the format of a list of units.
type Format uint8

// The formats.
const (
	Lines Format = iota // as [Unit.Append] writes them
	CDX
	CDXJ
	CSV
	JSON
)

// Formats are all formats.
var Formats = []Format{Lines, CDX, CDXJ, CSV, JSON}

// String returns lines, cdx, cdxj, csv or json.
func (f Format) String() string { return [...]string{"lines", "cdx", "cdxj", "csv", "json"}[f] }

// Read yields the units of a list in the format. The files of an index are below prefix, a
// directory or an http(s) URL. A query of that URL becomes the Query of each unit. A line that is
// not a unit comes with an error, and the lines after it follow. In an index the error is a
// [*LineError]. After an error of reading nothing follows.
func (f Format) Read(r io.Reader, prefix string) iter.Seq2[Unit, error] {
	switch f {
	case CDX:
		columns := new(cdxColumns)
		return readIndex(r, func(line string) (Unit, error) { return columns.parse(line, prefix) })
	case CDXJ:
		return readIndex(r, func(line string) (Unit, error) { return parseCDXJ(line, prefix) })
	case JSON:
		return readIndex(r, func(line string) (Unit, error) { return parseJSON(strings.TrimSpace(line), prefix) })
	case CSV:
		return readCSV(r, prefix)
	}
	return Read(r)
}

// LineError is an error in a line of an index.
type LineError struct {
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return e.Err.Error() }

func (e *LineError) Unwrap() error { return e.Err }

// readIndex yields the units that parse makes of the lines. It skips blank lines. A header line
// comes as a unit without a path.
func readIndex(r io.Reader, parse func(line string) (Unit, error)) iter.Seq2[Unit, error] {
	return func(yield func(Unit, error) bool) {
		n := 0
		for text, err := range linesOf(r) {
			n++
			if strings.TrimSpace(text) == "" && err == nil {
				continue
			}
			var u Unit
			if err == nil {
				u, err = parse(text)
			}
			if err != nil && text != "" {
				err = &LineError{n, err}
			}
			u.Text = text
			if !yield(u, err) {
				return
			}
		}
	}
}

// capture has the members of the JSON object of a line that are read.
type capture struct {
	Filename string
	Offset   numberText
	Length   numberText
}

// numberText is a JSON number, or a JSON string with a number, without its quotation marks.
type numberText string

// UnmarshalJSON keeps the text of the value.
func (n *numberText) UnmarshalJSON(b []byte) error {
	*n = numberText(strings.Trim(string(b), `"`))
	return nil
}

// parseCDXJ parses a line of CDXJ. For a header line, which begins with "!" or " CDX ", it returns
// a unit without a path.
func parseCDXJ(text, prefix string) (Unit, error) {
	line := strings.TrimSpace(text)
	if line[0] == '!' || strings.HasPrefix(text, " CDX ") {
		return Unit{}, nil
	}
	fields := strings.SplitN(line, " ", 3)
	if len(fields) < 3 || !strings.HasPrefix(strings.TrimLeft(fields[2], " "), "{") {
		return Unit{}, fmt.Errorf("%.60q is not a line of CDXJ: urlkey, timestamp and a JSON object", line)
	}
	return parseJSON(fields[2], prefix)
}

// parseJSON parses a JSON object.
func parseJSON(text, prefix string) (Unit, error) {
	if !strings.HasPrefix(strings.TrimLeft(text, " "), "{") {
		return Unit{}, fmt.Errorf("%.60q is not a JSON object with filename, offset and length", text)
	}
	var c capture
	var typ *json.UnmarshalTypeError
	switch err := json.Unmarshal([]byte(text), &c); {
	case errors.As(err, &typ):
		return Unit{}, fmt.Errorf("its %s is not a string", strings.ToLower(typ.Field))
	case err != nil:
		return Unit{}, fmt.Errorf("its JSON object cannot be read: %w", err)
	}
	return indexedUnit(prefix, c.Filename, string(c.Offset), string(c.Length))
}

// cdxColumns are the columns of CDX that hold the file, offset and length: numbers from 1, or 0 if
// there is no such column. In a file without a header line, the number of columns says which they
// are: 9, 10, or at least 11.
type cdxColumns struct {
	fromHeader           bool   // a header line has set the columns
	separator            string // of the header line, or ""
	file, offset, length int
}

// parse parses a line of CDX. A header line begins with the separator and "CDX". It sets the
// columns, and parse returns a unit without a path.
func (c *cdxColumns) parse(text, prefix string) (Unit, error) {
	text = strings.TrimRight(text, "\r")
	if len(text) > 5 && text[1:4] == "CDX" && text[4] == text[0] {
		c.setHeader(text[:1], strings.Split(text[5:], text[:1]))
		return Unit{}, nil
	}
	separator := c.separator
	if separator == "" {
		separator = " "
	}
	cells := strings.Split(text, separator)
	if separator == " " {
		cells = strings.Fields(text)
	}
	if !c.fromHeader && !c.setByNumber(len(cells)) {
		return Unit{},
			fmt.Errorf("%d columns are not CDX: 11 are needed, with length, offset and file last, or a header line "+
				"that begins with \" CDX \"", len(cells))
	}
	switch {
	case c.file == 0 || c.offset == 0:
		return Unit{}, errors.New("its header has no column V (offset) or g (file)")
	case max(c.file, c.offset, c.length) > len(cells):
		return Unit{}, fmt.Errorf("%d columns, and %d are needed", len(cells), max(c.file, c.offset, c.length))
	}
	length := ""
	if c.length > 0 && cells[c.length-1] != "-" {
		length = cells[c.length-1]
	}
	if length != "" {
		return indexedUnit(prefix, cellValue(cells[c.file-1]), cellValue(cells[c.offset-1]), length)
	}
	u, err := indexedUnit(prefix, cellValue(cells[c.file-1]), cellValue(cells[c.offset-1]), "1")
	u.OpenEnded = true
	return u, err
}

// cellValue returns a cell, or "" if the cell is "-": the value is unknown.
func cellValue(cell string) string {
	if cell == "-" {
		return ""
	}
	return cell
}

// setHeader sets the columns by the letters of a header line.
func (c *cdxColumns) setHeader(separator string, letters []string) {
	*c = cdxColumns{fromHeader: true, separator: separator}
	for i, letter := range letters {
		switch strings.TrimSpace(letter) {
		case "g":
			c.file = i + 1
		case "S":
			c.length = i + 1
		case "V":
			c.offset = i + 1
		case "v": // offset in the uncompressed file
			if c.offset == 0 {
				c.offset = i + 1
			}
		}
	}
}

// setByNumber sets the columns for lines with n columns. It returns false if CDX has no such lines.
func (c *cdxColumns) setByNumber(n int) bool {
	switch {
	case n >= 11:
		c.length, c.offset, c.file = 9, 10, 11
	case n == 9 || n == 10:
		c.length = 0
		c.offset = n - 1
		c.file = n
	default:
		return false
	}
	return true
}

// csvColumns are the names of the columns for file, offset and length. Common Crawl's columnar
// index uses the first name of each.
var csvColumns = [...][2]string{{"warc_filename", "filename"},
	{"warc_record_offset", "offset"}, {"warc_record_length", "length"}}

// readCSV yields the units of the rows of CSV (RFC 4180) after a header row. Each line is a row. So
// an open quotation mark spoils only one row.
func readCSV(r io.Reader, prefix string) iter.Seq2[Unit, error] {
	return func(yield func(Unit, error) bool) {
		var at *[len(csvColumns)]int // set by the header row
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
				row, err = splitCells(line)
			}
			switch {
			case at != nil && err == nil:
				u, err = parseRow(row, at, prefix)
			case err == nil:
				if at, err = findColumns(row); err == nil {
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

// splitCells returns the cells of a line. It keeps quotation marks in a cell that does not begin
// with one.
func splitCells(line string) ([]string, error) {
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

// findColumns returns the indexes of csvColumns in a header row.
func findColumns(row []string) (*[len(csvColumns)]int, error) {
	at := new([len(csvColumns)]int)
	for i, names := range csvColumns {
		at[i] = slices.IndexFunc(row, func(cell string) bool {
			return slices.Contains(names[:], strings.ToLower(strings.TrimSpace(cell)))
		})
		if at[i] < 0 {
			return nil, fmt.Errorf("no column %s or %s in the header row", names[0], names[1])
		}
	}
	return at, nil
}

// parseRow returns the unit of a row. at has the indexes of csvColumns.
func parseRow(row []string, at *[len(csvColumns)]int, prefix string) (Unit, error) {
	if last := slices.Max(at[:]); last >= len(row) {
		return Unit{}, fmt.Errorf("%d columns, and %d are needed", len(row), last+1)
	}
	return indexedUnit(prefix, row[at[0]], row[at[1]], row[at[2]])
}

// indexedUnit returns the unit of a record. name is a file below prefix.
func indexedUnit(prefix, name, offset, length string) (Unit, error) {
	u := Unit{Ranged: true, Indexed: true}
	for _, f := range []struct {
		name, text string
		n          *int64
	}{{"offset", offset, &u.Offset}, {"length", length, &u.Length}} {
		v, err := strconv.ParseUint(f.text, 10, 63)
		switch {
		case f.text == "":
			return u, fmt.Errorf("it has no %s", f.name)
		case err != nil:
			return u, fmt.Errorf("its %s %.40q is not a number", f.name, f.text)
		}
		*f.n = int64(v)
	}
	switch {
	case u.Length == 0:
		return u, errors.New("its length is 0")
	case u.Length > math.MaxInt64-u.Offset:
		return u, errors.New("it ends beyond all files")
	}
	below, query, signed := strings.Cut(prefix, "?")
	if !isURL(prefix) {
		below, signed = prefix, false
	}
	var err error
	u.Path, err = joinPrefix(below, name)
	if signed {
		u.Query = query
	}
	return u, err
}

// isURL reports whether a prefix is an http(s) URL.
func isURL(prefix string) bool {
	scheme, _, ok := strings.Cut(prefix, "://")
	return ok && strings.HasPrefix(strings.ToLower(scheme), "http")
}

// joinPrefix returns the path or URL of the file name below prefix. It refuses a name that leads
// out of prefix.
func joinPrefix(prefix, name string) (string, error) {
	if name == "" {
		return "", errors.New("it names no file")
	}
	segments := strings.Split(name, "/")
	if !filepath.IsLocal(filepath.FromSlash(name)) || slices.Contains(segments, "..") {
		return "", fmt.Errorf("the file %q does not lie below --prefix", name)
	}
	if !isURL(prefix) {
		return filepath.Join(prefix, filepath.FromSlash(name)), nil
	}
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return strings.TrimRight(prefix, "/") + "/" + strings.Join(segments, "/"), nil
}
