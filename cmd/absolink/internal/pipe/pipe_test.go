package pipe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/testdata/effort"
)

// echo is a Call that writes each document in small pieces, after the name.
type echo struct {
	atWork, most *atomic.Int32
}

func (c echo) Do(ctx context.Context, g *input.Given, out io.Writer) (Result, error) {
	n := c.atWork.Add(1)
	defer c.atWork.Add(-1)
	for most := c.most.Load(); n > most && !c.most.CompareAndSwap(most, n); most = c.most.Load() {
	}
	io.WriteString(out, g.Name+":")
	for rest := g.Data; len(rest) > 0; {
		size := min(len(rest), 1+len(g.Data)/3)
		if _, err := out.Write(rest[:size]); err != nil {
			return Result{}, err
		}
		rest = rest[size:]
	}
	if bytes.HasPrefix(g.Data, []byte("fail")) {
		return Result{Error: "failed", Outcome: "failed"}, nil
	}
	return Result{Done: true, Links: len(g.Data)}, nil
}

// echoes returns options whose calls are echoes.
func echoes(o Options) *Options {
	atWork, most := new(atomic.Int32), new(atomic.Int32)
	o.New = func() (Call, error) { return echo{atWork, most}, nil }
	if o.MaxSize == 0 {
		o.MaxSize = 1 << 20
	}
	return &o
}

// answersOf returns the output of Run.
func answersOf(t *testing.T, in io.Reader, o *Options) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := Run(t.Context(), in, &out, o)
	return out.String(), err
}

