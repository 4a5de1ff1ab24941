package unpack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"absolink/base"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/mbox"
)

// maxSize is the size in bytes of the largest message that is read.
const maxSize = 64 << 20

// Options say how a message becomes files.
type Options struct {
	Outer   *base.Layer // layers around the message, or nil
	Message int         // number of the message in a mailbox, from 1; 0 if the file is one message
	Single  bool        // the page is one file, in which the parts are data: URLs
}

// Read reads a message from the file name, and returns the result of [Plan] for it. If name is
// [input.Stdin], it reads stdin. The error is a *[flag.Error] if Options.Message is not for this
// kind of file.
func Read(ctx context.Context, name string, stdin io.Reader, o Options) (*Page, error) {
	file := input.File{Source: name, Path: name, Rel: filepath.Base(name), Named: true}
	if name == input.Stdin {
		file.Path = ""
	}
	r := &input.Reader{Options: input.Options{Stdin: stdin, MaxSize: maxSize}}
	in, err := r.Open(ctx, file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	switch {
	case in.Kind == input.Mbox && o.Message == 0:
		return nil, flag.Errorf("%s is a mailbox: add --message N with the number of one of its messages", name)
	case in.Kind == input.Mbox:
		return readMailbox(ctx, in, o)
	case !in.Kind.Mail():
		return nil, errors.New("is neither an MHTML page nor a message")
	case o.Message > 0:
		return nil, flag.Errorf("--message is for mailboxes, and %s is one message: leave it out", name)
	}
	m, err := mime.Parse(in.At, in.Size, mime.Limits{})
	if err != nil {
		return nil, err
	}
	return Plan(m, o)
}

// readMailbox does the work of Read for a message of the mailbox in.
func readMailbox(ctx context.Context, in *input.Document, o Options) (*Page, error) {
	content, err := in.Stream(ctx)
	if err != nil {
		return nil, err
	}
	defer content.Close()
	last := 0
	for m, err := range mbox.NewReader(content, mbox.Options{}).All() {
		if err != nil {
			return nil, err
		}
		last = m.Number
		if m.Number == o.Message {
			defer m.Release()
			return planItem(m, o)
		}
		m.Release()
	}
	return nil, fmt.Errorf("has no message %d: the last one is message %d", o.Message, last)
}

// planItem does the work of Plan for the message m of a mailbox.
func planItem(m *mbox.Message, o Options) (*Page, error) {
	if m.Content.Len() > maxSize {
		return nil, fmt.Errorf("its message %d is too large: %d bytes, at most %d are read", m.Number, m.Content.Len(),
			maxSize)
	}
	content := make([]byte, m.Content.Len())
	if _, err := io.ReadFull(io.NewSectionReader(m, m.Content.Start, m.Content.Len()), content); err != nil {
		return nil, err
	}
	var text extract.Text
	m.AppendUnquoted(&text, content)
	parsed, err := mime.Parse(bytes.NewReader(text.Data), int64(len(text.Data)), mime.Limits{})
	if err != nil {
		return nil, err
	}
	return Plan(parsed, o)
}
