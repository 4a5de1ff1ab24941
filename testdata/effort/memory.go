package effort

import (
	"os"
	"testing"
)

// MainInMemory is the TestMain of a package whose tests write many small files. In the short form
// their temporary directories are in memory, if the system has a directory for that: no disk has to
// be waited for.
func MainInMemory(m *testing.M) {
	os.Exit(runInMemory(m))
}

func runInMemory(m *testing.M) int {
	if root := memoryDir(); root != "" && !Whole() {
		if dir, err := os.MkdirTemp(root, "absolink-test-"); err == nil {
			defer os.RemoveAll(dir)
			os.Setenv("TMPDIR", dir)
		}
	}
	return m.Run()
}