func TestRun(t *testing.T) {
	const end = `{"record":"end","v":1,`
	tests := []struct {
		name, in string
		form     Form
		out, err string // err is a part of the error
	}{
		{"nothing", "", Lines, "", ""},
		{"no content", `{"length":0}` + "\n", Lines,
			`:` + end + `"status":"done","link_count":0,"problem_count":0,"messages":[]}` + "\n", ""},
		{"content", `{"length":3,"name":"n"}` + "\nabc", Lines,
			`n:abc` + end + `"status":"done","link_count":3,"problem_count":0,"messages":[]}` + "\n", ""},
		{"blanks and order", "\t{ \"name\" : \"n\" ,\r\"length\" : 1 } \r\nx", Lines,
			`n:x` + end + `"status":"done","link_count":1,"problem_count":0,"messages":[]}` + "\n", ""},
		{"escaped key", `{"\u006cength":1}` + "\nx", Lines,
			`:x` + end + `"status":"done","link_count":1,"problem_count":0,"messages":[]}` + "\n", ""},
		{"rows", `{"length":1,"id":"\u0000"}` + "\nx", Rows,
			":x\x00" + end + `"id":"\u0000","status":"done","link_count":1,"problem_count":0,"messages":[]}` + "\n", ""},
		{"columns", `{"length":1,"id":null}` + "\nx", Columns,
			end + `"id":null,"status":"done","link_count":1,"problem_count":0,"messages":[],"length":2}` + "\n:x", ""},
		{"document", `{"length":1,"id":[1, {"a":2e1}]}` + "\nx", Document,
			end + `"id":[1, {"a":2e1}],"status":"done","edits":0,"link_count":1,"problem_count":0,"messages":[],` +
				`"length":2}` + "\n:x", ""},
		{"failed document", `{"length":4}` + "\nfail" + `{"length":0}` + "\n", Document,
			end + `"status":"failed","error":"failed","outcome":"failed","edits":0,"link_count":0,"problem_count":0,"messages":[]}` +
				"\n" + end + `"status":"done","edits":0,"link_count":0,"problem_count":0,"messages":[],"length":1}` + "\n:", ""},
		{"not JSON", "x\n", Lines, "", "frame 1 is damaged: its first line is not JSON"},
		{"empty line", "\n", Lines, "", "frame 1 is damaged: its first line is not JSON"},
		{"two objects", "{\"length\":0}{}\n", Lines, "", "frame 1 is damaged: its first line is not JSON"},
		{"no object", "7\n", Lines, "", "frame 1 is damaged: its first line is not a JSON object"},
		{"no length", "{}\n", Lines, "", `frame 1 is damaged: it has no "length"`},
		{"upper case", `{"Length":0}` + "\n", Lines, "", `frame 1 is damaged: it has no "length"`},
		{"length null", `{"length":null}` + "\n", Lines, "", "frame 1 is damaged: its length null is not a number of bytes"},
		{"length text", `{"length":"1"}` + "\nx", Lines, "", `frame 1 is damaged: its length "1" is not a number of bytes`},
		{"length negative", `{"length":-1}` + "\n", Lines, "", "frame 1 is damaged: its length -1 is not"},
		{"length fraction", `{"length":1.5}` + "\nx", Lines, "", "frame 1 is damaged: its length 1.5 is not"},
		{"length huge", `{"length":99999999999999999999}` + "\n", Lines, "", "frame 1 is damaged: its length 9999"},
		{"length twice", `{"length":1,"length":2}` + "\nxy", Lines, "", "frame 1 is damaged: its first line has the key \"length\" twice"},
		{"line without end", `{"length":0}`, Lines, "", "frame 1 is damaged: the input ends in its first line"},
		{"content cut", `{"length":5}` + "\nabc", Lines, "", "frame 1 is damaged: the input ends after 3 of 5 bytes of the content"},
		{"no bytes", `{"length":5}` + "\n", Lines, "", "frame 1 is damaged: the input ends after 0 of 5 bytes of the content"},
		{"cut after an answer", `{"length":0}` + "\n" + `{"length":2097152}` + "\nabc", Lines,
			`:` + end + `"status":"done","link_count":0,"problem_count":0,"messages":[]}` + "\n",
			"frame 2 is damaged: the input ends after 3 of 2097152 bytes of the content; if frame 2 looks " +
				"right, the length of frame 1 is wrong"},
		{"long line", `{"length":0,"name":"` + strings.Repeat("n", maxHeader) + "\"}\n", Lines, "",
			"frame 1 is damaged: its first line is longer than 1 MiB"},
	}
	for _, tt := range tests {
		for _, jobs := range []int{1, 3} {
			out, err := answersOf(t, strings.NewReader(tt.in), echoes(Options{Jobs: jobs, Form: tt.form}))
			var usage *flag.Error
			failed := errors.As(err, &usage) && strings.Contains(err.Error(), tt.err)
			if out != tt.out || failed != (tt.err != "") || failed != (err != nil) {
				t.Errorf("%s, %d jobs: got\n%s\n%v\nwant\n%s\n%s", tt.name, jobs, out, err, tt.out, tt.err)
			}
		}
	}
}

// Answers before an error are written.
func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader(`{"length":1}`+"\nx"+`{"len`), iotest.ErrReader(broken))
	got, err := answersOf(t, in, echoes(Options{}))
	var damaged *flag.Error
	if !errors.Is(err, broken) || errors.As(err, &damaged) || !strings.Contains(got, `"status":"done"`) {
		t.Errorf("an error of reading: got %q and error %v", got, err)
	}
	o := &Options{MaxSize: 9, New: func() (Call, error) { return nil, broken }}
	got, err = answersOf(t, strings.NewReader(`{"length":0,"x":1}`+"\n"+`{"length":0}`+"\n"), o)
	if err != broken || !strings.Contains(got, "unknown key") {
		t.Errorf("a call that cannot be made: got %q and error %v", got, err)
	}
}

// A frame whose Call cannot be made lets an earlier frame work while it waits for its turn.
func TestFailedCallGivesWay(t *testing.T) {
	broken := errors.New("broken")
	made := make(chan bool)
	o := &Options{New: func() (Call, error) {
		close(made)
		return nil, broken
	}}
	var out bytes.Buffer
	p := newPipe(strings.NewReader(""), &out, o)
	second := make(chan error, 1)
	go func() { second <- p.answer(t.Context(), &frame{number: 2}) }()
	<-made
	first := make(chan error, 1)
	go func() { first <- p.answer(t.Context(), &frame{number: 1, header: header{fault: "x"}}) }()
	select {
	case err := <-first:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("frame 1 got no turn to work")
	}
	p.order.done(1, 0)
	if err := <-second; err != broken || !strings.Contains(out.String(), `"status":"failed"`) {
		t.Errorf("got %q and error %v, want the answer to frame 1 and %v", out.String(), err, broken)
	}
}

