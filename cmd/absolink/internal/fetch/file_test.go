package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"
)

// content returns n random bytes, which are the same in each run. They must not be changed.
func content(n int) []byte { return bytesOfContent()[:n:n] }

var bytesOfContent = sync.OnceValue(func() []byte {
	b := make([]byte, 10<<20)
	rand.NewChaCha8([32]byte{1}).Read(b)
	return b
})

// sameBytes reads r in pieces and compares the bytes with want. It returns their number and the
// error of the reader, and io.ErrUnexpectedEOF if they differ.
func sameBytes(r io.Reader, want []byte) (n int, err error) {
	piece := make([]byte, 100_000)
	for {
		k, err := r.Read(piece)
		if !bytes.HasPrefix(want[n:], piece[:k]) {
			return n, io.ErrUnexpectedEOF
		}
		n += k
		if err == io.EOF && n == len(want) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// ranged answers a request for a range of data correctly, and returns the number of bytes it sent.
func ranged(w http.ResponseWriter, r *http.Request, data []byte) int {
	var from, to int
	if n, _ := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to); n != 2 ||
		r.Header.Get("Accept-Encoding") != "identity" {
		w.WriteHeader(http.StatusBadRequest)
		return 0
	}
	if from >= len(data) {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", len(data)))
		w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		return 0
	}
	to = min(to, len(data)-1)
	w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to, len(data)))
	w.Header().Set("Content-Length", strconv.Itoa(to+1-from))
	w.WriteHeader(http.StatusPartialContent)
	n, _ := w.Write(data[from : to+1])
	return n
}

// spool returns a function that makes a temporary file of the test.
func spool(t *testing.T) func() (*os.File, error) {
	return func() (*os.File, error) { return os.Create(filepath.Join(t.TempDir(), "spool")) }
}

// patientClient returns a client that does not wait between tries, but sums the times up in waited.
func patientClient(t *testing.T, handler http.HandlerFunc) (c *Client, url string, waited *atomic.Int64) {
	w := newWorld(t, handler, nil)
	c = w.trusted(t, Options{MaxRedirects: 3, Timeout: 5 * time.Second})
	waited = new(atomic.Int64)
	c.sleep = func(_ context.Context, d time.Duration) error { waited.Add(int64(d)); return nil }
	return c, w.url("a.test", "/file"), waited
}

// ReadAt returns the bytes of the file at any offset, in any order.
func TestFile(t *testing.T) {
	data := content(9 << 20)
	c, url, _ := patientClient(t, func(w http.ResponseWriter, r *http.Request) { ranged(w, r, data) })
	for _, r := range []Range{{Length: 9 << 20}, {Offset: 5 << 20, Length: 100},
		{Offset: 3, Length: 1 << 40}, {Offset: 1 << 20, Length: 3 << 20}} {
		f, err := c.Open(t.Context(), url, r)
		if err != nil {
			t.Fatalf("Open %+v: %v", r, err)
		}
		if f.Size() != int64(len(data)) || f.Whole() || f.URL() != url {
			t.Errorf("Open %+v: got size %d, whole %v, URL %s, want %d, false, %s",
				r, f.Size(), f.Whole(), f.URL(), len(data), url)
		}
		if n, err := sameBytes(io.NewSectionReader(f, 0, f.Size()), data); err != nil {
			t.Errorf("%+v: got %d bytes and error %v, want the %d of the file", r, n, err, len(data))
		}
		at := min(r.Offset+r.Length, f.Size()) - 10_000 // the end of the range lies inside
		part := data[at:min(at+20_000, f.Size())]
		if err := iotest.TestReader(io.NewSectionReader(f, at, int64(len(part))), part); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
		if n, err := f.ReadAt(make([]byte, 10), f.Size()-4); n != 4 || err != io.EOF {
			t.Errorf("%+v: ReadAt the end: got %d and %v, want 4 and EOF", r, n, err)
		}
		f.Close()
	}
}

