package manual_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/manual"
)

// Write makes a page for each command, and for each topic of help.
func TestWrite(t *testing.T) {
	root := &cobra.Command{Use: "absolink", Short: "Do all"}
	sub := &cobra.Command{Use: "sub [FILE]", Short: "Do a part", Long: "Do it.", Example: "  absolink sub x",
		Run: func(*cobra.Command, []string) {}}
	sub.Flags().Int("depth", 1, "Inputs: enter `N` parts")
	hidden := &cobra.Command{Use: "hidden", Hidden: true, Run: func(*cobra.Command, []string) {}}
	root.AddCommand(sub, hidden)
	dir := filepath.Join(t.TempDir(), "pages")
	for range 2 { // pages that are there are replaced
		if err := manual.Write(root, dir); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	topics := 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".7") {
			topics++
			continue
		}
		names = append(names, e.Name())
	}
	if !slices.Equal(names, []string{"absolink-sub.1", "absolink.1"}) || topics == 0 {
		t.Errorf("Write made %q and %d topics, want the pages of absolink and sub", names, topics)
	}
	text, err := os.ReadFile(filepath.Join(dir, "absolink-sub.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`.TH "ABSOLINK-SUB" 1 `, `absolink\-sub \- Do a part`, "absolink sub [FILE]",
		`\-\-depth`, "enter N parts", ".SH \"EXAMPLES\"\n.nf\n  absolink sub x\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page of sub is\n%s\nwant %q in it", text, want)
		}
	}
	if err := manual.Write(root, filepath.Join(dir, "absolink.1", "x")); err == nil {
		t.Error("Write below a file: got no error")
	}
}
