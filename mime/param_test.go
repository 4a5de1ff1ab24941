package mime

import (
	"strings"
	"testing"

	message "github.com/emersion/go-message"

	"absolink/mime/internal/header"
	"absolink/testdata/corpus"
)

// TestParamCorpus compares the parser with go-message, if go-message succeeds.
func TestParamCorpus(t *testing.T) {
	fields, both := 0, 0
	messages(t, func(name string, msg []byte) {
		m, err := Parse(strings.NewReader(string(msg)), int64(len(msg)), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for e := range m.Root.All() {
			if v, n := e.Get("Content-Type"); n > 0 {
				fields++
				both += compareParams(t, name, e, header.Unfold(v))
			}
		}
	})
	if least := corpus.Least(3000, 100); both < least {
		t.Errorf("%d of %d Content-Type fields read by both, want at least %d", both, fields, least)
	}
}

func compareParams(t *testing.T, name string, e *Entity, value string) int {
	var h message.Header
	h.Set("Content-Type", value)
	kind, params, err := h.ContentType()
	if err != nil || kind == "" {
		return 0
	}
	if got := header.MediaType(value); got != kind && kind != "text" {
		t.Errorf("%s part %s: header.MediaType(%q) = %q, go-message says %q", name, e.Section, value, got, kind)
	}
	for k, want := range params {
		if got := header.Words(header.Param(value, k)); got != header.Words(want) {
			t.Errorf("%s part %s: header.Param(%q, %q) = %q, go-message says %q", name, e.Section, value, k, got, want)
		}
	}
	return 1
}
