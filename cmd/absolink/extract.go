package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/document"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
	"absolink/mime"
)

// flush is the size from which lines are handed on to the output.
const flush = 32 << 10

// extraction is the command extract.
type extraction struct {
	options
	format record.Format
	unique bool
	strict bool
	r      *runner
}

func (p *program) extractCommand() *cobra.Command {
	x := &extraction{options: options{listing: true}}
	c := &cobra.Command{
		Use:     "extract [INPUT...]",
		Short:   "List the references of documents, absolute",
		Long:    extractHelp,
		Example: "  absolink extract page.html\n  absolink extract --format jsonl --root mirror=http://example.com/ mirror\n  absolink extract < message.eml",
		RunE: func(c *cobra.Command, args []string) error {
			return p.extract(c.Context(), x, args)
		},
	}
	x.register(c)
	x.reading.register(c)
	takeIdly(c, new(rewriting).registerShared)
	x.sharing.register(c)
	flag.Enum(c, &x.format, "format", "`F` of the answer: text (absolute URIs alone), jsonl, csv or tsv (whole records)", record.Formats...)
	c.Flags().BoolVar(&x.unique, "unique", false, "drop repeats of a URI")
	c.Flags().BoolVar(&x.strict, "strict", false, "exit with 3 if a reference is unresolved or invalid")
	c.Flags().BoolVar(&x.context, "context", false, "records also have the text of the link, its alt or title (HTML only), and subject and sender of messages")
	return c
}

const inputHelp = `
An INPUT is a file, a directory (with all below it), an http or https URL, or -
for standard input, which is also read if there is none. Documents, messages,
mailboxes (mbox), web archives (WARC) and HTTP responses with their headings are
told by their content, then by their name, also under gzip, zstd and brotli (.br);
what neither tells is HTML if a tag stands in its first 1,024 bytes;
in a directory other files are left out, and listed with -v. A symbolic link there
is not followed, but with --follow where it leads to a file outside of the
directory; a link that is an INPUT is. A directory with cur/ and new/ is a
Maildir, of which nothing else is read. Of a web archive the response, resource and
conversion records are read, each with its WARC-Target-URI as the URI that it was
retrieved from.`

const reportHelp = `
--report writes one JSON object per input, and one per message of a mailbox and
per record of a web archive that is read: source, item (number of the message or
record), message_id, uri or record_id (of a record), kind (as for --type, or
other), bytes, messages (of a mailbox), records (of a web archive), outcome
(listed, rewritten, unchanged, copied, skipped, refused, failed), reason,
documents, references (by status), edits, signed (parts left untouched), broken
(signed parts edited), dkim (true where edits break a signature over the message),
problems (part, offset, line, column, text), base_hosts, seconds.`

const exitHelp = `
Exit status: 0 done; 1 something was damaged, unreadable or refused, all else is
done; 2 the command line cannot be carried out; `

const extractHelp = `Print one absolute URI per line, in the order of the documents.
` + inputHelp + `

Records of --format jsonl, csv and tsv have the keys source, item (number of the
message in an mbox, of the record in a WARC), part, message_id, date, type, offset, end,
line, column, element, attribute, kind, rel, raw, value, uri, status, base, base_layer,
base_source, base_part, error (why it is invalid or unresolved), warnings; with --context
also subject and from of the message, and text; with --check-files also found, the URI of the file that is probably meant. "absolink help constructs" says
where references are found. Cells of csv hold what documents say, as RFC 4180 quotes it:
one may begin with "=", which a spreadsheet takes for a formula. --absolutize-fragments and --maildir-size are taken as
well, so that what is to be rewritten can be listed with the same flags.
` + unitsHelp + reportHelp + `
` + exitHelp + `3 --strict found an unresolved
or invalid reference; 130 interrupted.`

func (p *program) extract(ctx context.Context, x *extraction, args []string) error {
	if err := x.checkFormat(&x.format); err != nil {
		return err
	}
	if x.context && x.format == record.Text {
		return usagef("--context goes with --format jsonl, csv or tsv")
	}
	if x.format == record.Text {
		if err := x.checkStatus("to print: add --format jsonl"); err != nil {
			return err
		}
	}
	r, err := p.newRunner(&x.options, args, true)
	if err != nil {
		return err
	}
	x.r, r.header = r, x.format.Header(x.context, x.checkFiles)
	out := p.out
	if x.unique {
		out = &record.Unique{W: p.out}
	}
	if err := r.run(ctx, args, out, x.list); err != nil {
		return err
	}
	if n := r.totals.Links[extract.Unresolved] + r.totals.Links[extract.Invalid]; x.strict && n > 0 && p.code == exitDone {
		p.code = exitStrict
	}
	return nil
}

// list prints the references of one input.
func (x *extraction) list(ctx context.Context, w *worker, in *input.Document, out io.Writer, e *report.Entry) {
	set := x.r.listed(w, in, e)
	if set == nil {
		return
	}
	if x.format != record.Text {
		w.message = messageOf(set.Message, x.context)
	}
	for d := range set.All() {
		if ctx.Err() != nil {
			e.Fail(report.Failed, ctx.Err())
			return
		}
		x.listDocument(w, in, d, out, e)
	}
	e.Add(set.Problems()...)
	leftInvalid(e)
	if !in.Inner {
		x.r.left(e, &e.Links, e.NoPart)
	}
}

