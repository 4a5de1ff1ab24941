package fetch

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Time counts only while the watch runs.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel, w := withTimeLimit(t.Context(), 3*time.Second)
		defer cancel()
		for range 2 {
			time.Sleep(time.Second)
			w.stop()
			time.Sleep(time.Hour)
			w.start()
		}
		time.Sleep(999 * time.Millisecond)
		synctest.Wait()
		if err := ctx.Err(); err != nil {
			t.Errorf("after 2.999 of 3 seconds: got error %v, want none", err)
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if err := context.Cause(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after 3 of 3 seconds: got cause %v, want that the time is up", err)
		}
	})
}

// Waiting for other requests to the host does not count for the time limit of a URL.
func TestWaitIsNoDelay(t *testing.T) {
	for timeout := 500 * time.Millisecond; ; timeout *= 4 {
		w := newWorld(t, testSite(), nil)
		c := w.trusted(t, Options{PerHost: 1, Timeout: timeout})
		leave, err := c.hosts.enter(t.Context(), "a.test:"+w.port)
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(timeout+timeout/4, leave)
		r, err := get(t, c, w.url("a.test", "/page"))
		if err != nil && timeout < 30*time.Second {
			continue // a busy machine may take so long for the page itself
		}
		if err != nil || string(r.Body) != page {
			t.Errorf("Get behind another of its host: got %v, %v, want the page", r, err)
		}
		return
	}
}
