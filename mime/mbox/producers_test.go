package mbox

import (
	"slices"
	"strings"
	"testing"

	"absolink/mime"
)

// Mailboxes as known programs write them.
var producers = []struct {
	name, in string
	want     []string // separators and subjects
}{
	{"Thunderbird", "From - Thu Jan 01 10:00:00 2015\r\nX-Mozilla-Status: 0001\r\nX-Mozilla-Status2: 00000000\r\n" +
		"X-Mozilla-Keys:                                                 \r\nSubject: one\r\n\r\nFrom the start\r\n" +
		"it writes this as it is\r\n\r\n" +
		"From - Thu Jan 01 11:00:00 2015\r\nX-Mozilla-Status: 0009\r\nSubject: two\r\n\r\ndeleted, not compacted\r\n" +
		"\r\n",
		[]string{"From - Thu Jan 01 10:00:00 2015\r\n", "one", "From - Thu Jan 01 11:00:00 2015\r\n", "two"}},
	{"Thunderbird, newer",
		"From \r\nX-Mozilla-Status: 0001\r\nSubject: one\r\n\r\n>From there\r\n\r\nFrom \r\nX-Mozilla-Status: " +
			"0001\r\nSubject: two\r\n\r\nbody\r\n",
		[]string{"From \r\n", "one", "From \r\n", "two"}},
	{"Gmail Takeout", "From 1789123456789012345@xxx Thu Jan 01 10:00:00 +0000 2015\nX-GM-THRID: 1789123456789012345\n" +
		"X-Gmail-Labels: =?UTF-8?Q?Posteingang,Ge=C3=B6ffnet?=\nSubject: one\n\nbody\n\n" +
		"From 1789123456789012346@xxx Thu Jan 01 11:00:00 +0000 2015\nX-GM-THRID: 1789123456789012345\nSubject: two\n" +
		"\n>From here\n",
		[]string{"From 1789123456789012345@xxx Thu Jan 01 10:00:00 +0000 2015\n", "one",
			"From 1789123456789012346@xxx Thu Jan 01 11:00:00 +0000 2015\n", "two"}},
	{"Gmail Takeout, CRLF in messages",
		"From 1@xxx Thu Jan 01 10:00:00 +0000 2015\nX-GM-THRID: 1\r\nSubject: one\r\n\r\nbody\r\n\n" +
			"From 2@xxx Thu Jan 01 11:00:00 +0000 2015\nX-GM-THRID: 2\r\nSubject: two\r\n\r\nbody\r\n\n",
		[]string{"From 1@xxx Thu Jan 01 10:00:00 +0000 2015\n", "one",
			"From 2@xxx Thu Jan 01 11:00:00 +0000 2015\n", "two"}},
	{"Eudora, no blank lines",
		"From ???@??? Thu Jan 01 10:00:00 1998\r\nTo: a@x\r\nSubject: one\r\n\r\n<x-html>\r\n<a href=\"x\">\r\n</" +
			"x-html>\r\n" +
			"From ???@??? Thu Jan 01 11:00:00 1998\r\nTo: a@x\r\nSubject: two\r\n\r\nbody\r\n",
		[]string{"From ???@??? Thu Jan 01 10:00:00 1998\r\n", "one",
			"From ???@??? Thu Jan 01 11:00:00 1998\r\n", "two"}},
	{"Eudora on a Macintosh",
		"From ???@??? Thu Jan 01 10:00:00 1998\rSubject: one\r\rbody\rFrom ???@??? Thu Jan 01 11:00:00 " +
			"1998\rSubject: two\r\rbody\r\r",
		[]string{"From ???@??? Thu Jan 01 10:00:00 1998\r", "one", "From ???@??? Thu Jan 01 11:00:00 1998\r", "two"}},
	{"Pine", "From MAILER-DAEMON Thu Jan  1 10:00:00 1998\nDate: 01 Jan 1998 10:00:00 +0000\nFrom: Mail System " +
		"Internal Data <MAILER-DAEMON@x>\n" +
		"Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\nX-IMAP: 0883648800 0000000002\nStatus: RO\n\n" +
		"This text is part of the internal format of your mail folder, and is not\na real message.\n\n" +
		"From a@x Thu Jan  1 10:00:00 1998 +0000\nX-Status: \nX-UID: 1\nSubject: two\n\nbody\n\n",
		[]string{"From MAILER-DAEMON Thu Jan  1 10:00:00 1998\n", "DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA",
			"From a@x Thu Jan  1 10:00:00 1998 +0000\n", "two"}},
	{"mutt", "From a@x Thu Jan  1 10:00:00 2015\nDate: Thu, 1 Jan 2015 10:00:00 +0000\nSubject: one\nContent-Length: " +
		"5\nLines: 1\n\nbody\n\n" +
		"From b@x Thu Jan  1 11:00:00 2015\nSubject: two\nContent-Length: 11\nLines: 1\n\n>From here\n\n",
		[]string{"From a@x Thu Jan  1 10:00:00 2015\n", "one", "From b@x Thu Jan  1 11:00:00 2015\n", "two"}},
	{"Dovecot", "From a@x  Thu Jan  1 10:00:00 2015\nX-IMAPbase: 1420106400 0000000002            \nX-UID: 1         " +
		"            \nStatus: RO\n" +
		"X-Keywords:                          \nContent-Length: 5\nSubject: one\n\nbody\n\nFrom b@x  Thu Jan  1 " +
		"11:00:00 2015\nX-UID: 2\nStatus: O\nSubject: two\n\nbody\n\n",
		[]string{"From a@x  Thu Jan  1 10:00:00 2015\n", "one", "From b@x  Thu Jan  1 11:00:00 2015\n", "two"}},
	{"list archive",
		"From a at x.example  Thu Jan  1 10:00:00 2015\nFrom: a at x.example (A)\nSubject: one\n\nbody\n\n\n" +
			"From b at x.example  Thu Jan  1 11:00:00 2015\nFrom: b at x.example (B)\nSubject: two\n\nbody\n\n\n",
		[]string{"From a at x.example  Thu Jan  1 10:00:00 2015\n", "one",
			"From b at x.example  Thu Jan  1 11:00:00 2015\n", "two"}},
	{"UUCP", "From a Thu Jan  1 10:00:00 1987 remote from host\nReceived: by x\nSubject: one\n\nbody\n\n" +
		"From host!b Thu Jan  1 11:00 MET 1987\n>From host2!b Thu Jan  1 10:59 1987 remote from host2\nSubject: two\n" +
		"\nbody\n",
		[]string{"From a Thu Jan  1 10:00:00 1987 remote from host\n",
			"one", "From host!b Thu Jan  1 11:00 MET 1987\n", "two"}},
	{"readpst", "From \"A B\" Thu Jan  1 10:00:00 2015\nStatus: RO\nSubject: one\n\nbody\n\n\nFrom \"MAILER-DAEMON\" " +
		"Thu Jan  1 11:00:00 2015\nStatus: RO\nSubject: two\n\nbody\n\n",
		[]string{"From \"A B\" Thu Jan  1 10:00:00 2015\n", "one",
			"From \"MAILER-DAEMON\" Thu Jan  1 11:00:00 2015\n", "two"}},
	{"date as in RFC 822",
		"From a@x Thu, 01 Jan 2015 10:00:00 +0000\nSubject: one\n\nbody\n\nFrom b@x Thu, 01 Jan 2015 11:00:00 +0000\n" +
			"Subject: two\n\nbody\n",
		[]string{"From a@x Thu, 01 Jan 2015 10:00:00 +0000\n", "one",
			"From b@x Thu, 01 Jan 2015 11:00:00 +0000\n", "two"}},
}

func TestProducers(t *testing.T) {
	for _, tt := range producers {
		for _, v := range []Variant{RD, O, CL, CL2} {
			for how, r := range readers(t, tt.in, Options{Variant: v}) {
				var got []string
				var text strings.Builder
				for _, m := range list(r) {
					g := see(t, m)
					text.WriteString(g.all())
					parsed, err := m.Parse(mime.Limits{})
					if err != nil {
						t.Fatal(err)
					}
					subject, _ := parsed.Root.Get("Subject")
					got = append(got, g.sep, subject)
				}
				if !slices.Equal(got, tt.want) || text.String() != tt.in {
					t.Errorf("%s, %s, %s: got %q, want %q", tt.name, v, how, got, tt.want)
				}
			}
		}
	}
}
