package page

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"absolink/extract/internal/text"
)

// additionCases are pages. What an archive has added stands between « and ».
var additionCases = []struct {
	name, page string
	missing    string // why nothing is removed
}{
	{"nothing", "<html><head><title>t</title></head><body>x</body></html>", ""},
	{"head", "<html><head>«<script src=a></script>\n<style>b</style> <link rel=c>\n<!-- x -->" +
		"<!-- End Wayback Rewrite JS Include -->»\n<title>t</title>", ""},
	{"head in capitals", "<HTML><HEAD profile=x>«<SCRIPT>'<!-- End Wayback Rewrite JS Include -->'</SCRIPT>" +
		"<!--End Wayback Rewrite JS Include-->»<title>t</title>", ""},
	{"head without scripts", "<head>«<!-- End Wayback Rewrite JS Include -->»", ""},
	{"toolbar", "<body>«<!-- BEGIN WAYBACK TOOLBAR INSERT --><div id=wm-ipp><a href=x>a</a><script>'</body>'" +
		"</script></div><!-- END WAYBACK TOOLBAR INSERT -->» <p>x", ""},
	{"two toolbars", "«<!-- BEGIN WAYBACK TOOLBAR INSERT -->1<!-- END WAYBACK TOOLBAR INSERT -->»2" +
		"«<!-- BEGIN WAYBACK TOOLBAR INSERT -->3<!-- END WAYBACK TOOLBAR INSERT -->»", ""},
	{"all of web.archive.org", "<head>«<script src=//archive.org/includes/athena.js></script>" +
		"<!-- End Wayback Rewrite JS Include -->»</head><body>«<!-- BEGIN WAYBACK TOOLBAR INSERT -->" +
		"<div id=\"wm-ipp-base\"></div><!-- END WAYBACK TOOLBAR INSERT -->»<p>x</body></html>\n" +
		"«<!--\n     FILE ARCHIVED ON 03:04:05 Jan 02, 2016 AND RETRIEVED FROM THE\n     " +
		"INTERNET ARCHIVE ON x.\n-->»\n" +
		"«<!--\nplayback timings (ms):\n  a: 1\n-->»", ""},
	{"pywb",
		"<head>\n«<!-- WB Insert --><script src=/static/wombat.js></script><div>banner</div>" +
			"<!-- End WB Insert -->»" +
			"<title>t</title>", ""},
	{"a comment of an archive alone", "<p>x«<!-- FILE ARCHIVED ON x AND RETRIEVED FROM AN ARCHIVE -->»", ""},

	{"no toolbar end", "<body><!-- BEGIN WAYBACK TOOLBAR INSERT --><div id=wm-ipp></div><p>x",
		`the comment "END WAYBACK TOOLBAR INSERT" is missing`},
	{"no toolbar begin", "<body><div id=wm-ipp></div><!-- END WAYBACK TOOLBAR INSERT --><p>x",
		`the comment "BEGIN WAYBACK TOOLBAR INSERT" is missing`},
	{"a toolbar without comments", "<head><!-- End Wayback Rewrite JS Include --></head><div id='wm-ipp'></div>",
		`the comment "BEGIN WAYBACK TOOLBAR INSERT" is missing`},
	{"two toolbar begins", "<!-- BEGIN WAYBACK TOOLBAR INSERT --><!-- BEGIN WAYBACK TOOLBAR INSERT -->" +
		"<!-- END WAYBACK TOOLBAR INSERT -->", `the comment "END WAYBACK TOOLBAR INSERT" is missing`},
	{"the end of the page in a toolbar",
		"<!-- BEGIN WAYBACK TOOLBAR INSERT --></body><!-- END WAYBACK TOOLBAR INSERT -->",
		`other content stands before the comment "END WAYBACK TOOLBAR INSERT"`},
	{"a base in a toolbar", "<!-- BEGIN WAYBACK TOOLBAR INSERT --><base href=x><!-- END WAYBACK TOOLBAR INSERT -->",
		`other content stands before the comment "END WAYBACK TOOLBAR INSERT"`},
	{"no end of the head",
		"<head><script src='https://web-static.archive.org/_static/js/x.js'></script><title>t</title>",
		`the comment "End Wayback Rewrite JS Include" is missing`},
	{"no end of an old head",
		"<head><script src='/static/js/analytics.js'></script><title>t</title><!-- WAYBACK TOOLBAR -->",
		`the comment "End Wayback Rewrite JS Include" is missing`},
	{"no head", "<script src=a></script><!-- End Wayback Rewrite JS Include --><title>t</title>",
		`the tag <head> before the comment "End Wayback Rewrite JS Include" is missing`},
	{"a title in the head", "<head><script></script><title>t</title><!-- End Wayback Rewrite JS Include -->",
		`other content stands before the comment "End Wayback Rewrite JS Include"`},
	{"text in the head", "<head>x<script></script><!-- End Wayback Rewrite JS Include -->",
		`other content stands before the comment "End Wayback Rewrite JS Include"`},
	{"text behind a script in the head", "<head><script></script>x<!-- End Wayback Rewrite JS Include -->",
		`other content stands before the comment "End Wayback Rewrite JS Include"`},
	{"a doctype in the head", "<head><!doctype html><!-- End Wayback Rewrite JS Include -->",
		`other content stands before the comment "End Wayback Rewrite JS Include"`},
	{"two ends of the head", "<head><!-- End Wayback Rewrite JS Include --><!-- End Wayback Rewrite JS Include -->",
		`other content stands before the comment "End Wayback Rewrite JS Include"`},
	{"the end of the head", "<head></head><script></script><!-- End Wayback Rewrite JS Include -->",
		`other content stands before the comment "End Wayback Rewrite JS Include"`},
	{"half of pywb", "<head><!-- WB Insert --><script src=/static/wombat.js></script><title>t</title>",
		`the comment "End WB Insert" is missing`},
	{"the other half of pywb", "<head><script src=/static/wombat.js></script><!-- End WB Insert --><title>t</title>",
		`the comment "WB Insert" is missing`},
	{"pywb without comments", "<head><script src=/static/wombat.js></script><title>t</title>",
		`the comment "End WB Insert" is missing`},
	{"a mark of another archive in between", "<!-- WB Insert --><!-- BEGIN WAYBACK TOOLBAR INSERT -->" +
		"<!-- END WAYBACK TOOLBAR INSERT --><!-- End WB Insert -->", `the comment "End WB Insert" is missing`},

	{"marks in a script", "<script>'<!-- BEGIN WAYBACK TOOLBAR INSERT -->'</script>", ""},
	{"marks in an attribute", "<p title='<!-- BEGIN WAYBACK TOOLBAR INSERT -->'>", ""},
	{"marks in a title", "<title><!-- END WAYBACK TOOLBAR INSERT --></title>", ""},
	{"marks in text", "<p>&lt;!-- BEGIN WAYBACK TOOLBAR INSERT --&gt;", ""},
	{"other comments", "<!-- BEGIN WAYBACK TOOLBAR INSERT? --><!-- FILE ARCHIVED ON paper -->", ""},
	{"another style sheet", "<head><link rel=stylesheet href=/css/banner-styles.css></head>", ""},
}

