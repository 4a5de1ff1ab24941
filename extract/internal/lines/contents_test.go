package lines_test

import (
	"bytes"
	"strings"
	"testing"

	"absolink/extract/internal/readingtest"
)

// placed returns offset, element, attribute, kind and value of the references of d.
func placed(t *testing.T, d *readingtest.Doc) string {
	t.Helper()
	var got []string
	for r := range d.Refs() {
		got = append(got, strings.Join([]string{r.Element, r.Attr, r.Kind.String(), string(r.Value)}, " "))
		if !r.ListOnly {
			t.Errorf("%q: %s is not only listed", d.Data, r.Value)
		}
	}
	return strings.Join(got, ", ")
}

func TestCalendar(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"nothing", "", ""},
		{"blank lines", "\r\n\r\n \r\n", ""},
		{"url (RFC 5545 3.8.4.6)", "URL:http://example.com/pub/calendars/jsmith/mytime.ics\r\n",
			"calendar url nav http://example.com/pub/calendars/jsmith/mytime.ics"},
		{"in lower case, no line end", "url:http://a.example/", "calendar url nav http://a.example/"},
		{"LF", "URL:http://a.example/\nX:y\n", "calendar url nav http://a.example/"},
		{"CR", "URL:http://a.example/\rX:y\r", "calendar url nav http://a.example/"},
		{"empty", "URL:\r\nURL: \r\n", ""},
		{"attach (RFC 5545 3.8.1.1)", "ATTACH:CID:jsmith.part3.960817T083000.xyzMail@example.com\r\n",
			"calendar attach res CID:jsmith.part3.960817T083000.xyzMail@example.com"},
		{"attach, inline", "ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:aHR0cDovL24=\r\n", ""},
		{"attach, FMTTYPE (RFC 5545 3.2.8)",
			"ATTACH;FMTTYPE=application/postscript:ftp://example.com/pub/reports/r-960812.ps\r\n",
			"calendar attach res ftp://example.com/pub/reports/r-960812.ps"},
		{"attach without a scheme", "ATTACH;VALUE=URI:Basso\r\n", "calendar attach res Basso"},
		{"image (RFC 7986 5.10)",
			"IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=image/png:http://example.com/images/party.png\r\n",
			"calendar image res http://example.com/images/party.png"},
		{"image, inline", "IMAGE;VALUE=BINARY;ENCODING=BASE64:AAAA\r\n", ""},
		{"source (RFC 7986 5.8)", "SOURCE;VALUE=URI:https://example.com/holidays.ics\r\n",
			"calendar source service https://example.com/holidays.ics"},
		{"conference (RFC 7986 5.11)",
			"CONFERENCE;VALUE=URI;FEATURE=PHONE,MODERATOR;\r\n LABEL=Moderator dial-in:tel:+1-412-555-0123,,," +
				"654321\r\n", "calendar conference nav tel:+1-412-555-0123,,,654321"},
		{"attendee", "ATTENDEE;CN=\"Henry; Cabot: x\":mailto:h@example.com\r\nATTENDEE:nobody\r\n",
			"calendar attendee nav mailto:h@example.com"},
		{"dir (RFC 5545 3.2.6)",
			"ORGANIZER;DIR=\"ldap://example.com:6666/o=ABC%20Industries," +
				"c=US???(cn=Jim%20Dolittle)\":mailto:jimdo@example.com\r\n",
			"organizer dir nav ldap://example.com:6666/o=ABC%20Industries,c=US???(cn=Jim%20Dolittle), calendar " +
				"organizer nav mailto:jimdo@example.com"},
		{"member (RFC 5545 3.2.11)",
			"ATTENDEE;MEMBER=\"mailto:projectA@example.com\",\"mailto:pr\r\n " +
				"ojectB@example.com\":mailto:janedoe@example.com\r\n",
			"attendee member nav mailto:projectA@example.com, attendee member nav mailto:projectB@example.com, " +
				"calendar attendee nav mailto:janedoe@example.com"},
		{"altrep (RFC 5545 3.2.1)",
			"DESCRIPTION;ALTREP=\"CID:part3.msg.970415T083000@example.com\":Project XYZ Review Meeting will include " +
				"the following\r\n", "description altrep nav CID:part3.msg.970415T083000@example.com"},
		{"carets (RFC 6868)", "SUMMARY;ALTREP=\"http://a.example/^^b^'^x\":c\r\n",
			"summary altrep nav http://a.example/^b\"^x"},
		{"folded in the name and in a URI", "U\r\n RL:http\r\n\t://a.exam\n ple/\r\n",
			"calendar url nav http://a.example/"},
		{"folded in a character", "DESCRIPTION:\xc3\r\n \xa4 http://a.example/ \xe2\r\n \x82\r\n \xac\r\n",
			"calendar description nav http://a.example/"},
		{"escapes in text",
			`DESCRIPTION:see http://a.example/b\,c\nor\nhttp://d.example/\;e\, and <http://f.example/>.` +
				"\r\n", "calendar description nav http://a.example/b,c, calendar description nav http://d.example/;e," +
				" calendar description nav http://f.example/"},
		{"escapes in a URI", `URL:http\://a.example/b\,c\;d\\e\f` + "\r\n",
			`calendar url nav http://a.example/b,c;d\e\f`},
		{"own property", "X-GOOGLE-CONFERENCE:https://meet.example/abc\r\nX-A;VALUE=URI:b\r\n",
			"calendar x-google-conference nav https://meet.example/abc, calendar x-a nav b"},
		{"unknown property", "RELATED-TO;VALUE=URI:https://a.example/b\r\nUID:http://n.example/\r\n",
			"calendar related-to nav https://a.example/b"},
		{"identifier (RFC 9253)", "CONCEPT:https://example.com/event-types/arts\r\n",
			"calendar concept identifier https://example.com/event-types/arts"},
		{"URL that is text", "URL;VALUE=TEXT:here\r\nURL;VALUE=TEXT:http://a.example/\r\n",
			"calendar url nav http://a.example/"},
		{"no content lines",
			"URL\r\n:http://n.example/\r\nURL;X=\"http://n.example/\r\n;:\r\n*:n\r\n*;X=y:http://n.example/\r\n", ""},
		{"markup of Outlook",
			"X-ALT-DESC;FMTTYPE=text/html:<!DOCTYPE HTML>\\n<HTML><BODY>\\nsee <A HREF=\"http://a.ex\r\n ample/?b\\," +
				"c&amp\\;d\"><IMG SRC='https://b.example/i.png'>\\n\r\n",
			"a href nav http://a.example/?b,c&d, img src res https://b.example/i.png"},
		{"markup that is relative",
			"STYLED-DESCRIPTION;VALUE=TEXT;FMTTYPE=Text/HTML:<a href=\"b.html\" rel=next>x</a>\r\nURL:http://" +
				"a.example/\r\n",
			"a href nav b.html, calendar url nav http://a.example/"},
		{"type in quotes", "X-ALT-DESC;FMTTYPE=\"text/html\":<a href=http://a.example/>\r\n" +
			"X-ALT-DESC;FMTTYPE=\"text/plain\":http://b.example/\r\n",
			"a href nav http://a.example/, calendar x-alt-desc nav http://b.example/"},
		{"other markup", "X-ALT-DESC;FMTTYPE=application/rtf:http://n.example/\r\n", ""},
	}
	for _, tt := range tests {
		d := calendar(tt.data)
		if got := placed(t, d); got != tt.want {
			t.Errorf("%s: Refs(%q) = %s, want %s", tt.name, tt.data, got, tt.want)
		}
	}
}

