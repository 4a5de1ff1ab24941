// Command peers measures absolink and other link readers on the same pages in the same run, and
// prints a table for the README:
//
//	go run ./testdata/bench/peers [-rounds N] [FILE...]
//
// Without files it takes testdata/pages. A file whose name ends in .gz is unpacked first. Run it at
// the top of the repository.
//
// Each contender is a process that reads all pages and then works through them a number of times.
// The result is the processor time of the process, minus the processor time of a process that does
// not work through them at all. So neither the start nor the reading counts, nor does waiting for a
// busy machine. Contenders take turns, and the table has the medians of their rounds. Contenders
// that are not installed are left out.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// contender is one process.
type contender struct {
	name    string
	command []string // the number of passes and the files follow
	speeds  []float64
}

func main() {
	rounds := flag.Int("rounds", 5, "measurements of each contender")
	work := flag.String("work", "", "what to do as a contender")
	passes := flag.Int("passes", 0, "how often, as a contender")
	flag.Parse()
	if *work != "" {
		contend(*work, *passes, flag.Args())
		return
	}
	if err := compare(*rounds, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// compare measures all contenders and prints the table.
func compare(rounds int, names []string) error {
	dir, err := os.MkdirTemp("", "peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if len(names) == 0 {
		names, _ = filepath.Glob("testdata/pages/*.html")
	}
	files, size, err := unpack(dir, names)
	if err != nil {
		return err
	}
	list, err := contenders(dir, files[0])
	if err != nil {
		return err
	}
	for range rounds {
		for _, c := range list {
			speed, err := c.measure(files, size)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			c.speeds = append(c.speeds, speed)
		}
	}
	printTable(list, len(files), size)
	return nil
}

// contenders returns the contenders that are installed: those that can read one page.
func contenders(dir, page string) ([]*contender, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var list []*contender
	for _, w := range works {
		list = append(list, &contender{name: w.name, command: []string{self, "-work", w.name, "-passes"}})
	}
	const here = "testdata/bench/peers/"
	for _, c := range []*contender{
		{name: "lol-html, attributes read", command: lolHTML(dir, here, "read")},
		{name: "lol-html, attributes set", command: lolHTML(dir, here, "write")},
		{name: "HTML::LinkExtor", command: []string{"perl", here + "linkextor.pl"}},
		{name: "lxml iterlinks", command: []string{python(), here + "lxml_links.py", "list"}},
		{name: "lxml make_links_absolute + tostring", command: []string{python(), here + "lxml_links.py", "rewrite"}},
	} {
		if _, err := c.cpu(1, []string{page}); err != nil {
			fmt.Fprintf(os.Stderr, "peers: %s is not installed: %v\n", c.name, err)
			continue
		}
		list = append(list, c)
	}
	return list, nil
}

// python returns the interpreter of the virtual environment, if there is one.
func python() string {
	if env := os.Getenv("VIRTUAL_ENV"); env != "" {
		return filepath.Join(env, "bin", "python3")
	}
	return "python3"
}

// built is the path of the program that lolHTML built. The file does not exist if the build failed.
var built *string

// lolHTML builds the program around lol-html once.
func lolHTML(dir, here, mode string) []string {
	if built == nil {
		c := exec.Command("cargo", "build", "--release", "--quiet",
			"--manifest-path", here+"lolhtml/Cargo.toml", "--target-dir", dir)
		path := filepath.Join(dir, "release", "lolhtml")
		if out, err := c.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "peers: cargo: %v\n%s", err, out)
			path = filepath.Join(dir, "none")
		}
		built = &path
	}
	return []string{*built, mode}
}

// minTime is the shortest processor time of a measurement.
const minTime = 300 * time.Millisecond

// measure returns the MB/s of one measurement.
func (c *contender) measure(files []string, size int64) (float64, error) {
	idle, err := c.cpu(0, files)
	for passes := 1; err == nil; passes *= 4 {
		var busy time.Duration
		if busy, err = c.cpu(passes, files); err == nil && busy-idle >= minTime {
			return float64(size) * float64(passes) / 1e6 / (busy - idle).Seconds(), nil
		}
	}
	return 0, err
}

// cpu returns the processor time of the given number of passes.
func (c *contender) cpu(passes int, files []string) (time.Duration, error) {
	args := append(slices.Clone(c.command[1:]), strconv.Itoa(passes))
	cmd := exec.Command(c.command[0], append(args, files...)...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w: %.200s", err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

func (c *contender) median() float64 {
	slices.Sort(c.speeds)
	return c.speeds[len(c.speeds)/2]
}

// printTable prints the medians, and their ratio to the first contender.
func printTable(list []*contender, files int, size int64) {
	unit := list[0].median()
	slices.SortStableFunc(list, func(a, b *contender) int { return int(b.median()*1000) - int(a.median()*1000) })
	fmt.Printf("%d pages, %.1f MB, %s\n\n| | MB/s | × tokenizer |\n|---|---|---|\n",
		files, float64(size)/1e6, time.Now().Format(time.DateOnly))
	for _, c := range list {
		fmt.Printf("| %s | %.0f | %.2f |\n", c.name, c.median(), c.median()/unit)
	}
}
