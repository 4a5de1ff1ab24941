package e2e

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"mime/quotedprintable"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/testdata/corpus"
	"absolink/testdata/effort"
)

// tool returns the path of a program that the test needs. Without it the test is skipped.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: nothing to compare with", name)
	}
	return path
}

// generatedMails writes messages with URLs of three hosts in plain text, in several encodings.
func generatedMails(t *testing.T, dir string) {
	t.Helper()
	hosts := []string{"one.example", "two.example", "lists.three.example"}
	for i := range 60 {
		host := hosts[i%len(hosts)]
		pad := strings.Repeat("x", i*3)
		text := fmt.Sprintf("%s http://%s/%d. See <https://%s/a?b=%d#c>, caf\xc3\xa9\r\n"+
			"> (http://%s) http://%s.org/\r\n",
			pad, host, i, host, i, strings.ToUpper(host), host)
		encoding, body := "8bit", text
		switch i % 4 {
		case 1:
			encoding = "quoted-printable"
			var b bytes.Buffer
			w := quotedprintable.NewWriter(&b)
			w.Write([]byte(text))
			w.Close()
			body = b.String()
		case 2:
			encoding = "base64"
			body = base64.StdEncoding.EncodeToString([]byte(text)) + "\r\n"
		}
		save(t, filepath.Join(dir, fmt.Sprintf("generated%d.eml", i)), fmt.Appendf(nil,
			"Archived-At: <http://%s/m/%d>\r\n"+
				"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: %s\r\n\r\n%s", host, i, encoding,
			body))
	}
}

// textHosts returns the n hosts that the URLs in running text below a directory name most often.
func textHosts(t *testing.T, dir string, n int) []string {
	t.Helper()
	_, out, _ := runs(t, "", "extract", "-q", "--format", "jsonl", dir)
	counts := make(map[string]int)
	for line := range strings.Lines(out) {
		var r struct{ URI, Element, Type string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(r.URI)
		if err == nil && r.Element == "" && r.Type == "text/plain" && strings.HasPrefix(u.Scheme, "http") &&
			u.Port() == "" {
			counts[u.Host]++
		}
	}
	var hosts []string
	for host := range counts {
		hosts = append(hosts, host)
	}
	slices.SortFunc(hosts, func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	return hosts[:n]
}

// URLs of three hosts in the texts of real messages move. Python reads the output as a prefix
// replacement of its own says, and the move is undone byte for byte.
func TestTextMovesByPython(t *testing.T) {
	python := tool(t, "python3")
	script, err := filepath.Abs("testdata/textmoves.py")
	if err != nil {
		t.Fatal(err)
	}
	messages := corpus.Documents(t, "mail")
	t.Chdir(t.TempDir())
	for _, m := range messages {
		save(t, m.Name, m.Data)
	}
	generatedMails(t, "mail")
	if err := os.CopyFS("before", os.DirFS("mail")); err != nil {
		t.Fatal(err)
	}
	args := []string{"rewrite", "-q", "-i", "--dkim", "rewrite", "--journal", "journal"}
	compare := []string{script, "before", "mail"}
	for i, host := range textHosts(t, "mail", 3) {
		renamed := fmt.Sprintf("https://new%d.example/a%s/", i, strings.Repeat("b", i*20))
		args = append(args, "--map", "//"+host+"/="+renamed)
		compare = append(compare, host+"="+renamed)
	}
	runs(t, "", append(args, "mail")...)
	out, err := exec.Command(python, compare...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var compared, changed int
	if _, err := fmt.Sscan(lines[len(lines)-1], &compared, &changed); err != nil || len(lines) > 1 {
		t.Errorf("Python reads other texts: %.3000s", out)
	}
	if changed < corpus.Least(200, 60) {
		t.Errorf("%d of %d texts have changed, want at least %d", changed, compared, corpus.Least(200, 60))
	}
	runs(t, "", "rewrite", "-q", "--undo", "journal")
	sameTrees(t, "before", "mail")
}

// git runs git in a directory with a known author, and returns its output.
func git(t *testing.T, program, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, append([]string{"-c", "user.name=A", "-c", "user.email=a@a.example",
		"-c", "init.defaultBranch=main", "-c", "core.autocrlf=false", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "HOME="+dir,
		"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v: %s", args, err, out)
	}
	return string(out)
}

// A list archive with twenty patches moves. The texts of the commits move, and git applies the
// patches to the same files as before.
func TestTextMovesGit(t *testing.T) {
	program := tool(t, "git")
	t.Chdir(t.TempDir())
	os.Mkdir("repo", 0o777)
	git(t, program, "repo", "init", "-q")
	text := func(i int) []byte {
		var b bytes.Buffer
		for n := range 40 {
			v := 0
			if n%20 < i {
				v = i
			}
			fmt.Fprintf(&b, "line %d of http://old.example/%d/%d\n", n, n, v)
		}
		return b.Bytes()
	}
	save(t, "repo/x.txt", text(0))
	git(t, program, "repo", "add", ".")
	git(t, program, "repo", "commit", "-q", "-m", "start")
	patches := effort.Pick(20, 5)
	for i := 1; i <= patches; i++ {
		save(t, "repo/x.txt", text(i))
		if i%5 == 0 {
			save(t, fmt.Sprintf("repo/new%d.txt", i), []byte("http://old.example/new\nno newline http://old.example/"))
		}
		git(t, program, "repo", "add", ".")
		git(t, program, "repo", "commit", "-q", "-m", fmt.Sprintf("change %d\n\nSee http://old.example/issue/%d.\n", i,
			i))
	}
	series := git(t, program, "repo", "format-patch", "--stdout", fmt.Sprint("-", patches))
	footer := "\n_______________________________________________\nlist mailing list\n" +
		"http://old.example/mailman/listinfo\n"
	var box bytes.Buffer
	for _, mail := range strings.SplitAfter(series, "\n-- \n") {
		head, tail, found := strings.Cut(mail, "\nFrom ")
		if found { // the footer follows the version of git
			box.WriteString(head + footer + "\nFrom " + tail)
		} else {
			box.WriteString(mail)
		}
	}
	save(t, "list.mbox", box.Bytes())
	code, out, stderr := runs(t, "", "rewrite", "--map", "//old.example/=https://new.example/archive/", "list.mbox")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if got := strings.Count(out, "https://new.example/archive/issue/"); got != patches {
		t.Errorf("%d texts of commits have moved, want %d", got, patches)
	}
	if got := strings.Count(out, "https://new.example/archive/mailman/listinfo"); got != patches-1 {
		t.Errorf("%d footers have moved, want %d", got, patches-1)
	}
	save(t, "moved.mbox", []byte(out))
	want := git(t, program, "repo", "rev-parse", "HEAD^{tree}")
	git(t, program, "repo", "checkout", "-q", "-b", "again", fmt.Sprint("HEAD~", patches))
	git(t, program, "repo", "am", "-q", "../moved.mbox")
	if got := git(t, program, "repo", "rev-parse", "HEAD^{tree}"); got != want {
		t.Errorf("git am gives the tree %s, want %s", got, want)
	}
	if got := git(t, program, "repo", "log", fmt.Sprint("-", patches), "--format=%b"); strings.Count(got,
		"https://new.example/archive/") != patches {
		t.Errorf("the texts of the commits are %.500s", got)
	}
}