func TestCard(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"url (RFC 6350 6.7.8)", "URL:http://example.org/restaurant.french/~chezchic.html\r\n",
			"vcard url nav http://example.org/restaurant.french/~chezchic.html"},
		{"group", "item1.URL;type=pref:http\\://a.example/\r\nitem1.X-ABLabel:_$!<HomePage>!$_\r\n",
			"vcard url nav http://a.example/"},
		{"photo (RFC 6350 6.2.4)", "PHOTO:http://www.example.com/pub/photos/jqpublic.gif\r\n",
			"vcard photo res http://www.example.com/pub/photos/jqpublic.gif"},
		{"photo in a data URI", "PHOTO:data:image/jpeg;base64,MIIC\r\n AjCC\r\n",
			"vcard photo res data:image/jpeg;base64,MIICAjCC"},
		{"photo (RFC 2426 3.1.4)",
			"PHOTO;VALUE=uri:http://www.abc.com/pub/photos/jqpublic.gif\r\nPHOTO;ENCODING=b;TYPE=JPEG:MIICajCC\r\n  " +
				"AgKg\r\n", "vcard photo res http://www.abc.com/pub/photos/jqpublic.gif"},
		{"photo, vCard 2.1",
			"VERSION:2.1\r\nPHOTO;VALUE=URL:file:///jqpublic.gif\r\nLOGO;GIF;BASE64:\r\n    R0lGODdh\r\n\r\n",
			"vcard photo res file:///jqpublic.gif"},
		{"quoted-printable",
			"VERSION:2.1\r\nURL;ENCODING=QUOTED-PRINTABLE:http://a.example/?b=3D=\r\nc=3d=\r\n d=zz\r\nURL;" +
				"QUOTED-PRINTABLE:http://b.example/=C3=A9\r\n",
			"vcard url nav http://a.example/?b=c=d=zz, vcard url nav http://b.example/\u00e9"},
		{"quoted-printable note",
			"VERSION:2.1\nNOTE;ENCODING=QUOTED-PRINTABLE:a=0D=0A=\nhttp://a.example/b=0D=0Ac\nURL:x:y",
			"vcard note nav http://a.example/b, vcard url nav x:y"},
		{"quoted-printable, another charset", "URL;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:http://a.example/=E9",
			"vcard url nav http://a.example/\ufffd"},
		{"quoted-printable to the end", "URL;QUOTED-PRINTABLE:http://a.example/=\r\n",
			"vcard url nav http://a.example/="},
		{"fold of 2.1 keeps the blank",
			"BEGIN:VCARD\r\nVERSION:2.1\r\nNOTE:see\r\n http://a.example/\r\n and\r\nEND:VCARD\r\nBEGIN:VCARD\r\n" +
				"NOTE:see http\r\n ://b.example/\r\n",
			"vcard note nav http://a.example/, vcard note nav http://b.example/"},
		{"blanks in a URI of 2.1", "VERSION:2.1\r\nURL:http://a.example/b\r\n c\r\n",
			"vcard url nav http://a.example/bc"},
		{"calendars (RFC 6350 6.9)",
			"FBURL;PREF=1:http://www.example.com/busy/janedoe\r\nCALADRURI;PREF=1:mailto:janedoe@example.com\r\n" +
				"CALURI;MEDIATYPE=text/calendar:ftp://ftp.example.com/calA.ics\r\n",
			"vcard fburl service http://www.example.com/busy/janedoe, vcard caladruri nav mailto:janedoe@example.com," +
				" vcard caluri service ftp://ftp.example.com/calA.ics"},
		{"telephone",
			"TEL;VALUE=uri;PREF=1;TYPE=\"voice,home\":tel:+1-555-555-5555;ext=5555\r\nTEL;HOME:+1-213-555-1234\r\n",
			"vcard tel nav tel:+1-555-555-5555;ext=5555"},
		{"profiles", "SOCIALPROFILE;SERVICE-TYPE=Mastodon:https://example.com/@foo\r\nX-SOCIALPROFILE;" +
			"type=twitter:x-apple:foo\r\nSOCIALPROFILE;VALUE=text:peter94\r\n",
			"vcard socialprofile nav https://example.com/@foo, vcard x-socialprofile nav x-apple:foo"},
		{"key", "KEY;MEDIATYPE=application/pgp-keys:ftp://example.com/keys/jdoe\r\nKEY;PGP:abc\r\n",
			"vcard key res ftp://example.com/keys/jdoe"},
		{"position (RFC 6350 5.10)",
			"ADR;GEO=\"geo:12.3457,78.910\":;;123 Main Street\r\nGEO:geo:37.386013,-122.082932\r\nGEO:37.386;" +
				"-122.082\r\n", "adr geo nav geo:12.3457,78.910, vcard geo nav geo:37.386013,-122.082932"},
		{"names", "UID:urn:uuid:f81d4fae\r\nUID:19950401-080045-40000F192713-0052\r\nMEMBER:mailto:a@b.example\r\n",
			"vcard uid identifier urn:uuid:f81d4fae, vcard member identifier mailto:a@b.example"},
		{"name of one letter", "PHOTO:C:\\\\photo.jpg\r\n", ""},
	}
	for _, tt := range tests {
		d := card(tt.data)
		if got := placed(t, d); got != tt.want {
			t.Errorf("%s: Refs(%q) = %s, want %s", tt.name, tt.data, got, tt.want)
		}
	}
}

