//go:build unix

package e2e

import (
	"cmp"
	"encoding/gob"
	"errors"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"absolink/testdata/effort"
)

// The scripts run absolink 1,600 times, and most runs take less time than the start of a process.
// In the short form of TestScripts, a few worker processes run most of these commands, each by a
// call of cli.Run. In the long form, each command is a process.

// A task is a run of absolink that a worker does.
type task struct {
	Dir   string
	Env   []string
	Args  []string
	Stdin string
}

// A taskResult is the outcome of a task.
type taskResult struct {
	Code           int
	Stdout, Stderr []byte
}

// workCommands reads tasks from standard input, runs them, and writes their results to standard
// output. It ends with code 1 if it cannot.
func workCommands() {
	debug.SetGCPercent(effort.GCPercent)
	log.SetOutput(io.Discard)
	tasks := gob.NewDecoder(os.Stdin)
	results := gob.NewEncoder(os.Stdout)
	for {
		var c task
		err := tasks.Decode(&c)
		if errors.Is(err, io.EOF) {
			os.Exit(0)
		}
		if err == nil {
			err = results.Encode(c.run())
		}
		if err != nil {
			os.Exit(1)
		}
	}
}

// run runs the task in this process. As in a process of its own, the standard streams are pipes.
func (c task) run() (r taskResult) {
	os.Clearenv()
	for _, v := range c.Env {
		name, value, _ := strings.Cut(v, "=")
		os.Setenv(name, value)
	}
	os.Setenv("PWD", c.Dir)
	if err := os.Chdir(c.Dir); err != nil {
		return taskResult{Code: -1, Stderr: []byte(err.Error())}
	}
	setWholeSeconds()
	in, none, err1 := os.Pipe()
	out, err2 := newCapture()
	diagnostics, err3 := newCapture()
	if err := errors.Join(err1, err2, err3); err != nil {
		return taskResult{Code: -1, Stderr: []byte(err.Error())}
	}
	defer in.Close()
	go func() {
		io.WriteString(none, c.Stdin) // an error is no failure: the command need not read its input
		none.Close()
	}()
	os.Stdin = in
	os.Stdout = out.pipe
	os.Stderr = diagnostics.pipe
	r.Code = absolink(c.Args, os.Stdin, os.Stdout, os.Stderr)
	r.Stdout = out.end()
	r.Stderr = diagnostics.end()
	return r
}

// A capture reads a pipe that a command writes to.
type capture struct {
	pipe *os.File
	read chan []byte
}

func newCapture() (*capture, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c := &capture{w, make(chan []byte, 1)}
	go func() {
		defer r.Close()
		all, _ := io.ReadAll(r)
		c.read <- all
	}()
	return c, nil
}

// end closes the pipe and returns the bytes that were written to it.
func (c *capture) end() []byte {
	c.pipe.Close()
	return <-c.read
}

// A worker is a process that runs workCommands.
type worker struct {
	process *exec.Cmd
	stdin   io.Closer
	send    *gob.Encoder
	receive *gob.Decoder
}

// A pool holds the workers that wait for a command.
type pool chan *worker

// startWorkers starts a worker for each processor. They end with the test.
func startWorkers(t *testing.T) pool {
	t.Helper()
	workers := make(pool, runtime.GOMAXPROCS(0))
	for range cap(workers) {
		p := exec.Command("absolink-worker")
		p.Stderr = os.Stderr
		in, err := p.StdinPipe()
		out, err2 := p.StdoutPipe()
		if err := errors.Join(err, err2, p.Start()); err != nil {
			t.Fatal(err)
		}
		workers <- &worker{p, in, gob.NewEncoder(in), gob.NewDecoder(out)}
	}
	t.Cleanup(func() {
		for range cap(workers) {
			w := <-workers
			w.stdin.Close()
			if err := w.process.Wait(); err != nil {
				t.Error(err)
			}
		}
	})
	return workers
}

// environment is the key of the variables of a script, in the values of its testscript.Env. Of the
// same values, nextInput is the key of a *string, the input of the next run.
type (
	environment struct{}
	nextInput   struct{}
)

// workin sets the standard input of the next run in a worker: workin file.
func workin(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: workin file")
	}
	*ts.Value(nextInput{}).(*string) = ts.ReadFile(args[0])
}

