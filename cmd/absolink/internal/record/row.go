package record

// AppendCells appends a row with the given cells instead of the cells of a Record. f must be CSV or
// TSV.
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