// TestContentLineSpans: a span covers the raw bytes of the reference, including folds.
func TestContentLineSpans(t *testing.T) {
	tests := []struct {
		name, charset, data string
		want                []string
	}{
		{"folds", "", "URL: http://a\r\n .example/ \r\n", []string{"http://a\r\n .example/"}},
		{"escapes", "", `DESCRIPTION:a\, http://b/\,c\nd`, []string{`http://b/\,c`}},
		{"parameter", "", "SUMMARY;ALTREP=\"cid:^^\":http://b/", []string{"cid:^^", "http://b/"}},
		{"quoted-printable", "", "URL;QUOTED-PRINTABLE:http://a/=3D=\nb", []string{"http://a/=3D=\nb"}},
		{"markup", "", "X-ALT-DESC;FMTTYPE=text/html:<a href=\"http://a/\r\n \\,b&amp\\;c\">\\n<a href=d>",
			[]string{"http://a/\r\n \\,b&amp\\;c", "d"}},
		{"after a folded character", "", "COMMENT:\xe2\r\n \x82\xac http://a/", []string{"http://a/"}},
		{"Shift JIS", "shift_jis", "COMMENT:\x83\x5c\\n http://a/", []string{"http://a/"}},
	}
	for _, tt := range tests {
		d := calendar(tt.data)
		d.Charset = tt.charset
		var got []string
		for r := range d.Refs() {
			got = append(got, tt.data[r.Start:r.End])
		}
		if strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("%s: spans of Refs(%q) = %q, want %q", tt.name, tt.data, got, tt.want)
		}
	}
}

