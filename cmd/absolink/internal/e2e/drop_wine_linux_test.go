package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A page that is dropped on the icon of the program for Windows is unpacked beside its file. The
// program has a console of its own, which closes with the program. So it says where the page is,
// and waits for a key.
func TestDropUnderWine(t *testing.T) {
	onlyUnderWine(t)
	dir := t.TempDir()
	message := []byte("MIME-Version: 1.0\nContent-Type: text/html\n\n<p>page")
	save(t, filepath.Join(dir, "pages", "saved page.mht"), message)
	user, console := openConsole(t)
	cmd := commandIn(dir, []string{`pages\saved page.mht`})
	cmd.Env = append(os.Environ(), "TERM=xterm")
	cmd.Stdin = console
	cmd.Stdout = console
	cmd.Stderr = console
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	console.Close()
	var shown bytes.Buffer
	for part := make([]byte, 4096); !bytes.Contains(shown.Bytes(), []byte("Press a key to close this window.")); {
		n, err := user.Read(part)
		if err != nil {
			t.Fatalf("the program ended before a key: %v, and showed %q", err, &shown)
		}
		shown.Write(part[:n])
	}
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	for waits := true; waits; {
		user.WriteString("x") // again, since the program may drop a key that comes before it waits
		select {
		case err := <-ended:
			waits = false
			if err != nil {
				t.Errorf("the program ended with %v", err)
			}
		case <-time.After(100 * time.Millisecond):
		}
	}
	for _, want := range []string{`The page in pages\saved page.mht becomes files`, `pages\saved page\index.html`} {
		if !bytes.Contains(shown.Bytes(), []byte(want)) {
			t.Errorf("got %q, want %q in it", &shown, want)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "pages", "saved page", "index.html"))
	if err != nil || string(page) != "<p>page" {
		t.Errorf("got the page %q and error %v", page, err)
	}
}

// openConsole returns the two ends of a new terminal: that of a user, and that of a program.
func openConsole(t *testing.T) (user, program *os.File) {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { user.Close() })
	number, err := unix.IoctlGetInt(int(user.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(user.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	size := unix.Winsize{Row: 25, Col: 200}
	if err := unix.IoctlSetWinsize(int(user.Fd()), unix.TIOCSWINSZ, &size); err != nil {
		t.Fatal(err)
	}
	return user, program
}
