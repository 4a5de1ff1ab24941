package unpack

import (
	"strings"
	"testing"

	"absolink/mime"
)

// The data: URLs of a page have at most maxSingle bytes, wherever in the nested parts the limit is
// exceeded.
func TestSingleLimit(t *testing.T) {
	const text = "Content-Type: multipart/related; boundary=b\n\n" +
		"--b\nContent-Type: text/html\n\n<img src=cid:a><iframe src=cid:c></iframe>\n" +
		"--b\nContent-Type: image/png\nContent-ID: <a>\n\nx\n" +
		"--b\nContent-Type: text/html\nContent-ID: <c>\n\n<img src='cid:a'>\n--b--\n"
	const small = "data:image/png;base64,eA=="
	frame := len("data:text/html;base64,") + (len("<img src=''>"+small)+2)/3*4
	for _, tt := range []struct {
		name  string
		extra int // the size before the first link, from the limit on
		full  bool
	}{
		{"the whole page", -2*len(small) - frame, false},
		{"the frame", 1 - 2*len(small) - frame, true},
		{"the picture of the frame", 1 - 2*len(small), true},
		{"the first picture", 1 - len(small), true},
	} {
		m, err := mime.Parse(strings.NewReader(text), int64(len(text)), mime.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		page := findPage(m.Root)
		u := &unpacking{partOf: make(map[*mime.Entity]*part)}
		find := m.PartFinder(nil, nil)
		u.entityNamed = func(e *mime.Entity, value, uri []byte) *mime.Entity {
			if u.single.size == 0 {
				u.single.size = maxSingle + tt.extra
			}
			return find(e, value, uri)
		}
		if err := u.collect(page, m.Root, false); err != nil {
			t.Fatal(err)
		}
		p, err := u.planSingle(u.partOf[page])
		if full := err != nil && strings.Contains(err.Error(), "its parts take more than 128 MB"); full != tt.full {
			t.Errorf("limit at %s: got error %v, want one about the size: %v", tt.name, err, tt.full)
		}
		if err == nil && strings.Count(string(p.Files[0].Data), "data:") != 2 {
			t.Errorf("limit at %s: got %s, want two data: URLs", tt.name, p.Files[0].Data)
		}
	}
}
