package serve

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// Problem is the body of an answer that says what is wrong (RFC 9457). It is an error.
type Problem struct {
	Type   string `json:"type"` // always about:blank: Status tells them apart
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	Flag   string `json:"flag,omitempty"`   // the parameter at fault, named as the flag
	Offset *int64 `json:"offset,omitempty"` // byte of the body, its coding undone, or of a damaged coding
}

func (p *Problem) Error() string { return p.Detail }

// refuse answers with p.
func refuse(w http.ResponseWriter, p *Problem) {
	p.Type = "about:blank"
	p.Title = http.StatusText(p.Status)
	body, _ := json.Marshal(p)
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Content-Length", strconv.Itoa(len(body)+1))
	if p.Status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "1")
	}
	w.WriteHeader(p.Status)
	w.Write(append(body, '\n'))
}

// badOption is the problem of an error that says which flag is wrong.
func badOption(err error) *Problem {
	p := &Problem{Status: http.StatusBadRequest, Detail: err.Error()}
	if _, name, ok := strings.Cut(p.Detail, "--"); ok {
		end := strings.IndexFunc(name,
			func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' })
		if end < 0 {
			end = len(name)
		}
		p.Flag = name[:end]
	}
	return p
}