// listed opens the documents of an input that is only read; nil if there is
// nothing to read, which is settled in e.
func (r *runner) listed(w *worker, in *input.Document, e *report.Entry) *document.Set {
	if unread(in, e) {
		return nil
	}
	set, err := r.documents(w, in)
	if err != nil {
		e.Fail(report.Failed, err)
		return nil
	}
	e.Outcome = report.Listed
	r.identify(e, set)
	return set
}

// identify notes in e which message it is about, for a report with all that people tell it
// by.
func (r *runner) identify(e *report.Entry, set *document.Set) {
	if r.report == nil {
		e.Message.ID = set.MessageID()
	} else {
		e.Message = messageOf(set.Message, true)
	}
}

// unread settles an input that no references are looked for in.
func unread(in *input.Document, e *report.Entry) bool {
	e.Outcome = report.Skipped
	switch {
	case in.TooLarge:
		e.Reason = "larger than --max-size"
		e.Add(document.Problem{Offset: -1, Text: tooLarge(in)})
	case in.Kind != input.Other:
		return false
	default:
		e.Reason = in.Why
		e.Template = !in.Named && input.IsTemplate(in.Coding.Name(in.Rel))
		if in.Damaged || in.Named && in.StoredSize != 0 {
			e.Add(document.Problem{Offset: -1, Text: in.Why})
		}
	}
	return true
}

// tooLarge says how large an input is that is not read for that.
func tooLarge(in *input.Document) string {
	if in.Coding != coding.None {
		return fmt.Sprintf("expands to %d bytes or more, and --max-size allows fewer: not read", in.Size)
	}
	return fmt.Sprintf("%d bytes are more than --max-size allows: not read", in.Size)
}

func (x *extraction) listDocument(w *worker, in *input.Document, d *document.Document, out io.Writer, e *report.Entry) {
	buf := w.line[:0]
	for l := range w.links(d, e) {
		buf = x.append(buf, w, in, d, &l)
		if len(buf) >= flush {
			out.Write(buf)
			buf = buf[:0]
		}
	}
	out.Write(buf)
	w.line = buf
}

// append appends the line of one link, in a frame where repeats are dropped.
func (x *extraction) append(dst []byte, w *worker, in *input.Document, d *document.Document, l *extract.Link) []byte {
	if x.format == record.Text && !x.unique {
		return record.AppendText(dst, l.Status.String(), l.URI)
	}
	rec := record.Record{Status: l.Status.String(), URI: l.URI, Memo: &w.memo}
	if x.format != record.Text {
		fill(&rec, in, d, l)
		rec.Message = w.message
		if rec.Context = x.context; w.scope != nil && x.context {
			rec.Text = w.scope.Text(l.Ref)
		}
		rec.Checked, rec.Found = x.checkFiles, w.found
	}
	if !x.unique {
		return x.format.Append(dst, &rec)
	}
	line := x.format.Append(nil, &rec)
	if len(line) == 0 {
		return dst
	}
	key := l.URI
	if len(key) == 0 {
		key = append([]byte(rec.Status+" "), l.Value...)
	}
	return record.Frame(dst, key, line)
}

// fill sets what a whole record has besides status and URI. In a coding nothing has
// a place in the source.
func fill(rec *record.Record, in *input.Document, d *document.Document, l *extract.Link) {
	rec.Source, rec.Item, rec.Part, rec.Type = in.Source, in.Item, d.Section(), d.Type
	if d.Placed() {
		at := d.Source(l.Span)
		rec.Placed, rec.Offset, rec.End = true, at.Start, at.End
		rec.Line, rec.Column = d.Position(at.Start)
	}
	rec.Element, rec.Attribute, rec.Kind, rec.Rel = l.Element, l.Attr, l.Kind.String(), strings.Fields(l.Rel)
	rec.Raw, rec.Value = known(d.Data[l.Start:l.End]), known(l.Value)
	rec.Base, rec.Layer, rec.Warnings = l.Base, "none", warnings(l, rec.Raw)
	if l.Err != nil {
		rec.Error = why(l.Err)
	}
	if l.From != nil {
		rec.Layer, rec.BaseFrom, rec.BasePart = l.From.Source.Layer(), l.From.Source.String(), l.From.Part
	}
}

// messageOf returns what people tell m by; without subject and sender, if they are not
// asked for, and nothing if m is nil.
func messageOf(m *mime.Message, whole bool) record.Message {
	var v mime.Envelope
	switch {
	case m == nil:
	case whole:
		v = m.Root.Envelope()
	default:
		v = m.Root.Identity()
	}
	r := record.Message{ID: v.MessageID, Subject: v.Subject, From: v.From}
	if !v.Date.IsZero() {
		r.Date = v.Date.Format(time.RFC3339)
	}
	return r
}

// invalidUTF8 is the warning of what cannot be shown as it is.
const invalidUTF8 = "invalid-utf8"

// warnings returns those of a link, with one for what is written there if a record
// cannot show it: bytes of another charset.
func warnings(l *extract.Link, raw []byte) []string {
	if utf8.Valid(raw) || slices.Contains(l.Warnings, invalidUTF8) {
		return l.Warnings
	}
	return append([]string{invalidUTF8}, l.Warnings...)
}

// known tells an empty value from one that isn't known.
func known(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
