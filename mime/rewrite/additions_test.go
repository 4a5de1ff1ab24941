package rewrite_test

import (
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
	"absolink/testdata/effort"
)

// Each piece of a saved page, and the piece of the output.
var savedPieces = [][2]string{
	{"<!-- BEGIN WAYBACK TOOLBAR INSERT --><a href=/web/2016*/x>x</a><script>'<p>'</script>" +
		"<!-- END WAYBACK TOOLBAR INSERT -->", ""},
	{"<!-- WB Insert --><style>a{background:url(x)}</style><!-- End WB Insert -->", ""},
	{"<!-- FILE ARCHIVED ON x AND RETRIEVED FROM y -->", ""},
	{"<a href='/web/20160102030405/http://old.test/a'>", "<a href='http://old.test/a'>"},
	{"<img srcset='/web/2016im_/http://old.test/1 1x, b 2x'>",
		"<img srcset='http://old.test/1 1x, http://a.test/d/b 2x'>"},
	{"<script>'</p>'</script>", "<script>'</p>'</script>"},
	{"<!-- x -->text\n", "<!-- x -->text\n"},
	{"<textarea>é</textarea>", "<textarea>é</textarea>"},
}

// A saved page is rewritten without the additions of the archive, and every other byte stays.
func TestRemoveAdditions(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range effort.Pick(500, 150) {
		in, want := "<html><head>", "<html><head>"
		if random.IntN(2) == 0 {
			in += "<script src=/_static/js/wombat.js></script>\n<!-- End Wayback Rewrite JS Include -->"
		}
		for range random.IntN(12) {
			piece := savedPieces[random.IntN(len(savedPieces))]
			in += piece[0]
			want += piece[1]
		}
		for _, form := range []move.Form{move.Absolute, move.Relative, move.AsWritten} {
			s := &move.Site{Form: form}
			s.Map.Unwayback = true
			s.Include("http://a.test/")
			r := &rewrite.Rewriter{Site: s, RemoveAdditions: true}
			p := plan(t, r, in)
			out, err := p.Output()
			if err != nil {
				t.Fatal(err)
			}
			wanted := want
			if form != move.Absolute {
				wanted = strings.ReplaceAll(want, "http://a.test/d/b", "b")
			}
			if string(out.Data) != wanted {
				t.Fatalf("%v: %q: got %q, want %q", form, in, out.Data, wanted)
			}
			if err := r.Verify(p, out); err != nil {
				t.Fatalf("%v: %q: %v", form, in, err)
			}
			if again := plan(t, r, string(out.Data)); form == move.Absolute && again.Edited() {
				t.Fatalf("%q: the output %q is edited again", in, out.Data)
			}
		}
	}
}

// The caller does not visit links in additions. Pages whose marks are not complete are named.
func TestAdditionsVisited(t *testing.T) {
	const toolbar = "<!-- BEGIN WAYBACK TOOLBAR INSERT --><a href=t></a><!-- END WAYBACK TOOLBAR INSERT -->"
	for _, tt := range []struct {
		in, visited, out string
		format           extract.Format
		off              bool
		problems         int
		references       int
	}{
		{in: "<a href=a></a>" + toolbar + "<a href=b></a>", visited: "a b", references: 3,
			out: "<a href=http://a.test/d/a></a><a href=http://a.test/d/b></a>"},
		{in: toolbar, visited: "", out: "", references: 1},
		{in: toolbar, visited: "t", off: true,
			out: strings.Replace(toolbar, "t>", "http://a.test/d/t>", 1), references: 1},
		{in: toolbar[:60], visited: "t", problems: 1, references: 1,
			out: strings.Replace(toolbar[:60], "t>", "http://a.test/d/t>", 1)},
		{in: "<html xmlns='http://www.w3.org/1999/xhtml'>" + strings.Replace(toolbar, "=t", "='t'", 1) + "</html>",
			format: extract.XHTML, visited: "http://www.w3.org/1999/xhtml", references: 1,
			out: "<html xmlns='http://www.w3.org/1999/xhtml'></html>"},
		{in: "<svg>" + toolbar + "</svg>", format: extract.SVG, visited: "t", references: 1,
			out: "<svg>" + strings.Replace(toolbar, "=t>", `="http://a.test/d/t">`, 1) + "</svg>"},
	} {
		r := &rewrite.Rewriter{RemoveAdditions: !tt.off}
		src := source(tt.in)
		if tt.format != extract.Unknown {
			src.Format = tt.format
		}
		var visited []string
		p, err := r.Visit(src, outer,
			func(p *rewrite.Plan, d *document.Document, links iter.Seq[*rewrite.Link]) error {
				for l := range links {
					visited = append(visited, string(l.Value))
				}
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Output()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Verify(p, out); err != nil {
			t.Errorf("%q: %v", tt.in, err)
		}
		if string(out.Data) != tt.out || strings.Join(visited, " ") != tt.visited || p.References != tt.references {
			t.Errorf("%q: got %q, visited %q, %d references", tt.in, out.Data, visited, p.References)
		}
		if len(p.Problems) != tt.problems || tt.problems > 0 && (p.Problems[0].Kind != rewrite.Additions ||
			!p.Problems[0].Minor || p.Problems[0].Offset != -1) {
			t.Errorf("%q: problems %+v", tt.in, p.Problems)
		}
	}
}

// The bytes of UTF-16 are removed in whole characters.
func TestAdditionsUTF16(t *testing.T) {
	wide := func(s string) []byte {
		b := []byte{0xFF, 0xFE}
		for _, c := range []byte(s) {
			b = append(b, c, 0)
		}
		return b
	}
	const page = "<p>1|<!-- WB Insert -->2<!-- End WB Insert -->|3<a href=http://b.test/></a>"
	in := wide(strings.ReplaceAll(page, "|", ""))
	r := &rewrite.Rewriter{RemoveAdditions: true}
	src := source("<>")
	src.Data = in
	p, err := r.Plan(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Output()
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(page, "|")
	if want := wide(parts[0] + parts[2]); string(out.Data) != string(want) {
		t.Errorf("got %q, want %q", out.Data, want)
	}
}