// work runs absolink in a worker and checks its exit code: work N args...
func (workers pool) work(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	w := <-workers
	defer func() { workers <- w }()
	env, _ := ts.Value(environment{}).([]string)
	input := ts.Value(nextInput{}).(*string)
	c := task{ts.MkAbs("."), env, args[1:], *input}
	*input = ""
	var r taskResult
	ts.Check(w.send.Encode(c))
	ts.Check(w.receive.Decode(&r))
	ts.Stdout().Write(r.Stdout)
	ts.Stderr().Write(r.Stderr)
	if (r.Code == want) == neg {
		ts.Fatalf("exit code: got %d, want %d: %v", r.Code, want, !neg)
	}
}

// workScripts copies the scripts of a directory to a new one. In the copies, the command work runs
// absolink. A script that sets variables is left alone, since a process reads some of them once.
func workScripts(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	copies := t.TempDir()
	for _, f := range files {
		text := read(t, f)
		lines := len(txtar.Parse([]byte(text)).Comment)
		save(t, filepath.Join(copies, filepath.Base(f)), []byte(workLines(text[:lines])+text[lines:]))
	}
	return copies
}

// scriptLine matches a line of a script: conditions and "!", the command, and its arguments.
var scriptLine = regexp.MustCompile(`^((?:\[[^]]*\] |! )*)(\w+)(.*\n?)$`)

// absolinkLine matches the rest of a line that runs absolink and waits for its end.
var absolinkLine = regexp.MustCompile(`^( \d+)? absolink((?: .*[^&\n])?\n?)$`)

// workLines replaces "exec absolink" by "work 0", and "code N absolink" by "work N", in the lines
// of a script, and "stdin" before them by "workin". A command with the input of a terminal stays a
// process.
func workLines(script string) string {
	lines := slices.Collect(strings.Lines(script))
	stdin := -1 // the line that sets the input of the next command
	terminal := false
	for i, line := range lines {
		part := scriptLine.FindStringSubmatch(line)
		if part == nil {
			continue
		}
		switch name := part[2]; name {
		case "env":
			return script
		case "stdin":
			stdin = i
		case "ttyin":
			terminal = true
		case "exec", "code":
			if args := absolinkLine.FindStringSubmatch(part[3]); args != nil && !terminal {
				lines[i] = part[1] + "work" + cmp.Or(args[1], " 0") + args[2]
				if stdin >= 0 {
					lines[stdin] = strings.Replace(lines[stdin], "stdin", "workin", 1)
				}
			}
			stdin = -1
			terminal = false
		}
	}
	return strings.Join(lines, "")
}

func TestWorkLines(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"exec absolink extract a\n", "work 0 extract a\n"},
		{"exec absolink\n", "work 0\n"},
		{"exec absolink", "work 0"},
		{"! exec absolink base '&'\n", "! work 0 base '&'\n"},
		{"[!root] ! exec absolink base\n", "[!root] ! work 0 base\n"},
		{"code 2 absolink base\n", "work 2 base\n"},
		{"exec absolink serve &\n", "exec absolink serve &\n"},
		{"exec absolink serve &name&\n", "exec absolink serve &name&\n"},
		{"exec absolinks\n", "exec absolinks\n"},
		{"code 2 sh -c 'absolink'\n", "code 2 sh -c 'absolink'\n"},
		{"# exec absolink a\n\nstdout absolink\n", "# exec absolink a\n\nstdout absolink\n"},
		{"stdin a\nexec absolink a\nexec absolink b\n", "workin a\nwork 0 a\nwork 0 b\n"},
		{"stdin a\ncode 1 absolink a\ncode 1 absolink b\n", "workin a\nwork 1 a\nwork 1 b\n"},
		{"ttyin a\nstdout b\nexec absolink a\n", "ttyin a\nstdout b\nexec absolink a\n"},
		{"stdin a\nexec cat\nexec absolink b\n", "stdin a\nexec cat\nwork 0 b\n"},
		{"stdin a\n\nexec absolink a &\n", "stdin a\n\nexec absolink a &\n"},
		{"exec absolink a\nenv A=b\n", "exec absolink a\nenv A=b\n"},
	} {
		if got := workLines(c.script); got != c.want {
			t.Errorf("workLines(%q): got %q, want %q", c.script, got, c.want)
		}
	}
}
