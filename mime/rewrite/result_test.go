package rewrite_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"absolink/mime/mbox"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// A page, from a reader to a writer.
func ExampleRewriter_Page() {
	var r rewrite.Rewriter
	in := strings.NewReader("<a href='../x'>x</a>\n")
	res, err := r.Page(os.Stdout, in, "http://example.com/a/b/")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.References, "edited")
	// Output:
	// <a href='http://example.com/a/x'>x</a>
	// 1 edited
}

// A message whose page shows a picture that is a part of the message. The link to the part stays.
func ExampleRewriter_Message() {
	const message = "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=cid:p>" +
		"<img src=q>\n" +
		"--b\nContent-Type: image/png\nContent-ID: <p>\n\npixels\n--b--\n"
	r := rewrite.Rewriter{KeepDKIM: true}
	res, err := r.Message(os.Stdout, strings.NewReader(message),
		"http://example.com/")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.References, "edited,", res.Kept, "kept")
	// Output:
	// Content-Type: multipart/related; boundary=b
	//
	// --b
	// Content-Type: text/html
	//
	// <img src=cid:p><img src=http://example.com/q>
	// --b
	// Content-Type: image/png
	// Content-ID: <p>
	//
	// pixels
	// --b--
	// 1 edited, 0 kept
}

// A mailbox, message by message.
func ExampleRewriter_Mailbox() {
	const box = "From a@example.org Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=1>\n\n" +
		"From b@example.org Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=http://example.org/>\n"
	var r rewrite.Rewriter
	res, err := r.Mailbox(os.Stdout, strings.NewReader(box), mbox.RD,
		"http://example.com/")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d of %d messages edited\n", res.Edited, res.Messages)
	// Output:
	// From a@example.org Thu Jan  1 00:00:00 1970
	// Content-Type: text/html
	//
	// <a href=http://example.com/1>
	//
	// From b@example.org Thu Jan  1 00:00:00 1970
	// Content-Type: text/html
	//
	// <a href=http://example.org/>
	// 1 of 2 messages edited
}

// The result reports the work, and a source that stays is written unchanged.
func TestResult(t *testing.T) {
	const from = "From a@b.test Thu Jan  1 00:00:00 1970\n"
	counted := from + "Content-Type: text/html\nContent-Length: 11\n\n<a href=x>\n\n"
	covered := from + html + "<a href=x>\n\n"
	covering := from + fmt.Sprintf("Content-Length: %d\n\nx\n\n", len("x\n\n"+covered)-1)
	tests := []struct {
		name, text string
		r          rewrite.Rewriter
		want       string // "" means unchanged
		result     rewrite.Result
		problem    string // kind, offset and line of the first problem
	}{
		{"a fragment of HTML", "<template><a href=x>", rewrite.Rewriter{},
			"<template><a href=http://a.test/d/x>", rewrite.Result{Edited: 1, References: 1}, ""},
		{"a feed", "<?xml version='1.0'?><rss version='2.0'><channel><link>x</link></channel></rss>",
			rewrite.Rewriter{},
			"<?xml version='1.0'?><rss version='2.0'><channel><link>http://a.test/d/x</link></channel></rss>",
			rewrite.Result{Edited: 1, References: 1}, ""},
		{"nothing", "", rewrite.Rewriter{}, "", rewrite.Result{}, ""},
		{"a message", html + "<a href=x>", rewrite.Rewriter{}, html + "<a href=http://a.test/d/x>",
			rewrite.Result{Messages: 1, Edited: 1, References: 1}, ""},
		{"without verification", html + "<a href=x>", rewrite.Rewriter{NoVerify: true},
			html + "<a href=http://a.test/d/x>",
			rewrite.Result{Messages: 1, Edited: 1, References: 1}, ""},
		{"DKIM", dkim, rewrite.Rewriter{KeepDKIM: true}, "", rewrite.Result{Messages: 1, Kept: 1, DKIM: 1}, ""},
		{"a signature that breaks", signed, rewrite.Rewriter{BreakSignatures: true},
			strings.Replace(signed, "href=x", "href=http://a.test/d/x", 1),
			rewrite.Result{Messages: 1, Edited: 1, References: 1, Broken: 1}, ""},
		{"a mailbox", from + html + "<a href=x>\n\n" + from + dkim + "\n" + from + signed,
			rewrite.Rewriter{KeepDKIM: true}, from + html +
				"<a href=http://a.test/d/x>\n\n" + from + dkim + "\n" + from + signed,
			rewrite.Result{Messages: 3, Edited: 1, References: 1, DKIM: 1, Kept: 1, Protected: 1}, "protected 306 18"},
		{"Content-Length", counted + from + html + "x\n", rewrite.Rewriter{},
			strings.NewReplacer("Length: 11", "Length: 27", "=x>",
				"=http://a.test/d/x>").Replace(counted) + from + html + "x\n",
			rewrite.Result{Messages: 2, Edited: 1, References: 1}, ""},
		{"a Content-Length that covers the next message", covering + covered + from + html + "x\n",
			rewrite.Rewriter{}, "",
			rewrite.Result{Messages: 3, Kept: 1}, "unsafe 101 7"},
		{"text before the mailbox", "\n\nsome text\n" + from + html + "<a href=x>\n",
			rewrite.Rewriter{}, "\n\nsome text\n" + from + html + "<a href=http://a.test/d/x>\n",
			rewrite.Result{Messages: 1, Edited: 1, References: 1}, "defect 0 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			do := tt.r.Page
			switch {
			case strings.Contains(tt.text, from):
				do = func(w io.Writer, in io.Reader, url string) (*rewrite.Result, error) {
					return tt.r.Mailbox(w, in, mbox.RD, url)
				}
			case strings.Contains(tt.text, "Content-Type"):
				do = tt.r.Message
			}
			var out bytes.Buffer
			got, err := do(&out, iotest.OneByteReader(strings.NewReader(tt.text)), outer.Value)
			if err != nil {
				t.Fatal(err)
			}
			want := tt.want
			if want == "" {
				want = tt.text
			}
			if out.String() != want {
				t.Errorf("wrote %q, want %q", out.String(), want)
			}
			var problem string
			if len(got.Problems) > 0 {
				p := got.Problems[0]
				problem = fmt.Sprint(p.Kind, " ", p.Offset, " ", p.Line)
			}
			if problem != tt.problem {
				t.Errorf("first problem: got %q, want %q", problem, tt.problem)
			}
			got.Problems = nil
			if fmt.Sprint(*got) != fmt.Sprint(tt.result) {
				t.Errorf("result: got %+v, want %+v", *got, tt.result)
			}
		})
	}
}

