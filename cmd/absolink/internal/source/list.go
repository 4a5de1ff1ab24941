package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/lines"
)

// ReadFilesFrom returns args, followed by the names in the list FilesFrom. It reads the list from
// stdin if FilesFrom is [input.Stdin]. The list has one name a line, encoded as [lines.UTF8] says.
// If it contains a NUL and is not UTF-16, a NUL ends each name instead, and names keep all of their
// bytes. Reading ends when ctx is done. The error is [ErrNoInput] if there are no names at all.
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
	names, isLines := decodeLines(text)
	end := "\x00"
	if isLines {
		end = "\n"
	}
	for name := range bytes.SplitSeq(names, []byte(end)) {
		if isLines {
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

// decodeLines returns a list of lines as [lines.UTF8] does. If list is no such list, because a NUL
// ends each of its names, isLines is false, and text is list. The first bytes of a name may look
// like a byte order mark.
func decodeLines(list []byte) (text []byte, isLines bool) {
	text, err := io.ReadAll(lines.UTF8(bytes.NewReader(list)))
	utf16 := bytes.HasPrefix(list, []byte("\xFF\xFE")) || bytes.HasPrefix(list, []byte("\xFE\xFF"))
	damaged := utf16 && (len(list)%2 != 0 || bytes.ContainsRune(text, utf8.RuneError))
	if err != nil || damaged || bytes.IndexByte(text, 0) >= 0 {
		return list, false
	}
	return text, true
}

// ErrNoInput is the error if a list of inputs is empty and there are no other inputs.
var ErrNoInput = errors.New("names no input")