// TestContentLinesUTF16 reads a calendar in a charset that is decoded as a whole.
func TestContentLinesUTF16(t *testing.T) {
	data := readingtest.UTF16("X:\u00e9\r\nURL:http://a.ex\r\n ample/\r\n", false)
	for r := range calendar(string(data)).Refs() {
		raw := bytes.ReplaceAll(data[r.Start:r.End], []byte{0}, nil)
		if string(r.Value) != "http://a.example/" || string(raw) != "http://a.ex\r\n ample/" {
			t.Errorf("Refs() = %q at %q, want http://a.example/", r.Value, raw)
		}
		return
	}
	t.Error("no references, want one")
}

// FuzzContentLines folds lines again: folds never matter (RFC 5545 section 3.1).
func FuzzContentLines(f *testing.F) {
	f.Add("URL;X=\"a:b\":http\\://a.example/?b", uint8(3), true)
	f.Add("DESCRIPTION;ALTREP=\"cid:^^x\":\u20ac http://a.example/\\,b\\n", uint8(1), false)
	f.Add("item.NOTE;CHARSET=UTF-8:mailto:a@b.example <http://c.example/d>", uint8(9), true)
	f.Fuzz(func(t *testing.T, line string, width uint8, isCard bool) {
		if strings.ContainsAny(line, "\r\n") || strings.Contains(strings.ToLower(line), "quoted-printable") ||
			strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			return
		}
		format := calendar
		if isCard {
			format = card
		}
		var folded strings.Builder
		for i := range len(line) {
			if i > 0 && i%(int(width)+1) == 0 {
				folded.WriteString("\r\n\t")
			}
			folded.WriteByte(line[i])
		}
		read := func(s string) string {
			d := format("X:y\r\n" + s + "\r\n")
			d.Charset = "utf-8"
			return placed(t, d)
		}
		if got, want := read(folded.String()), read(line); got != want {
			t.Errorf("%q folded: %s, want %s", line, got, want)
		}
	})
}
