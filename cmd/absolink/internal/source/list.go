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

// ReadFilesFrom returns args, followed by the names in the list FilesFrom. It reads the list from
// stdin if FilesFrom is [input.Stdin]. The list has one name a line. If it contains a NUL, a NUL
// ends each name instead. Reading ends when ctx is done. The error is [ErrNoInput] if there are no
// names at all.
func (s *Set) ReadFilesFrom(ctx context.Context, args []string, stdin io.Reader) ([]string, error) {
	if s.FilesFrom == "" {
		return args, nil
	}
	if s.Units != "" {
		return nil, flag.Errorf("--units names all inputs: leave --files-from out")
	}
	in, _, err := openList(ctx, s.FilesFrom, stdin)
	if err != nil {
		return nil, fmt.Errorf("--files-from %s: %w", s.FilesFrom, err)
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("--files-from %s: %w", s.FilesFrom, input.Pathless(err))
	}
	args = args[:len(args):len(args)]
	end := byte(0)
	lines := bytes.IndexByte(text, 0) < 0
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
		return nil, ErrNoInput
	}
	return args, nil
}

// ErrNoInput is the error if a list of inputs is empty and there are no other inputs.
var ErrNoInput = errors.New("names no input")
