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
	"absolink/cmd/absolink/internal/lines"
	"absolink/cmd/absolink/internal/secret"
	"absolink/resolve"
)

// IsURL reports whether an argument is a URL to retrieve.
func IsURL(arg string) bool {
	scheme := strings.ToLower(resolve.Split(arg).Scheme)
	return (scheme == "http" || scheme == "https") && strings.Contains(arg, "//")
}

// urlFile returns the input for a URL.
func urlFile(url string, listed bool) input.File {
	rel := ""
	if b, err := resolve.NewBase(url, resolve.Options{}); err == nil {
		rel = input.PathOfURL(b.String())
	}
	return input.File{Source: secret.URL(url), URL: url, Rel: rel, Named: true, Listed: listed, Bytes: -1}
}

// listedURLs yields the URLs of the list. It skips blank lines and lines that begin with #. A line
// that is not a URL comes with an error, and a File that stands for the line.
func (s *Set) listedURLs(ctx context.Context, stdin io.Reader) iter.Seq2[input.File, error] {
	return func(yield func(input.File, error) bool) {
		in, list, err := openList(ctx, s.URLs, stdin)
		if err != nil {
			yield(list, err)
			return
		}
		defer in.Close()
		scanner := bufio.NewScanner(lines.UTF8(in))
		scanner.Buffer(nil, 1<<20)
		for n := 1; scanner.Scan(); n++ {
			url := strings.TrimSpace(scanner.Text())
			if url == "" || url[0] == '#' {
				continue
			}
			f := urlFile(url, true)
			err := checkURLLine(url)
			if err != nil {
				f = list
				f.Source = fmt.Sprintf("%s:%d", list.Source, n)
			}
			if !yield(f, err) {
				return
			}
		}
		if err := scanner.Err(); err != nil {
			yield(list, input.Pathless(err))
		}
	}
}

// canReadList reports whether a list may be read. If stdin is nil, inputs are only counted. Then a
// list that can be read only once must stay unread: standard input, a named pipe, or <(…) of a
// shell.
func canReadList(name string, stdin io.Reader) bool {
	if stdin != nil || name == input.Stdin {
		return stdin != nil
	}
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// openList opens a list of inputs. It returns the decompressed content, and a File that stands for
// the list. It reads stdin if name is [input.Stdin]. Reading ends when ctx is done.
func openList(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, input.File, error) {
	list := input.File{Source: name, Named: true, Listed: true, Bytes: -1}
	if name == input.Stdin {
		return io.NopCloser(input.Interruptible(ctx, stdin)), list, nil
	}
	f, err := input.OpenNamed(ctx, name)
	if err != nil {
		list.Source = secret.URL(name) // the name may be a URL
		return nil, list, input.Pathless(err)
	}
	in := bufio.NewReader(input.Interruptible(ctx, f))
	head, _ := in.Peek(4)
	plain, err := coding.Detect(head, "").Reader(in)
	if err != nil {
		f.Close()
		return nil, list, err
	}
	return &decodedList{plain, f}, list, nil
}

// decodedList is the decompressed content of a list in a file.
type decodedList struct {
	io.ReadCloser // the decoder
	file          *os.File
}

// Close closes the decoder and the file.
func (o *decodedList) Close() error { return errors.Join(o.ReadCloser.Close(), o.file.Close()) }

// checkURLLine refuses a line of a list that is not a URL of http or https.
func checkURLLine(line string) error {
	shown := secret.URL(line)
	shown = shown[:min(len(shown), 200)]
	b, err := resolve.NewBase(line, resolve.Options{})
	switch {
	case err != nil:
		return fmt.Errorf("%q is not a URL; each line needs one, such as http://example.com/", shown)
	case !strings.HasPrefix(b.String(), "http:") && !strings.HasPrefix(b.String(), "https:"):
		return fmt.Errorf("%q is neither http nor https", shown)
	}
	return nil
}
