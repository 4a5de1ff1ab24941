package columns

import "bytes"

// run is a sequence of columns. Many rows have the same values in all of them as the row before,
// for instance in the columns of the document. Then the frames have the same bytes there. The
// Writer only counts such rows, and adds all of them together when other values come or the batch
// ends.
type run struct {
	from, to int        // indices of the columns in the Writer
	columns  []repeater // nil if one of the columns is no repeater
	values   []byte     // in the last row; empty before the first row of a batch
	pending  int        // number of rows with these values that are not yet added
}

// add adds the next column to the run. A column that is no repeater is alone in its run.
func (r *run) add(c column) {
	r.to = r.from + len(r.columns) + 1
	if c, ok := c.(repeater); ok {
		r.columns = append(r.columns, c)
	}
}

// repeats reports whether a row has the values of the last row. values begins with the values of
// the row from the run on.
func (r *run) repeats(values []byte) bool {
	return len(r.values) > 0 && bytes.HasPrefix(values, r.values)
}

// keep keeps the values of the last row.
func (r *run) keep(values []byte) {
	if r.columns != nil {
		r.values = append(r.values[:0], values...)
	}
}

// repeat adds the rows that are only counted.
func (r *run) repeat() {
	if r.pending > 0 {
		for _, c := range r.columns {
			c.repeat(r.pending)
		}
	}
	r.pending = 0
}
