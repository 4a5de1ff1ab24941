package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"absolink/base"
	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/document"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/temporary"
	"absolink/extract"
	"absolink/extract/dom"
	"absolink/mime"
	"absolink/mime/httpmsg"
	"absolink/resolve"
)

// runner takes all inputs through one function and tells what became of them.
type runner struct {
	*program
	o       *options
	con     *console.Console
	report  *os.File
	totals  report.Totals
	workers sync.Pool
	sumUp   bool // also without -v
	copies  bool // what is left out of a directory is missing in the output

	link    func(input.File, *report.Entry) // makes the copy of a link, which is made when all is written; nil = there are no copies
	outHint string                          // what to do about a link out of a directory

	sumUpMail bool                    // also without -v, if there were mailboxes
	header    string                  // what standard output begins with
	policy    func(*extract.Resolver) // sets what is rewritten; nil = what is by default

	indexes sync.Map // of web archives that are read in units: *warc.Index by path
	dead    *deadLetters
	one     bool // one document, message, mailbox, Maildir or archive is the input
	peek    bool // inputs are read as far as it takes to tell their kind

	sweep    func(path string)                     // removes what killed runs left beside a file; nil = nothing does
	finished func(*input.File, *report.Entry) bool // settles a file that has its output already; nil = all are read

	whole bool // the work takes mailboxes and web archives as a whole, not item by item

	outputs       []openedOutput
	movedMessages moved // of Maildirs
}

// worker is what one goroutine keeps from input to input.
type worker struct {
	reader   input.Reader
	resolver extract.Resolver
	doc      extract.Doc
	record   input.Document  // the record of a web archive at hand
	response httpmsg.Message // and the response in it
	line     []byte
	memo     record.Memo // of the lines
	bases    base.Memo   // under the policy of the resolver
	o        *options
	scope    *dom.Scope // of the document at hand; nil if it has none
	host     string     // of the document at hand, "" if not known
	outer    *base.Layer
	outerOf  input.File     // what it lies around
	found    string         // the URI of the file that the link at hand probably means
	asked    extract.Link   // the link that criteria look at
	message  record.Message // that the document at hand is of
}

// job is one input: what it is to be done to, and why it can't be.
type job struct {
	file input.File
	err  error
}

// work handles one opened input. It writes results to out and what it learnt
// into e.
type work func(ctx context.Context, w *worker, in *input.Document, out io.Writer, e *report.Entry)

// newRunner checks the flags and makes what the run needs. prints says whether
// results go to standard output: on a terminal a bar would stand among them.
func (p *program) newRunner(o *options, args []string, prints bool) (*runner, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := checkInputs(args, o.urls); err != nil {
		return nil, err
	}
	if prints {
		if err := p.checkStdout(args, o.urls); err != nil {
			return nil, err
		}
	}
	r := &runner{program: p, o: o, outHint: "--follow takes it"}
	if err := checkReport(o.report, append(slices.Clone(args), o.urls, o.units)); err != nil {
		return nil, err
	}
	if err := o.sharing.check(o, args); err != nil {
		return nil, err
	}
	if err := o.checkBaseOfOne(args); err != nil {
		return nil, err
	}
	r.one, o.tally = o.isOne(args), make([]atomic.Int64, len(args))
	r.workers.New = func() any { return r.newWorker() }
	r.con = console.New(p.err, "absolink", o.progress, isTerminal(p.err) && !(prints && isTerminal(p.out)))
	r.doubt("--root", o.mapped.Doubts())
	if len(args) == 0 && o.urls == "" && o.units == "" && isTerminal(p.in) && !o.quiet {
		r.con.Printf("standard input is read, up to Ctrl-D; give a file, a directory or a URL to read that, --help says more")
	}
	return r, nil
}

// doubt tells what values of a flag cannot be meant. The run goes on, and it
// counts as a defect.
func (r *runner) doubt(flag string, texts []string) {
	for _, text := range texts {
		r.totals.Problems++
		r.totals.Defects = true
		if !r.o.quiet {
			r.con.Printf("%s: %s", flag, text)
		}
	}
}