// marked returns a page without « and », and the spans between them.
func marked(page string) (plain string, want []text.Span) {
	var b strings.Builder
	start := 0
	for _, r := range page {
		switch r {
		case '«':
			start = b.Len()
		case '»':
			want = append(want, text.Span{Start: start, End: b.Len()})
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), want
}

func TestAdditions(t *testing.T) {
	for _, tt := range additionCases {
		plain, want := marked(tt.page)
		got, missing := Additions([]byte(plain))
		if fmt.Sprint(got) != fmt.Sprint(want) || missing != tt.missing {
			t.Errorf("%s: got %v, %q, want %v, %q", tt.name, got, missing, want, tt.missing)
		}
	}
}

// The additions of a page are in order and do not overlap, and without them the page has none.
func TestAdditionsShapes(t *testing.T) {
	pieces := []string{"<head>", "</head>", "<body>", "<!-- End Wayback Rewrite JS Include -->",
		"<!-- BEGIN WAYBACK TOOLBAR INSERT -->", "<!-- END WAYBACK TOOLBAR INSERT -->", "<!-- WB Insert -->",
		"<!-- End WB Insert -->", "<script>x</script>", "<link href=/_static/js/wombat.js>", "<div id=wm-ipp>", "text",
		"\n",
		"<!-- FILE ARCHIVED ON x AND RETRIEVED FROM y -->", "<!--", "<script>", "<svg>", "<template>", "</body>"}
	random := rand.New(rand.NewPCG(1, 2))
	removed := 0
	for range 20000 {
		var b strings.Builder
		for range 1 + random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		page := b.String()
		list, missing := Additions([]byte(page))
		if missing != "" && list != nil {
			t.Fatalf("Additions(%q): got %v and %q", page, list, missing)
		}
		rest, at := "", 0
		for _, s := range list {
			if s.Start < at || s.End <= s.Start || s.End > len(page) || !strings.HasSuffix(page[:s.End], "-->") {
				t.Fatalf("Additions(%q): got %v", page, list)
			}
			rest += page[at:s.Start]
			at = s.End
			removed++
		}
		rest += page[at:]
		if again, missing := Additions([]byte(rest)); len(list) > 0 && (again != nil || missing != "") {
			t.Errorf("Additions(%q): got %v, and of the rest %q: %v, %q", page, list, rest, again, missing)
		}
	}
	if removed < 500 {
		t.Errorf("only %d additions were found", removed)
	}
}
