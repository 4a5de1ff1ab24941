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

// ReadFilesFrom returns the arguments, followed by the names in the list FilesFrom. The list is
// read from stdin if its name is Stdin. It holds one name a line; if it contains a NUL, each name
// ends with a NUL instead. Reading ends when ctx is done.
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
		return nil, ErrNoInput
	}
	return args, nil
}

// ErrNoInput reports that a list of inputs is empty and that there are no other inputs.
var ErrNoInput = errors.New("names no input")
