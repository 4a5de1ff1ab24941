//go:build unix

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/cli"
	"absolink/testdata/effort"
)

const (
	pageBefore = "<!DOCTYPE html>%d<a href=x>1</a>"
	pageAfter  = "<!DOCTYPE html>%d<a href=http://example.test/x>1</a>"
)

// pages makes a tree of n pages, some of them large.
func pages(t *testing.T, dir string, n int) {
	t.Helper()
	for i := range n {
		name := pageName(dir, i)
		if i%100 == 0 {
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		text := fmt.Sprintf(pageBefore, i) + filler(i)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func pageName(dir string, i int) string {
	return filepath.Join(dir, fmt.Sprint(i/100), fmt.Sprintf("%04d.html", i))
}

func filler(i int) string {
	if i%50 != 0 {
		return ""
	}
	return strings.Repeat("<p>filler</p>\n", 20_000)
}

// An interrupt at any moment leaves each file whole, old or new, and nothing else.
func TestInterrupt(t *testing.T) {
	for _, args := range [][]string{{"--in-place"}, {"-o", "out"}} {
		for _, delay := range effort.Pick([]time.Duration{5, 20, 50, 100}, []time.Duration{20}) {
			t.Run(fmt.Sprintf("%s after %d ms", args[0], delay), func(t *testing.T) {
				t.Chdir(t.TempDir())
				pages(t, "in", 400)
				interrupt(t, delay*time.Millisecond,
					append([]string{"rewrite", "--default-base", "http://example.test/", "in"}, args...))
				whole(t, "in", args[0] == "--in-place")
				whole(t, "out", true)
			})
		}
	}
}

func interrupt(t *testing.T, after time.Duration, args []string) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("absolink", args...)
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	cmd.Process.Signal(syscall.SIGINT)
	err := cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil: // the run was faster
	case errors.As(err, &exit) && exit.ExitCode() == cli.ExitInterrupted:
		if !strings.Contains(stderr.String(), "absolink: interrupted: ") {
			t.Errorf("interrupted run: got %q on standard error, want it to say so", stderr.String())
		}
	case errors.As(err, &exit) && exit.ExitCode() == -1: // the signal came before the program listened
	default:
		t.Errorf("interrupted run: got %v and %q, want exit code %d", err, stderr.String(), cli.ExitInterrupted)
	}
}

// whole checks each file below dir.
func whole(t *testing.T, dir string, edited bool) {
	t.Helper()
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		var i int
		if _, err := fmt.Sscanf(d.Name(), "%d.html", &i); err != nil || path != pageName(dir, i) {
			t.Errorf("%s was left behind", path)
			return nil
		}
		got, err := os.ReadFile(path)
		before, after := fmt.Sprintf(pageBefore, i)+filler(i), fmt.Sprintf(pageAfter, i)+filler(i)
		if err != nil || string(got) != before && !(edited && string(got) == after) {
			t.Errorf("%s: got %.60q (%d bytes) and error %v, want the page before or after", path, got, len(got), err)
		}
		return nil
	})
}

// A run that waits for standard input can be interrupted too.
func TestInterruptStdin(t *testing.T) {
	for _, c := range []struct {
		args   []string
		stderr string
	}{
		{[]string{"extract"}, "absolink: interrupted: "},
		{[]string{"resolve", "--base", "http://a/"}, ""},
	} {
		t.Run(c.args[0], func(t *testing.T) {
			t.Parallel()
			for wait := 200 * time.Millisecond; ; wait *= 2 {
				code, stderr := interruptStdin(t, wait, c.args)
				if code == -1 && wait < 10*time.Second {
					continue // the signal came before the program listened to it
				}
				if code != cli.ExitInterrupted || !strings.HasPrefix(stderr, c.stderr) {
					t.Errorf("interrupted run: got exit code %d and %q, want %d and %q",
						code, stderr, cli.ExitInterrupted, c.stderr)
				}
				return
			}
		})
	}
}

