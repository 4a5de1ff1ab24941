package effort

import (
	"os"
	"runtime/debug"
	"testing"
)

// MainInMemory is the TestMain of a package whose tests write many small files. In the short form
// their temporary directories are in memory, if the system has a directory for that: no disk has to
// be waited for. The tests run at [GCPercent].
func MainInMemory(m *testing.M) {
	debug.SetGCPercent(GCPercent)
	os.Exit(InMemory(m.Run))
}

// InMemory runs tests with their temporary directories as MainInMemory does. It returns what run
// returns.
func InMemory(run func() int) int {
	if root := memoryDir(); root != "" && !Whole() {
		if dir, err := os.MkdirTemp(root, "test-of-absolink"); err == nil {
			defer os.RemoveAll(dir)
			os.Chmod(dir, 0o755) // some tests start programs as another user
			os.Setenv("TMPDIR", dir)
		}
	}
	return run()
}
