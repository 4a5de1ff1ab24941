package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/files"
)

// code runs a command and checks its exit code: code N command args...
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command args...")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("code: %v", err)
	}
	got, err := 0, ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("code: %v", err)
	}
	if got != want {
		ts.Fatalf("exit code: got %d, want %d", got, want)
	}
}

// packFiles writes files in a coding. The first argument is the ending of the coding, such as .gz:
// pack .gz files...
func packFiles(ts *testscript.TestScript, neg bool, args []string) {
	c := map[string]coding.Coding{".gz": coding.Gzip, ".zst": coding.Zstd, ".br": coding.Brotli}[args[0]]
	for _, a := range args[1:] {
		var b bytes.Buffer
		w, err := c.Writer(&b)
		ts.Check(err)
		io.WriteString(w, ts.ReadFile(a))
		ts.Check(w.Close())
		ts.Check(os.WriteFile(ts.MkAbs(a)+args[0], b.Bytes(), 0o666))
	}
}

// unpackFiles writes the decoded content of files to files with .plain added to their names.
func unpackFiles(ts *testscript.TestScript, neg bool, args []string) {
	for _, a := range args {
		stored := ts.ReadFile(a)
		r, err := coding.Detect([]byte(stored), a).Reader(strings.NewReader(stored))
		ts.Check(err)
		plain, err := io.ReadAll(r)
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(a)+".plain", plain, 0o666))
	}
}

// leftOver makes files as a killed process leaves them beside the named files.
func leftOver(ts *testscript.TestScript, neg bool, args []string) {
	for _, a := range args {
		dir, err := files.OpenDir(filepath.Dir(ts.MkAbs(a)))
		ts.Check(err)
		f, err := files.CreateTemporary(dir, filepath.Base(a), 0o600)
		ts.Check(err)
		ts.Check(errors.Join(f.File.Close(), dir.Close()))
	}
}

// serveFiles serves the files of a directory on the loopback address: serve dir. It sets URL, and
// logs the requests, which "requests FILE" writes to a file. "serve -whole dir" supports no ranges.
func serveFiles(ts *testscript.TestScript, neg bool, args []string) {
	dir, whole := args[len(args)-1], args[0] == "-whole"
	files := http.FileServer(http.Dir(ts.MkAbs(dir)))
	var mu sync.Mutex
	var log strings.Builder
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		fmt.Fprintln(&log, r.URL.Path, r.Header.Get("Range"))
		mu.Unlock()
		if whole {
			r.Header.Del("Range")
		}
		files.ServeHTTP(w, r)
	}))
	ts.Defer(s.Close)
	ts.Setenv("URL", s.URL)
	ts.Setenv("HOST", s.Listener.Addr().String())
	servers.Store(ts, func() string {
		mu.Lock()
		defer mu.Unlock()
		defer log.Reset()
		return log.String()
	})
}

var servers sync.Map // by script: func() string, which returns the requests since its last call

// requests writes to a file the requests that the server of serve got since the last call, in their
// order: requests FILE.
func requests(ts *testscript.TestScript, neg bool, args []string) {
	log, _ := servers.Load(ts)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(log.(func() string)()), 0o666))
}

// expand replaces the variables in files by their values: expand FILE...
func expand(ts *testscript.TestScript, neg bool, args []string) {
	for _, a := range args {
		text := os.Expand(ts.ReadFile(a), ts.Getenv)
		ts.Check(os.WriteFile(ts.MkAbs(a), []byte(text), 0o666))
	}
}

// long is the time that touch gives to files.
var long = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// touch gives files an old time and the mode 0640.
func touch(ts *testscript.TestScript, neg bool, args []string) {
	for _, a := range args {
		name := ts.MkAbs(a)
		ts.Check(os.Chtimes(name, long, long))
		ts.Check(os.Chmod(name, 0o640))
	}
}

// like checks that files have the time and the mode that touch gives.
func like(ts *testscript.TestScript, neg bool, args []string) {
	for _, a := range args {
		info, err := os.Stat(ts.MkAbs(a))
		ts.Check(err)
		if same := info.ModTime().Equal(long) && info.Mode().Perm() == 0o640; same == neg {
			ts.Fatalf("%s: got time %v and mode %v, want %v and 0640: %v",
				a, info.ModTime().UTC(), info.Mode(), long, !neg)
		}
	}
}
