//go:build !amd64

package markup

const (
	hasVector = false
	hasWide   = false
)

func skimVector(data *byte, i, limit int, f *Filter, list *wish, t *SimpleTag, idle uint64) (at, n int) {
	panic("markup: no vectors")
}

func slashVector(data *byte, i, limit int) int { panic("markup: no vectors") }

func plainVector(data *byte, n int) int { panic("markup: no vectors") }

func plainWide(b []byte) int { panic("markup: no vectors") }
