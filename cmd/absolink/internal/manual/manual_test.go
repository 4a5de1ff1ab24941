package manual_test

import (
	"testing"

	"absolink/cmd/absolink/internal/manual"
)

func TestAppendTo(t *testing.T) {
	p := manual.Page{Name: "absolink-x", Section: 1, Date: "2026-01-02", Version: "1.2.3", Short: "Do x",
		Synopsis: "absolink x [FILE...]",
		Text:     "One\n.two 'three'\n'four' a\\b\n\n  kept\nas it is\n\nlast",
		Groups:   []manual.Group{{"Options", []manual.Term{{"--x-y N", "`x` of ^~"}}}, {"None", nil}},
		Examples: "  absolink x \\\n    y", See: []string{"absolink(1)"}}
	const want = `.TH "ABSOLINK-X" 1 "2026-01-02" "absolink 1.2.3" "absolink"
.SH "NAME"
absolink\-x \- Do x
.SH "SYNOPSIS"
absolink x [FILE...]
.SH "DESCRIPTION"
.PP
One
\&.two \(aqthree\(aq
\&\(aqfour\(aq a\eb
.PP
.nf
  kept
as it is
.fi
.PP
last
.SH "OPTIONS"
.TP
.B \-\-x\-y N
\(gax\(ga of \(ha\(ti
.SH "EXAMPLES"
.nf
  absolink x \e
    y
.fi
.SH "SEE ALSO"
absolink(1)
`
	if got := string(p.AppendTo(nil)); got != want {
		t.Errorf("AppendTo:\ngot  %s\nwant %s", got, want)
	}
	const guide = "\nGo `a --b`\nnow.\n\n## The \"use\" of `c`\n\n- one\n  two\n- **x** [y](z)\n\n" +
		"| k | v |\n|---|---|\n| `d` | e \\| `f` |\n| | g |\n\n```console\n$ a `b`\n\n.c\n```\n"
	topic := manual.Page{Name: "t", Section: 7, Short: "T", Guide: guide}
	const wantTopic = `.TH "T" 7 "" "absolink " "absolink"
.SH "NAME"
t \- T
.SH "DESCRIPTION"
.PP
Go a \-\-b
now.
.SS "The ""use"" of c"
.IP \(bu 2
one
  two
.IP \(bu 2
x y (z)
.TP
.B k
v
.TP
.B d
e | f
.TP
.B 
g
.PP
.RS 2
.nf
$ a \(gab\(ga

\&.c
.fi
.RE
`
	if got := string(topic.AppendTo(nil)); got != wantTopic {
		t.Errorf("AppendTo of a topic:\ngot  %s\nwant %s", got, wantTopic)
	}
}