// Nothing after the wanted range is retrieved until a reader asks for it.
func TestFrugal(t *testing.T) {
	data := content(10 << 20)
	for _, tt := range []struct {
		r              Range
		read           int // bytes from the offset on
		most, requests int64
	}{
		{Range{Offset: 1000, Length: 5000}, 5000, 5000, 1},
		{Range{Offset: 1000, Length: largeBlock}, largeBlock, largeBlock, 1},
		{Range{Offset: 1 << 20, Length: 6 << 20}, 6 << 20, 6 << 20, 3},
		{Range{Offset: 1 << 20, Length: 6 << 20}, 100, largeBlock, 1},
		{Range{Offset: 1000, Length: 5000}, 5001, 5000 + firstAfter, 2},
	} {
		var sent, requests atomic.Int64 // of this case: a handler may end behind its client
		c, url, _ := patientClient(t, func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			sent.Add(int64(ranged(w, r, data)))
		})
		f, err := c.Open(t.Context(), url, tt.r)
		if err != nil {
			t.Fatal(err)
		}
		n, err := sameBytes(io.NewSectionReader(f, tt.r.Offset, int64(tt.read)), data[tt.r.Offset:][:tt.read])
		f.Close()
		if err != nil {
			t.Errorf("%+v: got %d bytes and %v, want the %d of the file", tt.r, n, err, tt.read)
		}
		if sent.Load() > tt.most || requests.Load() > tt.requests {
			t.Errorf("%+v: %d bytes in %d requests, want at most %d in %d",
				tt.r, sent.Load(), requests.Load(), tt.most, tt.requests)
		}
	}
}

var badData = content(300_000)