// brokenPipe is standard output whose reader is gone.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Run returns when it cannot write an answer, although the client keeps standard input open.
func TestClosedOutput(t *testing.T) {
	in, client := io.Pipe()
	defer client.Close()
	go client.Write([]byte(`{"length":1}` + "\nx"))
	if err := Run(t.Context(), in, brokenPipe{}, echoes(Options{})); err != nil {
		t.Errorf("Run with a closed output: got error %v, want nil", err)
	}
	failed := errors.New("disk full")
	o := newOutput(errorWriter{failed})
	o.w.WriteString("x")
	if _, err := (&flushingReader{strings.NewReader("y"), o}).Read(make([]byte, 1)); err != failed {
		t.Errorf("a read after a failed flush: got error %v, want %v", err, failed)
	}
}

type errorWriter struct{ error }

func (w errorWriter) Write([]byte) (int, error) { return 0, w.error }

// A fault of a header whose length is known fails its frame alone.
func TestFaults(t *testing.T) {
	tests := []struct{ members, fault string }{
		{`"urll":"x"`, `the frame has the unknown key "urll"; did you mean "url"?`},
		{`"\u0000":1`, `the frame has the unknown key "\x00"; the keys are length, id, url, type, charset, status, name, headers`},
		{`"URL":"x"`, `the frame has the unknown key "URL"; the keys are`},
		{`"url":"x","url":"y"`, `the frame has the key "url" twice: leave one of them out`},
		{`"id":1,"id":2`, `the frame has the key "id" twice: leave one of them out`},
		{`"url":7`, "the url of the frame is not a text"},
		{`"name":["x"]`, "the name of the frame is not a text"},
		{`"status":"200"`, `the status "200" of the frame is not a status code such as 200`},
		{`"status":1000`, "the status 1000 of the frame is not a status code such as 200"},
		{`"status":-1`, "the status -1 of the frame is not a status code such as 200"},
		{`"type":"htm"`, `the type "htm" of the frame is neither a media type nor a kind: did you mean html?`},
		{`"headers":{"a":"b"}`, "the headers of the frame are not a list of pairs"},
		{`"headers":[["a"]]`, "the headers of the frame are not a list of pairs"},
		{`"headers":[["a","b","c"]]`, "the headers of the frame are not a list of pairs"},
		{`"headers":[["a",1]]`, "the headers of the frame are not a list of pairs"},
		{`"name":"refuse"`, "refused"},
	}
	o := echoes(Options{Form: Rows, MaxSize: 20})
	o.Check = func(g *input.Given) error {
		if g.Name == "refuse" {
			return errors.New("refused")
		}
		return nil
	}
	var in strings.Builder
	for _, tt := range tests {
		fmt.Fprintf(&in, "{\"length\":12,%s}\n{\"length\":0}{\"length\":1}\nx", tt.members)
	}
	in.WriteString("{\"length\":21,\"id\":9}\n" + strings.Repeat("x", 21))
	in.WriteString("{\"length\":20}\n" + strings.Repeat("x", 20))
	out, err := answersOf(t, strings.NewReader(in.String()), o)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(out, "\n")
	for i, tt := range tests {
		e := endIn(t, lines[2*i])
		if e.Status != "failed" || !strings.HasPrefix(e.Error, tt.fault) || e.ProblemCount != 1 ||
			len(e.Messages) != 1 || !strings.HasSuffix(e.Messages[0], ": "+e.Error) {
			t.Errorf("%s: got %+v, want the error %s", tt.members, e, tt.fault)
		}
		if e := endIn(t, lines[2*i+1]); e.Status != "done" || e.LinkCount != 1 {
			t.Errorf("after %s: got %+v, want the answer of the next frame", tt.members, e)
		}
	}
	e := endIn(t, lines[2*len(tests)])
	if string(e.ID) != "9" || e.Error != "21 bytes are more than --max-size allows: not read" {
		t.Errorf("a frame above MaxSize: got %+v", e)
	}
	if e := endIn(t, lines[2*len(tests)+1]); e.LinkCount != 20 {
		t.Errorf("a frame of MaxSize: got %+v", e)
	}
}

