package mime

import (
	"strings"
	"testing"

	"absolink/extract"
)

// The format of a body follows from its media type, also for unknown subtypes of text (RFC 2046
// Section 4.1.4). It follows from the name if the type says nothing.
func TestFormat(t *testing.T) {
	const octets = "application/octet-stream"
	for _, tt := range []struct {
		head     string
		format   extract.Format
		attached bool
		enclosed bool
	}{
		{"Content-Type: text/html", extract.HTML, false, false},
		{"Content-Type: text/x-amp-html; charset=utf-8", extract.HTML, false, false},
		{"Content-Type: TEXT/Watch-HTML", extract.HTML, false, false},
		{"Content-Type: text/plain", extract.Plain, false, false},
		{"Content-Type: text/markdown", extract.Plain, false, false},
		{"Content-Type: text/x-patch; name=a.html", extract.Plain, false, false},
		{"Content-Type: text/csv", extract.Plain, false, false},
		{"Content-Type: text/vnd.wap.wml", extract.Plain, false, false},
		{"Content-Type: text/javascript", extract.Script, false, false},
		{"Content-Type: text/calendar", extract.Calendar, false, false},
		{"Content-Type: text/xml", extract.XML, false, false},
		{"Content-Type: text/rfc822-headers", extract.Heading, false, false},
		{"Content-Type: message/global-headers", extract.Heading, false, false},
		{"Content-Type: message/delivery-status", extract.Plain, false, false},
		{"Content-Type: message/global-delivery-status", extract.Plain, false, false},
		{"Content-Type: message/disposition-notification", extract.Plain, false, false},
		{"Content-Type: message/feedback-report", extract.Plain, false, false},
		{"Content-Type: application/pdf; name=a.html", extract.Unknown, false, false},
		{"Content-Type: image/png; name=a.html", extract.Unknown, false, false},
		{"Content-Type: " + octets, extract.Unknown, false, false},
		{"Content-Type: " + octets + "; name=pay.html", extract.HTML, true, false},
		{"Content-Type: " + octets + "; name=\"a.b.PAY.HTM \"", extract.HTML, true, false},
		{"Content-Type: " + octets + "\nContent-Disposition: attachment; filename*=utf-8''p%C3%A4y.html",
			extract.HTML, true, false},
		{"Content-Type: " + octets + "\nContent-Disposition: inline; filename=\"=?utf-8?q?pay=2Exhtml?=\"",
			extract.XHTML, true, false},
		{"Content-Type: application/x-download; name=a.txt", extract.Plain, true, false},
		{"Content-Type: application/force-download; name=a.ics", extract.Calendar, true, false},
		{"Content-Type: binary/octet-stream; name=a.vcf", extract.Card, true, false},
		{"Content-Type: " + octets + "; name=a.svg", extract.SVG, true, false},
		{"Content-Type: application/ics; name=invite.ics", extract.Calendar, true, false},
		{"Content-Type: application/X-ICS", extract.Calendar, true, false},
		{"Content-Type: application/html", extract.HTML, true, false},
		{"Content-Type: application/x-html; name=a.bin", extract.HTML, true, false},
		{"Content-Type: application/x-mimearchive; name=a.mht", extract.Unknown, true, true},
		{"Content-Type: " + octets + "; name=html", extract.Unknown, false, false},
		{"Content-Type: " + octets + "; name=a.html.zip", extract.Unknown, false, false},
		{"Content-Type: " + octets + "; name=a.html.gz", extract.Unknown, false, false},
		{"Content-Type: " + octets + "; name=README.md", extract.Plain, true, false},
		{"Content-Type: " + octets + "; name=a.py", extract.Unknown, false, false},
		{"Content-Type: " + octets + "; name=a.eml", extract.Unknown, true, true},
		{"Content-Type: " + octets + "; name=a.MHT", extract.Unknown, true, true},
		{"Content-Type: " + octets + "; name=a.mhtml\nContent-Transfer-Encoding: base64", extract.Unknown, true, true},
		{"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64", extract.Unknown, false, true},
		{"Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable", extract.Unknown, false, true},
		{"Content-Type: message/global\nContent-Transfer-Encoding: BASE64", extract.Unknown, false, true},
		{"Content-Type: message/news\nContent-Transfer-Encoding: x-unheard", extract.Unknown, false, true},
		{"Content-Type: message/rfc822\nContent-Transfer-Encoding: 8bit", extract.Unknown, false, false},
		{"Content-Type: message/partial\nContent-Transfer-Encoding: base64", extract.Unknown, false, false},
	} {
		e := parse(t, tt.head+"\n\nx: y\n\nz\n").Root
		if e.Format() != tt.format || e.Attached() != tt.attached || e.Enclosed() != tt.enclosed {
			t.Errorf("%q: Format %q, Attached %v, Enclosed %v, want %q, %v, %v", tt.head,
				e.Format(), e.Attached(), e.Enclosed(), tt.format, tt.attached, tt.enclosed)
		}
		if (tt.attached || tt.enclosed) && e.Protected() == "" {
			t.Errorf("%q: Protected says nothing, though the body is never edited", tt.head)
		}
	}
}

