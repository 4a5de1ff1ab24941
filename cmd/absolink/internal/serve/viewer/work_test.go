package viewer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A page that could not be made says why, with the status of the reason.
func TestWorkFails(t *testing.T) {
	tests := []struct {
		err    error
		status int
		says   string
		after  string // Retry-After
	}{
		{ErrBusy, http.StatusServiceUnavailable, "The service is busy. Try again in a moment.", "1"},
		{context.DeadlineExceeded, http.StatusServiceUnavailable, "The document takes longer than 2 minutes.", ""},
		{fmt.Errorf("item 1: %w", &fs.PathError{Op: "write", Path: "f", Err: errors.New("the disk is full")}),
			http.StatusInternalServerError, "The service cannot use its temporary files: the disk is full.", ""},
		{errors.New("it is damaged"), http.StatusUnprocessableEntity, "it is damaged", ""},
	}
	for _, tt := range tests {
		p := New(&Options{WithWorker: func(context.Context, func(context.Context) error) error { return tt.err }})
		w := httptest.NewRecorder()
		done := p.withWorker(w, httptest.NewRequest(http.MethodGet, "/", nil), nil)
		after := w.Header().Get("Retry-After")
		if done || w.Code != tt.status || after != tt.after || !strings.Contains(w.Body.String(), tt.says) {
			t.Errorf("work with error %v: got %v, %d, Retry-After %q and %.300s, want %d, %q and %q",
				tt.err, done, w.Code, after, w.Body, tt.status, tt.after, tt.says)
		}
	}
}