// end is an end record.
type end struct {
	Record       string
	V            int
	ID           json.RawMessage
	Status       string
	Error        string
	LinkCount    int `json:"link_count"`
	ProblemCount int `json:"problem_count"`
	Messages     []string
	Length       *int
}

// endIn returns the end record in a line, after a NUL.
func endIn(t *testing.T, line string) (e end) {
	t.Helper()
	_, text, ok := strings.Cut(line, "\x00")
	err := json.Unmarshal([]byte(text), &e)
	if !ok || err != nil || e.Record != "end" || e.V != 1 || e.Messages == nil {
		t.Fatalf("no end record in %q: %v", line, err)
	}
	return e
}

// The fields of a header describe the document.
func TestDescription(t *testing.T) {
	var h header
	err := h.parse([]byte(`{"length":3,"url":"http:\/\/e.test/\u00e9","type":"text/css; charset=x","charset":"utf-8",` +
		`"status":404,"name":"a\tb","headers":[["Content-Type","text/html"],["Link","<a>\r\nX: y"],["bad name","v"],["","v"],["E",""]]}`))
	g := h.given
	want := input.Given{Framed: true, URL: "http://e.test/é", Type: "text/css; charset=x",
		Typed: true, Charset: "utf-8", Status: 404, Name: "a\tb",
		Heading: []byte("Content-Type: text/html\r\nLink: <a>  X: y\r\nE: \r\n")}
	if err != nil || h.length != 3 || fmt.Sprintf("%+v", g) != fmt.Sprintf("%+v", want) {
		t.Errorf("got %+v and %v, want %+v", g, err, want)
	}
	kinds := map[string]input.Kind{"html": 1, "eml": input.Message, "message": input.Message, "mbox": input.Mbox,
		"warc": input.WARC, "Message/RFC822; x=y": input.Message, "multipart/related": input.MHTML,
		"application/warc": input.WARC, "application/mbox": input.Mbox, "text/html": input.Other}
	for text, kind := range kinds {
		if err := h.parse([]byte(`{"length":0,"type":"` + text + `"}`)); err != nil || h.fault != "" ||
			!h.given.Typed || h.given.Kind != kind {
			t.Errorf("type %s: got %+v, %q and %v, want the kind %v", text, h.given, h.fault, err, kind)
		}
		if !strings.Contains(text, "/") {
			continue
		}
		headers := `"headers":[["content-type","` + text + `"]]`
		if err := h.parse([]byte(`{"length":0,` + headers + `}`)); err != nil || h.given.Typed || h.given.Kind != kind {
			t.Errorf("Content-Type %s: got %+v and %v, want the kind %v", text, h.given, err, kind)
		}
		if err := h.parse([]byte(`{"length":0,` + headers + `,"type":"text/css"}`)); err != nil || h.given.Kind != 0 {
			t.Errorf("Content-Type %s and a type: got %+v and %v, want no kind", text, h.given, err)
		}
	}
	nulls := `{"length":1,"url":null,"type":null,"charset":null,"status":null,"name":null,"headers":null,"id":null}`
	if err := h.parse([]byte(nulls)); err != nil || h.fault != "" || string(h.id) != "null" ||
		fmt.Sprintf("%+v", h.given) != fmt.Sprintf("%+v", input.Given{Framed: true}) {
		t.Errorf("null values: got %+v, %q and %v, want an empty description", h.given, h.fault, err)
	}
}

