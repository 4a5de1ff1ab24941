package serve

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
)

// IsJSON reports whether the Content-Type of the body means JSON lines.
func (b *Body) IsJSON() bool {
	media, _, _ := strings.Cut(b.Type, ";")
	return slices.Contains([]string{"application/jsonl", "application/x-ndjson",
		"application/json-lines", "application/json"}, strings.ToLower(strings.TrimSpace(media)))
}

// Pair is a JSON line for resolve: a reference with its base. Pairs returns no Pair with a nil Ref.
type Pair struct {
	Base string
	Ref  *string
}

// Pairs parses all JSON lines of src. The error is a *[Problem] with the offset of the wrong line.
func Pairs(src io.Reader) ([]Pair, error) {
	list, d := []Pair{}, json.NewDecoder(bufio.NewReader(src))
	for {
		offset := d.InputOffset()
		var p Pair
		err := d.Decode(&p)
		switch {
		case err == io.EOF:
			return list, nil
		case err == nil && p.Ref == nil:
			err = errors.New(`"ref" is missing`)
		}
		if err != nil {
			return nil, &Problem{Status: http.StatusBadRequest, Offset: &offset,
				Detail: `a line is not {"base","ref"}: ` + err.Error()}
		}
		list = append(list, p)
	}
}
