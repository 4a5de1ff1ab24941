// Package hypertext writes pages of HTML, and escapes all text that comes from outside.
//
// html/template does the same with templates. But it finds fields and methods by name while the
// program runs. So the linker keeps every exported method of every package. That adds 6 MB to the
// program, a fifth of it.
package hypertext

import (
	"fmt"
	"io"
	"strings"
)

// Source is HTML that the program itself has written. An untyped constant becomes a Source without
// a conversion. A string that was read from somewhere needs a conversion, which a reader of the
// code sees.
type Source string

// Writer writes a page. The zero value is not usable.
type Writer struct {
	out io.Writer
	err error
}

// NewWriter returns a Writer that writes to out.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Put writes HTML. The arguments replace the verbs of format, as in package fmt: a [Source] is
// written unchanged, a number in digits, and a string with its special characters escaped. Put
// panics if an argument has another type. After an error it does nothing.
//
// The verb of a string may stand in text or in a quoted attribute. It must not stand in a script or
// a style sheet. It must not begin an attribute that takes a URL, unless the program made the URL.
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

// escaper escapes text for HTML and quoted attributes, as html/template does.
var escaper = strings.NewReplacer("\x00", "\ufffd", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;",
	"<", "&lt;", ">", "&gt;")
