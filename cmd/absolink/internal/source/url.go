package source

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/secret"
	"absolink/resolve"
)

// IsURL reports whether an argument is to be retrieved.
func IsURL(arg string) bool {
	scheme := strings.ToLower(resolve.Split(arg).Scheme)
	return (scheme == "http" || scheme == "https") && strings.Contains(arg, "//")
}

// urlFile is the input that a URL is.
func urlFile(url string, listed bool) input.File {
	rel := ""
	if b, err := resolve.NewBase(url, resolve.Options{}); err == nil {
		rel = input.RelOf(b.String())
	}
	return input.File{Source: secret.URL(url), URL: url, Rel: rel, Named: true, Listed: listed, Bytes: -1}
}

// listed yields the URLs of the list, and lines that are none with the error that says so.
// Blank lines and those that begin with # are passed over.
func (s *Set) listed(ctx context.Context, stdin io.Reader) iter.Seq2[input.File, error] {
	return func(yield func(input.File, error) bool) {
		in, list, err := open(ctx, s.URLs, stdin)
		if err != nil {
			yield(list, err)
			return
		}
		defer in.Close()
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, 1<<20)
		for n := 1; lines.Scan(); n++ {
			url := strings.TrimSpace(lines.Text())
			if n == 1 {
				url = strings.TrimPrefix(url, "\ufeff")
			}
			if url == "" || url[0] == '#' {
				continue
			}
			f, err := urlFile(url, true), checkListed(url)
			if err != nil {
				f = list
				f.Source = fmt.Sprintf("%s:%d", list.Source, n)
			}
			if !yield(f, err) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(list, input.Pathless(err))
		}
	}
}

// counts reports whether a list is to be read where inputs are only counted, since stdin is nil:
// not what can be read once, standard input, a named pipe, or the <(…) of a shell.
func counts(name string, stdin io.Reader) bool {
	if stdin != nil || name == input.Stdin {
		return stdin != nil
	}
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// open opens a list of inputs, and returns what stands for the list itself. stdin is read for
// Stdin; a file may be compressed. Reading ends with ctx.
func open(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, input.File, error) {
	list := input.File{Source: name, Named: true, Listed: true, Bytes: -1}
	if name == input.Stdin {
		return io.NopCloser(input.Interruptible(ctx, stdin)), list, nil
	}
	f, err := input.OpenNamed(ctx, name)
	if err != nil {
		list.Source = secret.URL(name) // somebody may have given a URL
		return nil, list, input.Pathless(err)
	}
	in := bufio.NewReader(input.Interruptible(ctx, f))
	head, _ := in.Peek(4)
	plain, err := coding.Detect(head, "").Reader(in)
	if err != nil {
		f.Close()
		return nil, list, err
	}
	return &opened{plain, f}, list, nil
}

// opened is a list in a file, its coding undone.
type opened struct {
	io.ReadCloser
	file *os.File
}

func (o *opened) Close() error { return errors.Join(o.ReadCloser.Close(), o.file.Close()) }

// checkListed says why a line of a list is not to be retrieved.
func checkListed(line string) error {
	shown := secret.URL(line)
	shown = shown[:min(len(shown), 200)]
	b, err := resolve.NewBase(line, resolve.Options{})
	switch {
	case err != nil:
		return fmt.Errorf("%q is no URL; each line needs one, such as http://example.com/", shown)
	case !strings.HasPrefix(b.String(), "http:") && !strings.HasPrefix(b.String(), "https:"):
		return fmt.Errorf("%q is neither http nor https", shown)
	}
	return nil
}
