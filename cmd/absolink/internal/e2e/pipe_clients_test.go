package e2e

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"absolink/cmd/absolink/help"
)

// clients are the languages of the clients in "help pipe", with the programs that run them.
var clients = map[string][]string{
	"python": {"python3", "client"},
	"js":     {"node", "client"},
	"ruby":   {"ruby", "client"},
	"perl":   {"perl", "client"},
	"php":    {"php", "client"},
}

// Each client in "help pipe" has at most 30 lines, and gets an answer.
func TestPipeClients(t *testing.T) {
	topic, _ := help.Find("pipe")
	found := make(map[string]bool)
	for _, m := range regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$").FindAllStringSubmatch(topic.Markdown(), -1) {
		language, program := m[1], m[2]
		if language == "console" {
			continue
		}
		found[language] = true
		t.Run(language, func(t *testing.T) {
			if n := strings.Count(program, "\n"); n > 30 {
				t.Errorf("it has %d lines, want at most 30", n)
			}
			command := clients[language]
			if command == nil {
				t.Fatal("no program runs it")
			}
			if _, err := exec.LookPath(command[0]); err != nil {
				t.Skipf("%s is not installed", command[0])
			}
			t.Chdir(t.TempDir())
			save(t, "client", []byte(program))
			out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
			if err != nil || string(out) != "done http://e.example/d/x\n" {
				t.Errorf("got %q and %v, want done and the link", out, err)
			}
		})
	}
	if len(found) != len(clients) {
		t.Errorf("clients in %v, want %d languages", found, len(clients))
	}
}