func interruptStdin(t *testing.T, after time.Duration, args []string) (code int, stderr string) {
	t.Helper()
	var buf bytes.Buffer
	cmd := exec.Command("absolink", args...)
	cmd.Stderr = &buf
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Write([]byte("<html>"))
	time.Sleep(after)
	cmd.Process.Signal(syscall.SIGINT)
	cmd.Wait()
	return cmd.ProcessState.ExitCode(), buf.String()
}

// A session that ends (SIGHUP) leaves no lock and no file behind. A run that was started with nohup
// continues.
func TestHangUp(t *testing.T) {
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP) // signals that a process catches are not ignored by its children
	t.Cleanup(func() { signal.Stop(hup) })
	for _, c := range []struct {
		name, command string
		code          int
		want          string
	}{
		{"session", `exec absolink "$@"`, cli.ExitInterrupted, ""},
		{"nohup", `trap "" HUP; exec absolink "$@"`, cli.ExitDone, "http://example.test/x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			pipe := filepath.Join(dir, "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("sh", "-c", c.command, "sh", "extract", "--base", "http://example.test/", pipe)
			var stdout bytes.Buffer
			cmd.Stdout = &stdout
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until the run reads it
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(f, "<a href=x>")
			cmd.Process.Signal(syscall.SIGHUP)
			if c.code == cli.ExitDone {
				time.Sleep(100 * time.Millisecond)
				f.Close()
			}
			cmd.Wait()
			f.Close()
			if code := cmd.ProcessState.ExitCode(); code != c.code || strings.TrimSpace(stdout.String()) != c.want {
				t.Errorf("got exit code %d and %q, want %d and %q", code, stdout.String(), c.code, c.want)
			}
		})
	}
}

// An interrupt ends the waiting for a named pipe, both for its writer and for its data. A list of
// inputs may also come from a pipe.
func TestInterruptPipe(t *testing.T) {
	for _, written := range []bool{false, true} {
		for _, args := range [][]string{{"extract", "--base", "http://e.test/", "pipe"},
			{"extract", "--units", "pipe"}, {"extract", "--urls", "pipe"},
			{"extract", "--files-from", "pipe"}, {"units", "pipe"}, {"unpack", "pipe", "-o", "out"}} {
			t.Run(fmt.Sprint(args, written), func(t *testing.T) {
				t.Parallel()
				got := -1
				// A program that does not listen yet dies of the signal. It gets more time then.
				for after := 300 * time.Millisecond; got == -1 && after < 20*time.Second; after *= 4 {
					got = interruptWaiting(t, args, written, after)
				}
				if got != cli.ExitInterrupted {
					t.Errorf("%q, interrupted: got exit code %d, want %d", args, got, cli.ExitInterrupted)
				}
			})
		}
	}
}

// interruptWaiting interrupts a run that waits for a named pipe. It returns the exit code of the
// run, or -1 if a signal killed it. If written, the pipe has a writer.
func interruptWaiting(t *testing.T, args []string, written bool, after time.Duration) int {
	t.Helper()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("absolink", args...)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if written {
		w, err := os.OpenFile(pipe, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
	}
	time.Sleep(after)
	cmd.Process.Signal(syscall.SIGINT)
	stuck := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
	defer stuck.Stop()
	cmd.Wait()
	return cmd.ProcessState.ExitCode()
}

// A list that can be read only once is not read to count the inputs for the progress bar.
func TestPipedLists(t *testing.T) {
	t.Chdir(t.TempDir())
	save(t, "a.html", []byte("<a href=http://a.test/>"))
	for _, list := range []string{"--units", "--files-from"} {
		pipe := "pipe" + list
		if err := syscall.Mkfifo(pipe, 0o666); err != nil {
			t.Fatal(err)
		}
		go os.WriteFile(pipe, []byte("a.html\n"), 0)
		if _, out, stderr := runs(t, "", "extract", "--progress", "always",
			"--format", "text", list, pipe); out != "http://a.test/\n" {
			t.Errorf("extract %s of a pipe: got %q and %q, want http://a.test/", list, out, stderr)
		}
	}
}
