package serve

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// Problem is the body of an answer that reports an error (RFC 9457). It is an error.
type Problem struct {
	Type   string `json:"type"` // always about:blank; Status identifies the problem
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	Flag   string `json:"flag,omitempty"` // the wrong parameter, or max-size
	// Offset is in bytes of the decoded body, or of the raw body if its coding is damaged.
	Offset *int64 `json:"offset,omitempty"`
}

func (p *Problem) Error() string { return p.Detail }

// writeProblem answers with p.
func writeProblem(w http.ResponseWriter, p *Problem) {
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

// flagProblem returns the problem for an error whose text may name a flag, such as --base.
func flagProblem(err error) *Problem {
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