func (r *runner) newWorker() *worker {
	w := &worker{
		o:      r.o,
		reader: input.Reader{Options: input.Options{Kind: r.o.kind, MaxSize: int64(r.o.maxSize), Stdin: r.in, Peek: r.peek}},
		resolver: extract.Resolver{
			Options: r.o.policy.Rules,
			Policy:  r.o.policy,
		},
	}
	if r.policy != nil {
		r.policy(&w.resolver)
	}
	return w
}

// openReport makes the file of --report.
func (r *runner) openReport() error {
	if r.o.report == "" {
		return nil
	}
	f, err := r.openOutput("--report", r.o.report, "the report", 0)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if err := f.Truncate(0); err != nil {
			f.Close()
			return usagef("--report: %v", err)
		}
	}
	r.report = f
	return nil
}

// filesAhead returns how many files are in flight per worker. A page is read in a tenth
// of a millisecond: with a few only, all wait whenever one worker is kept waiting. What
// they write is held in memory, so that where there are many workers each has few.
func filesAhead(workers int) int { return max(32/max(workers, 1), 4) }

// run takes the inputs that args name through f and sets the exit code. It is
// called when all is checked: an earlier report is lost from here on.
func (r *runner) run(ctx context.Context, args []string, out io.Writer, f work) error {
	if err := r.openReport(); err != nil {
		return err
	}
	if err := r.openDeadLetters(); err != nil {
		return err
	}
	defer r.dead.close()
	if _, err := io.WriteString(r.out, r.header); err != nil {
		return err
	}
	switch {
	case r.o.progress == console.Always: // from the first input on
		r.count(ctx, args)
	case r.con.Shown():
		go r.count(ctx, args)
	}
	err := batch.Run(ctx, batch.Options{Jobs: r.o.workers(), Ahead: filesAhead(r.o.workers())}, out, jobs(r.o.inputs(args, r.lines(ctx))), func(j job, w io.Writer) *report.Entry {
		return r.handle(ctx, j, w, f)
	}, r.emit)
	r.con.Close()
	if err := r.finish(err); err != nil {
		return err
	}
	r.sayUnmatched(args)
	switch {
	case r.totals.Usage:
		r.code = exitUsage
	case r.totals.Defects:
		r.code = exitDefects
	}
	return nil
}

// count finds out how much there is to do, for the bar.
func (r *runner) count(ctx context.Context, args []string) {
	files, bytes, known := 0, int64(0), true
	for f, err := range r.o.inputs(args, nil) {
		if ctx.Err() != nil {
			return
		}
		files++
		if f.Size < 0 && err == nil {
			known = false
		}
		bytes += max(f.Size, 0)
	}
	if !known {
		bytes = -1
	}
	r.con.Total(files, bytes)
}

// lines returns standard input as lists are read from it: reading ends with ctx.
func (r *runner) lines(ctx context.Context) io.Reader {
	if r.in == nil {
		return nil
	}
	return input.Interruptible(ctx, r.in)
}

func jobs(files iter.Seq2[input.File, error]) iter.Seq[job] {
	return func(yield func(job) bool) {
		for f, err := range files {
			if !yield(job{f, err}) {
				return
			}
		}
	}
}

// handle does one job. A message of a Maildir that its reader has given other flags, or
// moved from new to cur, since it was named is looked for, and tried again.
func (r *runner) handle(ctx context.Context, j job, out io.Writer, f work) *report.Entry {
	e := r.try(ctx, j, out, f)
	for n := 0; e.Missing && isMessage(&j.file) && ctx.Err() == nil; n++ {
		again, found := r.movedMessages.again(j.file)
		switch {
		case !found:
			e.Reason = "is not there any more: a mail program has removed it, or moved it to another folder, since the run began"
			return e
		case n == movesFollowed:
			e.Reason = "is moved again and again by another program: it stays as it is"
			return e
		}
		j = job{file: again}
		e = r.try(ctx, j, out, f)
	}
	return e
}