// A reference that would be read otherwise in the output stays, and the others are written.
func TestResultMended(t *testing.T) {
	const from = "From a@b.test Thu Jan  1 00:00:00 1970\n"
	const text = "Content-Type: text/plain\n\n(http://old.test/x) http://old.test/y\n"
	const want = "Content-Type: text/plain\n\n(http://old.test/x) https://new.test/(a/y\n"
	r := rewrite.Rewriter{Site: addRule(t, new(move.Site), "http://old.test/", "https://new.test/(a")}
	for _, separator := range []string{"", from} {
		var out bytes.Buffer
		in := strings.NewReader(separator + text)
		res, err := r.Message(&out, in, "")
		if separator != "" {
			out.Reset()
			in.Seek(0, io.SeekStart)
			res, err = r.Mailbox(&out, in, mbox.RD, "")
		}
		if err != nil || out.String() != separator+want {
			t.Fatalf("wrote %q, %v, want %q", out.String(), err, separator+want)
		}
		if res.Edited != 1 || res.Kept != 0 || res.References != 1 || len(res.Problems) != 1 ||
			res.Problems[0].Kind != rewrite.Misread {
			t.Errorf("got %+v, want one edit and one problem", res)
		}
	}
}

// A reference that would cut its mailbox in another way stays, and the others are written.
func TestResultMendedMailbox(t *testing.T) {
	const box = "From a@b.test Thu Jan  1 00:00:00 1970\n" + html +
		"<a title='\n\nFrom x' href=\nhttp://old.test/x><a href=http://old.test/y>\n"
	want := strings.Replace(box, "http://old.test/y", "mailto:y", 1)
	r := rewrite.Rewriter{Site: new(move.Site)}
	if err := r.Site.Map.AddPattern("^http://old.test/", "mailto:"); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	res, err := r.Mailbox(&out, strings.NewReader(box), mbox.RD, "")
	if err != nil || out.String() != want {
		t.Fatalf("wrote %q, %v, want %q", out.String(), err, want)
	}
	if res.Edited != 1 || res.References != 1 || len(res.Problems) != 2 || res.Problems[1].Kind != rewrite.Misread {
		t.Errorf("got %+v, want one edit, and a problem after that of the line", res)
	}
}

// An error of reading or writing is returned.
func TestResultFails(t *testing.T) {
	boom := errors.New("boom")
	var r rewrite.Rewriter
	for name, do := range map[string]func(in *strings.Reader) error{
		"reading": func(*strings.Reader) error {
			_, err := r.Message(new(bytes.Buffer), iotest.ErrReader(boom), "")
			return err
		},
		"writing": func(in *strings.Reader) error {
			_, err := r.Page(failingWriter{boom}, in, outer.Value)
			return err
		},
		"writing a mailbox": func(in *strings.Reader) error {
			_, err := r.Mailbox(failingWriter{boom}, in, mbox.RD, outer.Value)
			return err
		},
		"reading a page": func(*strings.Reader) error {
			_, err := r.Page(new(bytes.Buffer), iotest.ErrReader(boom), "")
			return err
		},
		"reading a mailbox": func(*strings.Reader) error {
			_, err := r.Mailbox(new(bytes.Buffer), iotest.ErrReader(boom), mbox.RD, outer.Value)
			return err
		},
	} {
		if err := do(strings.NewReader("From a@b.test Thu Jan  1 00:00:00 1970\n" +
			html + "<a href=x>\n")); !errors.Is(err, boom) {
			t.Errorf("%s: got error %v, want %v", name, err, boom)
		}
	}
}
