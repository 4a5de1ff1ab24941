// Package hypertext writes pages of HTML, and keeps text from outside apart from their source.
//
// html/template does the same with files of templates. But it finds fields and methods by name
// while the program runs, so that the linker keeps every exported method of every package: 6 MB of
// the program, a fifth of it.
package hypertext

import (
	"fmt"
	"io"
	"strings"
)

// Source is HTML that the program itself has written. An untyped constant is one without a
// conversion; a string that is read from somewhere needs one, which a reader of the code sees.
type Source string

// Writer writes a page. The zero value is not usable.
type Writer struct {
	out io.Writer
	err error
}

// NewWriter returns a Writer to out.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Put writes HTML in which the arguments stand for the verbs of package fmt: a [Source] as it is, a
// number in digits, and a string with its special characters escaped. So the verb of a string
// stands in text or in a quoted attribute, but never where a script or style sheet is expected, and
// not at the beginning of an attribute that takes a URL, unless the URL is one of the program.
// Put panics if it gets anything else. After an error it does nothing.
func (w *Writer) Put(format Source, args ...any) {
	if w.err != nil {
		return
	}
	safe := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case string:
			safe[i] = escaper.Replace(a)
		case Source, int, int64, float64:
			safe[i] = a
		default:
			panic(fmt.Sprintf("hypertext: Put of a %T", a))
		}
	}
	_, w.err = fmt.Fprintf(w.out, string(format), safe...)
}

// Err returns the first error of writing.
func (w *Writer) Err() error { return w.err }

// escaper makes text safe in HTML and in quoted attributes, as html/template does.
var escaper = strings.NewReplacer("\x00", "\ufffd", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;",
	"<", "&lt;", ">", "&gt;")