// try does one job. A defect of the program that an input brings to light costs that
// input alone.
func (r *runner) try(ctx context.Context, j job, out io.Writer, f work) (e *report.Entry) {
	began := time.Now()
	size := max(j.file.Size, 0)
	e = &report.Entry{Source: j.file.Source, Unit: fileUnit(j.file), Bytes: size, Step: size}
	defer func() {
		if p := recover(); p != nil {
			e.Fail(report.Failed, fmt.Errorf("internal error, please report it with the input: %v", p))
		}
	}()
	switch {
	case j.err != nil:
		e.Fail(report.Failed, meant(&j.file, j.err))
	case j.file.Skip != "":
		r.skip(j.file, e)
	case r.finished != nil && r.finished(&j.file, e):
	default:
		r.open(ctx, j.file, out, f, e)
	}
	e.Cancelled = e.Cancelled || ctx.Err() != nil && e.Outcome == report.Failed
	e.Seconds = time.Since(began).Seconds()
	return e
}

// meant is the error of a file that is not there, with the URL that its name may stand for.
func meant(f *input.File, err error) error {
	name, _, _ := strings.Cut(f.Source, "/")
	if !f.Named || !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(strings.ToLower(name), "www.") {
		return err
	}
	return fmt.Errorf("%w; a URL begins with its scheme: https://%s", err, f.Source)
}

// skip settles an entry of a directory that is no input, and names it where that may not
// be what was meant.
func (r *runner) skip(f input.File, e *report.Entry) {
	e.Outcome, e.Reason = report.Skipped, f.Skip
	switch {
	case f.Target != "" && r.link != nil:
		r.link(f, e)
	case f.Temporary:
		r.passTemporary(f, e)
	case f.Unchosen:
		e.Note("", f.Skip+", which --include or --exclude leaves out: left out too; choose that file, or name the link as an input")
	case f.Out:
		e.Note("", f.Skip+": left out; "+r.outHint)
	case f.Again && f.Named && !r.o.verbose:
		e.Note("", f.Skip)
	case (f.Link || f.Special) && r.copies:
		e.Note("", f.Skip+": it is not in the output")
	}
}

// passTemporary names a file that is left out for its name, which is that of a temporary file
// of this program: but not what this run makes itself, or removes since a killed one left it.
func (r *runner) passTemporary(f input.File, e *report.Entry) {
	if r.sweep != nil {
		r.sweep(f.Path)
	}
	if temporary.Own(filepath.Base(f.Path)) || isGone(f.Path) {
		return
	}
	e.Note("", "is named like a temporary file of absolink, of a run that is under way or was killed: left out; give it another name if it is yours")
}

// open opens a file and hands it to f. A worker whose work has panicked is not
// used again: nobody knows what it holds.
func (r *runner) open(ctx context.Context, file input.File, out io.Writer, f work, e *report.Entry) {
	w := r.workers.Get().(*worker)
	r.with(ctx, w, file, out, f, e)
	r.workers.Put(w)
}

func (r *runner) with(ctx context.Context, w *worker, file input.File, out io.Writer, f work, e *report.Entry) {
	in := r.opened(ctx, w, file, e)
	if in == nil {
		return
	}
	defer in.Close()
	e.Kind, e.Bytes = in.Kind.String(), max(in.StoredSize, 0)
	if in.StoredSize == 0 {
		e.Note("", "is empty")
	}
	if outside(in, e) {
		return
	}
	switch {
	case r.whole:
		f(ctx, w, in, out, e)
	case in.Kind == input.Mbox:
		r.readMailbox(ctx, in, out, f, e)
	case in.Kind == input.WARC:
		r.readArchive(ctx, in, out, f, e)
	default:
		f(ctx, w, in, out, e)
	}
	if in.Coding != coding.None || in.Unplaced {
		e.Unplace()
	}
}

