// Package console writes everything that a user sees besides results: lines on standard error, and
// a progress bar below them during long work.
//
// The rules: a line about a place in a document begins with FILE:LINE:COLUMN, if these are known.
// Any other line begins with the program's name, then the file and the place in it. Then comes the
// problem, in lower case without a full stop, and a remedy if there is one. Control characters of
// file names and documents never reach the terminal. The bar is drawn only if it is asked for, or
// if standard error is a terminal that shows nothing else. It appears after half a second, and is
// removed before the program ends.
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
	Auto Mode = iota // draw the bar if standard error is a terminal
	Always
	Never
)

var modeNames = [...]string{Auto: "auto", Always: "always", Never: "never"}

func (m Mode) String() string { return modeNames[m] }

// Console writes lines and the bar. It is safe for concurrent use.
type Console struct {
	mu       sync.Mutex
	w        io.Writer
	name     string
	delay    time.Duration // before the bar appears
	showsBar bool
	began    time.Time
	bar      *progressbar.ProgressBar // nil until the total is known

	files, totalFiles int
	items             int // of containers
	bytes, totalBytes int64
	problems          int

	drawn      time.Time // time of the last update of the bar
	drawnBytes int64     // bytes at that time
}

// New returns a console on w for the program called name, with a bar according to m. terminal says
// that w is a terminal that shows nothing else.
func New(w io.Writer, name string, m Mode, terminal bool) *Console {
	c := &Console{w: w, name: name, began: time.Now()}
	if m == Auto {
		c.delay = time.Second / 2
	}
	c.showsBar = m == Always || m == Auto && terminal
	return c
}

// ShowsBar reports whether a bar is drawn. Total must then be called.
func (c *Console) ShowsBar() bool { return c.showsBar }

// Printf writes one line.
func (c *Console) Printf(format string, a ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clearBar()
	fmt.Fprintf(c.w, "%s: %s\n", c.name, clean(fmt.Sprintf(format, a...)))
}

// PrintAt writes one line about a place in a file, as editors read them.
func (c *Console) PrintAt(file string, line, column int64, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clearBar()
	fmt.Fprintf(c.w, "%s:%d:%d: %s\n", clean(file), line, column, clean(text))
}

// SetTotal sets the amount of work once it is known. bytes is -1 if it is unknown; the bar then
// shows no remaining time. The bar waits for this call.
func (c *Console) SetTotal(files int, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.showsBar {
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
		progressbar.OptionSetSpinnerChangeInterval(0)) // the spinner would write on its own
	c.bar.StartWithoutRender()
}

// AddDone counts one more finished file, or one more item of a container, with its bytes and
// problems.
func (c *Console) AddDone(item bool, bytes int64, problems int) {
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
		c.updateBar()
	}
}

// updateBar updates the bar.
func (c *Console) updateBar() {
	if c.totalBytes >= 0 && c.bytes > c.totalBytes { // files have grown since they were counted
		c.totalBytes = c.bytes
		c.bar.ChangeMax64(c.totalBytes)
	}
	c.bar.Add64(c.bytes - c.drawnBytes)
	c.bar.Describe(c.description())
	c.drawn = time.Now()
	c.drawnBytes = c.bytes
}

// clearBar removes the bar from its line.
func (c *Console) clearBar() {
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

// RemoveBar removes the bar for good.
func (c *Console) RemoveBar() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clearBar()
	c.showsBar, c.bar = false, nil
}

// clean returns s as it is printed, without passwords and control characters.
func clean(s string) string { return Printable(secret.Text(s)) }

// Printable returns s with escapes of Go for its control characters, line ends, marks of direction
// and invalid bytes.
func Printable(s string) string { return printable(s, "") }

// PrintableLines does the same for a text of several lines: line feeds and tabs stay.
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

// Plural returns n with the word that fits it.
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

// Colors reports whether a stream is a terminal that supports colours, and NO_COLOR does not forbid
// them.
func Colors(stream any) bool {
	return IsTerminal(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
