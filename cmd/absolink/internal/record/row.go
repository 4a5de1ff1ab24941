package record

// AppendCells appends a row of f, which is CSV or TSV, with other cells than those of
// a Record.
func AppendCells(dst []byte, f Format, cells []string) []byte {
	t := csvTable
	if f == TSV {
		t = tsvTable
	}
	for i, cell := range cells {
		if i > 0 {
			dst = append(dst, t.sep)
		}
		dst = appendText(dst, cell, t)
	}
	return append(dst, '\n')
}
