// Package chromium starts a browser for tests that compare with one.
package chromium

import (
	"context"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"
)

// Names lists the names that the program may have.
var Names = []string{"chromium", "chromium-browser", "google-chrome"}

// Start starts Chromium until the test ends, without a window, a profile or any network except the
// loopback. If Chromium is not installed, the test is skipped.
func Start(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range Names {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skip("Chromium is not installed: nothing to compare with")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("%s does not start: %v", path, err)
	}
	return ctx
}
