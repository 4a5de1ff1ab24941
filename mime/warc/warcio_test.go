package warc

import (
	"bytes"
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/mime/httpmsg"
	"absolink/testdata/corpus"
)

// python returns a Python that has warcio: the one named by ABSOLINK_WARCIO, or python3.
func python(t testing.TB) string {
	t.Helper()
	if name := os.Getenv("ABSOLINK_WARCIO"); name != "" {
		if err := exec.Command(name, "-c", "import warcio").Run(); err != nil {
			t.Fatalf("ABSOLINK_WARCIO is %s, which has no warcio: %v", name, err)
		}
		return name
	}
	if err := exec.Command("python3", "-c", "import warcio").Run(); err != nil {
		t.Skip("python3 has no warcio (pip install warcio): ABSOLINK_WARCIO may name one that has")
	}
	return "python3"
}

// oracle lists the records of archives as JSON, one line for each archive: type, URI and SHA-1 of
// the decoded payload, and "end" if there was no error.
const oracle = `
import sys, json, hashlib
from warcio.archiveiterator import ArchiveIterator
for path in sys.argv[1:]:
    records = []
    try:
        for r in ArchiveIterator(open(path, 'rb'), no_record_parse=False):
            uri = r.rec_headers.get_header('WARC-Target-URI' if r.format == 'warc' else 'uri') or ''
            kind = 'warcinfo' if r.rec_type == 'arc_header' else r.rec_type or ''
            records.append([kind, uri, hashlib.sha1(r.content_stream().read()).hexdigest()])
        records.append(['end'])
    except Exception:
        pass
    print(json.dumps(records))
`

// If an archive is well-formed for both, warcio gives the same records. It writes blanks in URIs as
// %20, even those of folding.
func TestWarcio(t *testing.T) {
	files := archives(t)
	names := slices.Sorted(maps.Keys(files))
	args := []string{"-c", oracle}
	for _, name := range names {
		args = append(args, filepath.Join(corpus.Folder("warc"), strings.TrimPrefix(name, "warc/")))
	}
	out, err := exec.Command(python(t), args...).Output()
	answers := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if err != nil || len(answers) != len(names) {
		t.Fatalf("warcio: %d answers for %d archives, %v", len(answers), len(names), err)
	}
	compared := 0
	for i, name := range names {
		var want [][]string
		if err := json.Unmarshal(answers[i], &want); err != nil {
			t.Fatalf("%s: warcio: %q, %v", name, answers[i], err)
		}
		got, defects := payloads(t, files[name])
		if n := len(want) - 1; defects || n < 0 || want[n][0] != "end" {
			continue
		}
		compared++
		same(t, name, got, want[:len(want)-1])
	}
	if least := corpus.Least(25, 7); compared < least {
		t.Errorf("%d archives compared, want %d at least", compared, least)
	}
}

// same compares records with the records of warcio.
func same(t *testing.T, name string, got [][3]string, want [][]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d records, want %d", name, len(got), len(want))
		return
	}
	for i, g := range got {
		w := [3]string{strings.ToLower(strings.TrimSpace(want[i][0])),
			strings.Trim(strings.ReplaceAll(want[i][1], "%20", " "), " <>"), want[i][2]}
		if g[2] == "" {
			w[2] = ""
		}
		if g != w {
			t.Errorf("%s: record %d: got %q, want %q", name, i+1, g, w)
		}
	}
}

// payloads lists the records of an archive as oracle does. A record without a document has no hash.
// payloads also reports whether there is a defect.
func payloads(t *testing.T, data []byte) (list [][3]string, defects bool) {
	t.Helper()
	for r := NewReader(bytes.NewReader(data), Options{}); ; {
		rec, err := r.Next()
		if err != nil {
			return list, defects
		}
		sum := payloadSum(t, rec)
		defects = defects || len(rec.Defects) > 0
		list = append(list, [3]string{rec.Type, rec.TargetURI, sum})
	}
}

// payloadSum returns the SHA-1 of the decoded payload of a record, or "" if it has no document.
func payloadSum(t *testing.T, rec *Record) string {
	t.Helper()
	m := rec.Message(httpmsg.Options{})
	if m == nil {
		return ""
	}
	body, err := m.Body()
	if err != nil {
		t.Fatalf("Body: %v", err)
	}
	return fmt.Sprintf("%x", sha1.Sum(body.Data))
}