// Answers come in the order of frames, whatever the number of jobs, the sizes, and the pieces in
// which frames come.
func TestOrder(t *testing.T) {
	for seed := range effort.Pick(uint64(40), 12) { // 12 combine each form with each reader
		random := rand.New(rand.NewPCG(seed, 1))
		form := Form(seed % 4)
		var in, want bytes.Buffer
		for i := range 60 {
			size := random.IntN(1 << random.IntN(19))
			data := bytes.Repeat([]byte{byte('a' + i%26)}, size)
			fmt.Fprintf(&in, "{\"id\":%d,\"length\":%d}\n%s", i, size, data)
			rest := form.endRecord(nil, fmt.Append(nil, i), &Result{Done: true, Links: size}, -1)
			if form.lengthFirst() {
				want.Write(form.endRecord(nil, fmt.Append(nil, i), &Result{Done: true, Links: size}, size+1))
				rest = nil
			}
			fmt.Fprintf(&want, ":%s%s", data, rest)
		}
		var r io.Reader = &in
		switch seed % 3 {
		case 1:
			r = &pieces{r, random}
		case 2:
			r = iotest.DataErrReader(r)
		}
		out, err := answersOf(t, r, echoes(Options{Jobs: 1 + random.IntN(5), Form: form}))
		if err != nil || out != want.String() {
			t.Fatalf("seed %d: got %d bytes and %v, want %d bytes", seed, len(out), err, want.Len())
		}
	}
}

// Each goroutine keeps memory for the next frame. All of them together keep no more than readAhead.
func TestKept(t *testing.T) {
	for _, tt := range []struct{ jobs, goroutines, kept int }{
		{0, 1, 4 << 20}, {1, 1, 4 << 20}, {2, 4, 4 << 20}, {8, 16, 4 << 20}, {64, 128, 512 << 10},
	} {
		p := newPipe(nil, nil, &Options{Jobs: tt.jobs})
		if p.goroutines != tt.goroutines || p.kept != tt.kept {
			t.Errorf("%d jobs: got %d goroutines that keep %d bytes, want %d and %d", tt.jobs, p.goroutines, p.kept,
				tt.goroutines, tt.kept)
		}
	}
	for _, size := range []int{100, 101} {
		f := &frame{data: make([]byte, size)}
		f.answer.held = make([]byte, size)
		f.answer.record = make([]byte, size)
		f.trim(100)
		for i, b := range [][]byte{f.data, f.answer.held, f.answer.record} {
			if kept := b != nil; kept != (size == 100) {
				t.Errorf("%d bytes of memory %d: got %v, want that at most 100 bytes are kept", size, i, kept)
			}
		}
	}
}

// pieces is a reader that returns pieces of random sizes.
type pieces struct {
	io.Reader
	random *rand.Rand
}

func (p *pieces) Read(b []byte) (int, error) {
	return p.Reader.Read(b[:min(len(b), 1+p.random.IntN(1<<p.random.IntN(17)))])
}

// A client may wait for each answer before it sends the next frame, or before it sends the rest of
// it.
func TestLockstep(t *testing.T) {
	for _, form := range []Form{Lines, Rows, Columns, Document} {
		for _, jobs := range []int{1, 2, 5} {
			in, frames := io.Pipe()
			answers, out := io.Pipe()
			ended := make(chan error, 1)
			go func() { ended <- Run(t.Context(), in, out, echoes(Options{Jobs: jobs, Form: form})) }()
			lines := bufio.NewReader(answers)
			next := "{\"length\":1}\nx"
			io.WriteString(frames, next)
			for range 100 {
				begun := make(chan bool)
				go func() {
					io.WriteString(frames, next[:5]) // the rest comes only after the answer
					close(begun)
				}()
				line, err := lines.ReadString('\n')
				if err != nil {
					t.Fatal(err)
				}
				if form.lengthFirst() {
					io.CopyN(io.Discard, lines, 2)
				}
				if !strings.Contains(line, `"link_count":1`) {
					t.Fatalf("form %d, %d jobs: got %q", form, jobs, line)
				}
				<-begun
				io.WriteString(frames, next[5:])
			}
			go io.Copy(io.Discard, lines)
			frames.Close()
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
		}
	}
}