// badServers answer requests for the bytes 100,000 to 199,999 of badData.
var badServers = []struct {
	name   string
	answer func(w http.ResponseWriter, r *http.Request, n int) // to the nth request, from 1
	want   string                                              // of the error, "" for the bytes
	tries  int
	least  time.Duration // that is waited
}{
	{"all is well", func(w http.ResponseWriter, r *http.Request, _ int) { ranged(w, r, badData) }, "", 1, 0},
	{"busy twice", func(w http.ResponseWriter, r *http.Request, n int) {
		if n < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		ranged(w, r, badData)
	}, "", 3, firstWait / 2},
	{"it says how long to wait", func(w http.ResponseWriter, r *http.Request, n int) {
		if n == 1 {
			w.Header().Set("Retry-After", "90")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		ranged(w, r, badData)
	}, "", 2, 90 * time.Second},
	{"it asks to wait for days", func(w http.ResponseWriter, r *http.Request, _ int) {
		w.Header().Set("Retry-After", "100000")
		w.WriteHeader(http.StatusServiceUnavailable)
	}, "the server says 503, and asks to come back in 27h46m40s", 1, 0},
	{"busy for ever", func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(http.StatusBadGateway) },
		"the server says 502 Bad Gateway", maxTries, firstWait},
	{"not there", func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(http.StatusNotFound) },
		"the server says 404 Not Found", 1, 0},
	{"connections break", func(w http.ResponseWriter, r *http.Request, n int) {
		if n < 3 {
			panic(http.ErrAbortHandler)
		}
		ranged(w, r, badData)
	}, "", 3, firstWait / 2},
	{"a body breaks off, and goes on", func(w http.ResponseWriter, r *http.Request, n int) {
		if n > 1 && r.Header.Get("Range") != "bytes=110000-199999" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if n > 1 {
			ranged(w, r, badData)
			return
		}
		w.Header().Set("Content-Range", "bytes 100000-199999/300000")
		w.Header().Set("Content-Length", "100000")
		w.WriteHeader(http.StatusPartialContent)
		w.Write(badData[100_000:110_000])
		panic(http.ErrAbortHandler)
	}, "", 2, firstWait / 2},
	{"bodies that bring nothing", func(w http.ResponseWriter, _ *http.Request, _ int) {
		w.Header().Set("Content-Range", "bytes 100000-199999/300000")
		w.WriteHeader(http.StatusPartialContent)
	}, "the server closes the connection before the end, again and again", maxTries, firstWait},
	{"ranges of 30,000 bytes at most", func(w http.ResponseWriter, r *http.Request, _ int) {
		var from, to int
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, min(to, from+29_999)))
		ranged(w, r, badData)
	}, "", 4, 0},
	{"bytes of elsewhere", func(w http.ResponseWriter, r *http.Request, _ int) {
		r.Header.Set("Range", "bytes=0-99999")
		ranged(w, r, badData)
	}, "the server answers with bytes 0 to 99999, but the request was for bytes 100000 to 199999", 1, 0},
	{"more bytes than asked for", func(w http.ResponseWriter, r *http.Request, _ int) {
		r.Header.Set("Range", "bytes=100000-299999")
		ranged(w, r, badData)
	}, "the server answers with bytes 100000 to 299999, but", 1, 0},
	{"neither the range nor the file",
		func(w http.ResponseWriter, _ *http.Request,
			_ int) {
			w.WriteHeader(http.StatusNoContent)
		}, "the server answers a request for a range with 204 No Content", 1, 0},
	{"no Content-Range",
		func(w http.ResponseWriter, _ *http.Request,
			_ int) {
			w.WriteHeader(http.StatusPartialContent)
		}, `the Content-Range of the answer, "", cannot be read`, 1, 0},
	{"a Content-Range without a size", func(w http.ResponseWriter, _ *http.Request, _ int) {
		w.Header().Set("Content-Range", "bytes 100000-199999/*")
		w.WriteHeader(http.StatusPartialContent)
	}, `the Content-Range of the answer, "bytes 100000-199999/*", cannot be read`, 1, 0},
	{"several parts", func(w http.ResponseWriter, _ *http.Request, _ int) {
		w.Header().Set("Content-Type", "multipart/byteranges; boundary=x")
		w.WriteHeader(http.StatusPartialContent)
	}, "Content-Range", 1, 0},
	{"too short a file", func(w http.ResponseWriter, r *http.Request, _ int) { ranged(w, r, badData[:50]) },
		"ends before the range begins: it has 50 bytes", 1, 0},
	{"it knows no ranges", func(w http.ResponseWriter, _ *http.Request, _ int) { w.Write(badData) }, "", 1, 0},
	{"it knows no ranges, and ends before",
		func(w http.ResponseWriter, _ *http.Request,
			_ int) {
			w.Write(badData[:70])
		}, "ends before the range begins: it has 70 bytes", 1, 0},
	{"it knows no ranges, and breaks off once", func(w http.ResponseWriter, _ *http.Request, n int) {
		w.Header().Set("Content-Length", strconv.Itoa(len(badData)))
		w.Write(badData[:150_000*n])
		if n == 1 {
			panic(http.ErrAbortHandler)
		}
	}, "", 2, firstWait / 2},
	{"it sends it in a coding of its own", func(w http.ResponseWriter, r *http.Request, _ int) {
		w.Header().Set("Content-Encoding", "br")
		ranged(w, r, badData)
	}, "the server compresses it (Content-Encoding br), so its ranges are not ranges of the file", 1, 0},
	{"nothing has changed",
		func(w http.ResponseWriter, _ *http.Request,
			_ int) {
			w.WriteHeader(http.StatusNotModified)
		}, "the server answers a request for a range with 304 Not Modified", 1, 0},
	{"redirects in a loop",
		func(w http.ResponseWriter, r *http.Request,
			_ int) {
			http.Redirect(w, r, "/file", http.StatusFound)
		}, "redirects in a loop", 1, 0},
	{"a redirect", func(w http.ResponseWriter, r *http.Request, n int) {
		if n == 1 {
			http.Redirect(w, r, "/other", http.StatusFound)
			return
		}
		ranged(w, r, badData)
	}, "", 2, 0},
}

// A bad server costs another try, an error, or a download of the whole file.
func TestBadRanges(t *testing.T) {
	for _, tt := range badServers {
		t.Run(tt.name, func(t *testing.T) {
			var n atomic.Int64
			c, url, waited := patientClient(t,
				func(w http.ResponseWriter, r *http.Request) { tt.answer(w, r, int(n.Add(1))) })
			f, err := c.Open(t.Context(), url, Range{Offset: 100_000, Length: 100_000, Spool: spool(t)})
			if err == nil {
				defer f.Close()
				got := make([]byte, 100_000)
				_, err = f.ReadAt(got, 100_000)
				if !bytes.Equal(got, badData[100_000:200_000]) {
					t.Errorf("ReadAt: got other bytes than those of the file, and %v", err)
				}
			}
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("Open: %v", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("Open: got error %v, want %q in it", err, tt.want)
			}
			var known *Error
			if err != nil && !errors.As(err, &known) {
				t.Errorf("Open: got an error of type %T, want an *Error", err)
			}
			if int(n.Load()) != tt.tries || time.Duration(waited.Load()) < tt.least {
				t.Errorf("got %d requests with %v between them, want %d with %v at least",
					n.Load(), time.Duration(waited.Load()), tt.tries, tt.least)
			}
		})
	}
}