// An enclosed message continues the part that holds it, in section numbers, layers, names and
// protection.
func TestResetEnclosed(t *testing.T) {
	const inner = "Content-Type: multipart/related; boundary=i\n\n--i\nContent-Type: text/html\n\n<a href=x>\n--i\n" +
		"Content-ID: <in@x>\n\nz\n--i--\n"
	const outer = "Content-Type: multipart/related; boundary=o\nContent-Base: http://o.example/d/\n\n--o\n" +
		"Content-ID: <out@x>\n\n--o\n"
	for _, head := range []string{"Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n",
		"Content-Type: application/octet-stream; name=a.eml\n"} {
		m := parse(t, outer+head+"\n"+inner+"\n--o--\n")
		e := m.Root.Parts[1]
		l, err := e.Leaf()
		if err != nil {
			t.Fatal(err)
		}
		in := new(Message)
		in.ResetEnclosed(l, Limits{})
		page := in.Root.Parts[0]
		if in.Root.Section != "2" || page.Section != "2.1" || in.Root.Parts[1].Section != "2.2" {
			t.Errorf("%q: sections %q, %q, %q, want 2, 2.1, 2.2", head,
				in.Root.Section, page.Section, in.Root.Parts[1].Section)
		}
		if len(e.Parts) > 0 || e.Enclosures() != 0 || page.Enclosures() != 1 {
			t.Errorf("%q: %d parts, enclosures %d and %d, want 0, 0, 1",
				head, len(e.Parts), e.Enclosures(), page.Enclosures())
		}
		layer := page.Layer(nil)
		if uri, _ := layer.Base(nil); uri != "http://o.example/d/" || !layer.Across {
			t.Errorf("%q: base %q, across messages %v, want http://o.example/d/, true", head, uri, layer.Across)
		}
		if page.Protected() == "" || page.Protected() != e.Protected() {
			t.Errorf("%q: Protected %q, want %q of the part", head, page.Protected(), e.Protected())
		}
		names := m.InMessage(nil, nil)(page)
		for uri, want := range map[string]bool{"cid:in@x": true, "cid:out@x": true, "cid:none@x": false} {
			if has := names([]byte(uri), []byte(uri)); has != want || page.Missing([]byte(uri)) == want {
				t.Errorf("%q: %s names a part: %v, is missing: %v, want %v, %v",
					head, uri, has, page.Missing([]byte(uri)), want, !want)
			}
		}
	}
}

// The root of an enclosed message that is not a multipart has its own number, as in the tree.
func TestResetEnclosedSingle(t *testing.T) {
	m := parse(t,
		"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"+
			strings.TrimSpace("Q29udGVudC1UeXBlOiB0ZXh0L2h0bWwKCjxhIGhyZWY9eD4=")+"\n")
	l, err := m.Root.Leaf()
	if err != nil {
		t.Fatal(err)
	}
	in := new(Message)
	in.ResetEnclosed(l, Limits{})
	if in.Root.Section != "1.1" || !in.Root.HTML() {
		t.Errorf("section %q, type %q, want 1.1, text/html", in.Root.Section, in.Root.MediaType())
	}
}