// opened opens a file, or retrieves it; nil where that fails, which is settled in e.
func (r *runner) opened(ctx context.Context, w *worker, file input.File, e *report.Entry) *input.Document {
	if file.URL != "" {
		return r.retrieve(ctx, w, file, e)
	}
	in, err := w.reader.Open(ctx, file)
	if err != nil {
		missed(e, file, err)
		return nil
	}
	return in
}

// missed settles e for a file that cannot be had, which is no failure of a lock that
// went while the tree was walked.
func missed(e *report.Entry, f input.File, err error) {
	if f.Unlocked(err) {
		e.Outcome, e.Reason = report.Skipped, "a lock that was given up"
		return
	}
	e.Fail(report.Failed, err)
}

// documents opens the documents of in, to be taken with each.
func (r *runner) documents(w *worker, in *input.Document) (*document.Set, error) {
	return r.within(retrieved(in, w.outside(in.File)), w, in)
}

// outside returns the layers around a file: for the messages of a mailbox the very
// same ones, so that what follows from them is worked out once.
func (w *worker) outside(f input.File) *base.Layer {
	if w.outer == nil || w.outerOf.Path != f.Path || w.outerOf.URL != f.URL {
		w.outer, w.outerOf = w.o.outer(f), f
	}
	return w.outer
}

// within is documents with layers around in that the caller decides.
func (r *runner) within(outer *base.Layer, w *worker, in *input.Document) (*document.Set, error) {
	return document.Open(in, outer, document.Options{
		Charset: r.charset(in),
		Read:    r.o.read,
		Listing: r.o.listing,
		Limits:  mime.Limits{Depth: r.o.maxDepth, Leaf: int64(r.o.maxSize)},
		HTTP:    r.o.http(),
		Policy:  &r.o.policy,
	}, &w.doc)
}

// charset returns that of the document that in is, as far as it is decided around it.
func (r *runner) charset(in *input.Document) string {
	if r.o.charset == "" && in.Kind.Single() {
		return in.Charset
	}
	return r.o.charset
}

// links resolves the references of d, and counts them and its base in e. Where
// references are listed it leaves out those that are not asked for.
func (w *worker) links(d *document.Document, e *report.Entry) iter.Seq[extract.Link] {
	w.resolver.InMessage = d.InMessage()
	if d.Format != extract.Heading {
		e.Documents++
	}
	w.scope = w.o.scope(d, w.o.context, e)
	if w.o.sameHost {
		w.host = w.hostOf(d)
	}
	only := w.o.listing && w.o.filters()
	return func(yield func(extract.Link) bool) {
		last := ""
		for l := range w.resolver.Links(d.Doc) {
			if only && !w.chooses(&l) {
				continue
			}
			if w.o.files != nil {
				w.found = w.o.look(d, &l, e)
			}
			if l.Status == extract.Invalid {
				noteInvalid(d, &l, e)
			}
			if l.Status == extract.AbsoluteRef && d.Missing(l.Value) {
				l.Warnings = append(slices.Clip(l.Warnings), "missing-part")
				e.NoPart++
			}
			e.Links[l.Status]++
			if l.Base != last {
				last = l.Base
				e.Base(host(last))
			}
			if !yield(l) {
				return
			}
		}
	}
}

// host returns the authority of a base without what a user name and password
// may stand in.
func host(uri string) string {
	a := resolve.Split(uri).Authority
	return a[strings.LastIndexByte(a, '@')+1:]
}

// finish closes the report and sums up. err is how the batch ended.
func (r *runner) finish(err error) error {
	if r.report != nil {
		if cerr := r.report.Close(); cerr != nil && err == nil {
			err = cerr
		}
	}
	if errors.Is(err, context.Canceled) {
		r.con.Printf("interrupted: %s; no file is half written", console.Plural(r.totals.Inputs, "input was done", "inputs were done"))
		return err
	}
	written := r.sumUp || r.sumUpMail && r.totals.Messages > 0
	if r.o.verbose || written && !r.o.quiet {
		r.con.Printf("%s", r.totals.String())
	}
	return err
}

// isTerminal reports whether a stream is a terminal, as far as its mode tells.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&fs.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