// A file that changes between two requests is an error, whether or not the server obeys If-Range.
func TestChangedFile(t *testing.T) {
	data := content(3 << 20)
	for name, tt := range map[string]struct {
		tag, modified, ifRange string
		later                  func(w http.ResponseWriter, r *http.Request)
	}{
		"If-Range does not hold": {`"1"`, "", `"1"`, func(w http.ResponseWriter, _ *http.Request) { w.Write(data) }},
		"the date does not hold": {"", "Mon, 02 Jan 2006 15:04:05 GMT", "Mon, 02 Jan 2006 15:04:05 GMT",
			func(w http.ResponseWriter, _ *http.Request) { w.Write(data) }},
		"another tag": {`W/"1"`, "", "", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `W/"2"`)
			ranged(w, r, data)
		}},
		"another size": {"", "", "", func(w http.ResponseWriter, r *http.Request) { ranged(w, r, data[:500_000]) }},
		"too short":    {"", "", "", func(w http.ResponseWriter, r *http.Request) { ranged(w, r, data[:10]) }},
	} {
		t.Run(name, func(t *testing.T) {
			var n atomic.Int64
			got := make(chan string, 10)
			c, url, _ := patientClient(t, func(w http.ResponseWriter, r *http.Request) {
				if n.Add(1) > 1 {
					got <- r.Header.Get("If-Range")
					tt.later(w, r)
					return
				}
				for name, v := range map[string]string{"ETag": tt.tag, "Last-Modified": tt.modified} {
					if v != "" {
						w.Header().Set(name, v)
					}
				}
				ranged(w, r, data)
			})
			f, err := c.Open(t.Context(), url, Range{Length: 3 << 20})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := io.Copy(io.Discard, io.NewSectionReader(f, 0, f.Size())); err == nil ||
				!strings.Contains(err.Error(), "was changed on the server while it was read") {
				t.Errorf("reading on: got error %v, want that it was changed", err)
			}
			if v := <-got; v != tt.ifRange {
				t.Errorf("If-Range: got %q, want %q", v, tt.ifRange)
			}
		})
	}
}

// Each try at a silent server takes the time of --timeout.
func TestSilentServer(t *testing.T) {
	silent := make(chan struct{})
	w := newWorld(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-silent }), nil)
	defer close(silent)
	c := w.trusted(t, Options{Timeout: 50 * time.Millisecond})
	c.sleep = func(context.Context, time.Duration) error { return nil }
	if _, err := c.Open(t.Context(), w.url("a.test", "/file"), Range{Length: 1}); err == nil ||
		!strings.Contains(err.Error(), "takes longer than 50ms") {
		t.Errorf("Open: got error %v, want that it takes too long", err)
	}
}

// Open refuses private addresses without another try.
func TestPrivateFile(t *testing.T) {
	w := newWorld(t, testSite(), nil)
	c := w.client(t, Options{})
	c.sleep = func(context.Context, time.Duration) error { t.Error("it was tried again"); return nil }
	if _, err := c.Open(t.Context(), w.url("a.test", "/page"), Range{Length: 1}); err == nil ||
		!strings.Contains(err.Error(), "--allow-private allows it") {
		t.Errorf("Open: got error %v, want a refusal", err)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for v, want := range map[string]time.Duration{"": 0, "7": 7 * time.Second, "-7": 0, "soon": 0,
		"Fri, 02 Jan 2026 03:05:05 GMT": time.Minute, "Thu, 01 Jan 2026 03:05:05 GMT": 0} {
		if got := retryAfter(v, now); got != want {
			t.Errorf("retryAfter(%q): got %v, want %v", v, got, want)
		}
	}
}
