package record

// AppendCells appends a row with these cells, in the format CSV or TSV.
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
