// Package console is everything that a user sees besides results: lines on
// standard error, and a bar below them while the work takes long.
//
// The rules: a line about a place in a document begins with FILE:LINE:COLUMN, where these
// are known; any other with the program's name, then the file, then the place in it, then what is
// the matter in lower case without a full stop, then what to do about it where there is something.
// Control characters of file names and of documents never reach the terminal. The bar is only drawn
// where it is asked for or standard error is a terminal that shows nothing else; it appears after
// half a second, and is gone before the program ends.
package console

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"absolink/cmd/absolink/internal/hidden"
	"absolink/cmd/absolink/internal/secret"
)

// Mode says when the bar is drawn. It is a pflag.Value.
type Mode uint8

// The modes.
const (
	Auto Mode = iota // where standard error is a terminal
	Always
	Never
)

var modeNames = [...]string{Auto: "auto", Always: "always", Never: "never"}

func (m Mode) String() string { return modeNames[m] }

// Console writes lines and the bar. It is safe for concurrent use.
type Console struct {
	mu    sync.Mutex
	w     io.Writer
	name  string
	delay time.Duration // before the bar appears
	show  bool
	began time.Time
	bar   *progressbar.ProgressBar // nil until the total is known

	files, totalFiles int
	items             int // of containers
	bytes, totalBytes int64
	problems          int

	drawn time.Time // when the bar was last brought up to date
	shown int64     // the bytes that it showed then
}

// New returns a console on w for the program called name, with a bar according
// to m; terminal says whether w is one and shows nothing else meanwhile.
func New(w io.Writer, name string, m Mode, terminal bool) *Console {
	c := &Console{w: w, name: name, began: time.Now()}
	if m == Auto {
		c.delay = time.Second / 2
	}
	c.show = m == Always || m == Auto && terminal
	return c
}

// Shown reports whether a bar is drawn at all, for which Total must be called.
func (c *Console) Shown() bool { return c.show }

// Printf writes one line.
func (c *Console) Printf(format string, a ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	fmt.Fprintf(c.w, "%s: %s\n", c.name, shown(fmt.Sprintf(format, a...)))
}

// Place writes one line about a place in a file, as editors read them.
func (c *Console) Place(file string, line, column int64, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	fmt.Fprintf(c.w, "%s:%d:%d: %s\n", shown(file), line, column, shown(text))
}

// Total says how much there is to do, once that is known, bytes -1 if it isn't:
// then there is no time left to tell. The bar waits for it.
func (c *Console) Total(files int, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.show {
		return
	}
	c.totalFiles, c.totalBytes = files, bytes
	if bytes >= 0 {
		c.totalBytes = max(bytes, c.bytes, 1)
	}
	c.bar = progressbar.NewOptions64(c.totalBytes,
		progressbar.OptionSetWriter(c.w), progressbar.OptionShowBytes(true), progressbar.OptionShowTotalBytes(true),
		progressbar.OptionShowCount(), progressbar.OptionUseIECUnits(true), progressbar.OptionSetElapsedTime(true),
		progressbar.OptionSetPredictTime(true), progressbar.OptionSetWidth(20), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetSpinnerChangeInterval(0)) // it would write on its own
	c.bar.StartWithoutRender()
}

// Done says that one more file is finished, or one more item of a container, and
// how many bytes that adds to what is done.
func (c *Console) Done(item bool, bytes int64, problems int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if item {
		c.items++
	} else {
		c.files++
	}
	c.bytes += bytes
	c.problems += problems
	if c.bar != nil && time.Since(c.began) >= c.delay && time.Since(c.drawn) >= time.Second/10 {
		c.draw()
	}
}

// draw brings the bar up to date.
func (c *Console) draw() {
	if c.totalBytes >= 0 && c.bytes > c.totalBytes { // files have grown since they were counted
		c.totalBytes = c.bytes
		c.bar.ChangeMax64(c.totalBytes)
	}
	c.bar.Add64(c.bytes - c.shown)
	c.bar.Describe(c.description())
	c.drawn = time.Now()
	c.shown = c.bytes
}

// clear takes the bar off the line that it stands on.
func (c *Console) clear() {
	if c.bar != nil && !c.drawn.IsZero() {
		c.bar.Clear()
	}
}

func (c *Console) description() string {
	items := ""
	if c.items > 0 {
		items = fmt.Sprintf("%d items, ", c.items)
	}
	return fmt.Sprintf("%d/%d files, %s%d problems", c.files, c.totalFiles, items, c.problems)
}

// Close takes the bar away for good.
func (c *Console) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	c.show, c.bar = false, nil
}

// shown returns s as a line has it.
func shown(s string) string { return Printable(secret.Text(s)) }

// Printable returns s with its control characters, line ends and marks of direction
// among them, and its bytes that are no UTF-8 as escapes of Go.
func Printable(s string) string { return printable(s, "") }

// PrintableLines is Printable for a text of several lines: line feeds and tabs stay.
func PrintableLines(s string) string { return printable(s, "\n\t") }

func printable(s, kept string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case !hidden.Rune(r) || strings.ContainsRune(kept, r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Plural writes n with the words that fit it.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	is := false
	if c, err := f.SyscallConn(); err == nil {
		c.Control(func(fd uintptr) { is = isTerminal(fd) })
	}
	return is
}

// Colors reports whether a stream is a terminal that shows more than letters, and NO_COLOR does
// not forbid it.
func Colors(stream any) bool {
	return IsTerminal(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
