package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
)

// Join returns the arguments with those that the list of FilesFrom names behind them. stdin
// is read for Stdin. The list holds one a line, or with a NUL behind each if there is a NUL
// in it. Reading ends with ctx.
func (s *Set) Join(ctx context.Context, args []string, stdin io.Reader) ([]string, error) {
	if s.FilesFrom == "" {
		return args, nil
	}
	if s.Units != "" {
		return nil, flag.Errorf("--units names all inputs: leave --files-from out")
	}
	in, _, err := open(ctx, s.FilesFrom, stdin)
	if err != nil {
		return nil, fmt.Errorf("--files-from %s: %w", s.FilesFrom, err)
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("--files-from %s: %w", s.FilesFrom, input.Pathless(err))
	}
	args = args[:len(args):len(args)]
	end, lines := byte(0), bytes.IndexByte(text, 0) < 0
	if lines {
		end = '\n'
	}
	for name := range bytes.SplitSeq(text, []byte{end}) {
		if lines {
			name = bytes.TrimSuffix(name, []byte{'\r'})
		}
		if len(name) > 0 {
			args = append(args, string(name))
		}
	}
	if len(args) == 0 {
		return nil, ErrNone
	}
	return args, nil
}

// ErrNone says that a list of inputs is empty, and that there are no others.
var ErrNone = errors.New("names no input")
