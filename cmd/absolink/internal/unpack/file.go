package unpack

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	"absolink/base"
	"absolink/cmd/absolink/internal/input"
	"absolink/mime"
)

const maxSize = 64 << 20 // of a message that is held in memory

// Read is [Plan] for the message in a file, [input.Stdin] for stdin.
func Read(ctx context.Context, name string, stdin io.Reader, outer *base.Layer) (*Page, error) {
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
	if !in.Kind.Mail() {
		return nil, errors.New("is neither an MHTML page nor a message")
	}
	m, err := mime.Parse(in.At, in.Size, mime.Limits{})
	if err != nil {
		return nil, err
	}
	return Plan(m, outer)
}
