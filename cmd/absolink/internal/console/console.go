// Package console writes everything that a user sees besides results: lines on standard error, and
// a progress bar below them during long work.
//
// A line about a position in a document begins with FILE:LINE:COLUMN, if these are known. Any other
// line begins with the name of the program, followed by the file and the position in it. Then comes
// the problem, in lower case without a full stop, and a remedy if there is one. Control characters
// of file names and documents never reach the terminal.
//
// The bar is drawn if the user asks for it, or if standard error is a terminal that shows nothing
// else. In the second case it appears after half a second. It is removed before the program ends.
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

// Mode says when the bar is drawn.
type Mode uint8

// The modes.
const (
	Auto Mode = iota // if standard error is a terminal that shows nothing else
	Always
	Never
)

var modeNames = [...]string{Auto: "auto", Always: "always", Never: "never"}

// String returns auto, always or never.
func (m Mode) String() string { return modeNames[m] }

// Console writes lines and the bar. It is safe for concurrent use.
type Console struct {
	mu       sync.Mutex
	w        io.Writer
	name     string
	delay    time.Duration // from began until the bar appears
	showsBar bool
	began    time.Time
	bar      *progressbar.ProgressBar // nil until SetTotal, and after RemoveBar

	// The work that is done, and the amount of all work.
	files, totalFiles int
	items             int // of containers
	bytes, totalBytes int64
	problems          int

	drawn      time.Time // time of the last update of the bar
	drawnBytes int64     // bytes at that time
}

// New returns a console that writes to w. Lines begin with name. m says when the bar is drawn.
// terminal says that w is a terminal that shows nothing else.
func New(w io.Writer, name string, m Mode, terminal bool) *Console {
	c := &Console{w: w, name: name, began: time.Now()}
	if m == Auto {
		c.delay = time.Second / 2
	}
	c.showsBar = m == Always || m == Auto && terminal
	return c
}

// ShowsBar reports whether a bar is drawn. Then SetTotal must be called.
func (c *Console) ShowsBar() bool { return c.showsBar }

// Printf writes one line, which begins with the name of the program.
func (c *Console) Printf(format string, a ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clearBar()
	fmt.Fprintf(c.w, "%s: %s\n", c.name, clean(fmt.Sprintf(format, a...)))
}

// PrintAt writes one line that begins with FILE:LINE:COLUMN, as editors read it.
func (c *Console) PrintAt(file string, line, column int64, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clearBar()
	fmt.Fprintf(c.w, "%s:%d:%d: %s\n", clean(file), line, column, clean(text))
}

// SetTotal sets the amount of work. bytes is -1 if it is unknown; then the bar shows no remaining
// time. The bar appears only after this call.
func (c *Console) SetTotal(files int, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.showsBar {
		return
	}
	c.totalFiles = files
	c.totalBytes = bytes
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

// AddDone counts one more finished item of a container, or else file, with its bytes and problems.
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

// updateBar draws the bar with the current counts.
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

// clearBar removes the bar from its line, until the next update.
func (c *Console) clearBar() {
	if c.bar != nil && !c.drawn.IsZero() {
		c.bar.Clear()
	}
}

// description returns the text beside the bar.
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

// clean returns s without passwords and control characters.
func clean(s string) string { return Printable(secret.Text(s)) }

// Printable returns s with Go escapes in place of control characters, line ends, marks of direction
// and invalid bytes.
func Printable(s string) string { return printable(s, "") }

// PrintableLines does the same as Printable, but keeps line feeds and tabs.
func PrintableLines(s string) string { return printable(s, "\n\t") }

// printable returns s with escapes. The characters in kept are not escaped.
func printable(s, kept string) string {
	if isPlain(s) {
		return s
	}
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

// isPlain reports whether s consists of visible ASCII characters and spaces.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Plural returns n and the word for this number: one if n is 1, else many.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool { return isFile(stream, isTerminal) }

// EndKeys names the keys that end the input at a terminal of a system, which is a value of
// [runtime.GOOS].
func EndKeys(system string) string {
	if system == "windows" {
		return "Ctrl-Z and Enter"
	}
	return "Ctrl-D"
}

// Colors reports whether a stream is a terminal that supports colours, and NO_COLOR does not forbid
// them. On Windows it switches the colours of a console on.
func Colors(stream any) bool {
	allowed := os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return allowed && IsTerminal(stream) && isFile(stream, enableColors)
}

// isFile reports whether a stream is a file, and is returns true for its descriptor.
func isFile(stream any, is func(fd uintptr) bool) (ok bool) {
	f, isFile := stream.(*os.File)
	if !isFile {
		return false
	}
	if c, err := f.SyscallConn(); err == nil {
		c.Control(func(fd uintptr) { ok = is(fd) })
	}
	return ok
}
