package mime

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestEnvelope(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       Envelope
		date       string
	}{
		{"nothing", "X: y\n", Envelope{}, ""},
		{"all", "Message-ID: <a.b@c.example>\nDate: Tue, 3 Feb 2026 04:05:06 +0100 (CET)\nFrom: Ann <a@b.example>\n" +
			"Subject: On links\n",
			Envelope{Subject: "On links", From: "Ann <a@b.example>",
				MessageID: "<a.b@c.example>"}, "2026-02-03T04:05:06+01:00"},
		{"encoded words, folded",
			"subject: =?utf-8?Q?caf=C3=A9?=\n =?utf-8?B?IGF1?= lait\nFROM: =?iso-8859-1?Q?Andr=E9?= <a@b.example>,\n " +
				"c@d.example\n",
			Envelope{Subject: "café au lait", From: "André <a@b.example>, c@d.example"}, ""},
		{"a charset of the Encoding Standard", "Subject: =?koi8-r?B?8NLJ18XU?=\n", Envelope{Subject: "Привет"}, ""},
		{"an unknown charset", "Subject: =?x-none?Q?a?=\n",
			Envelope{Subject: "=?x-none?Q?a?=", Quirks: []string{"subject"}}, ""},
		{"an author without an address", "From: Ann at home\n",
			Envelope{From: "Ann at home", Quirks: []string{"from"}}, ""},
		{"a date in no format", "Date: yesterday\n", Envelope{Quirks: []string{"date"}}, ""},
		{"a Message-ID without brackets", "Message-ID: a b\n",
			Envelope{MessageID: "a b", Quirks: []string{"message-id"}}, ""},
		{"bytes of no charset", "Subject: caf\xe9\nFrom: \xe9 <a@b.example>\n",
			Envelope{Subject: "caf\xe9", From: "\xe9 <a@b.example>", Quirks: []string{"from"}}, ""},
		{"too long", "Subject: " + strings.Repeat("x", 999) + "é\n", Envelope{Subject: strings.Repeat("x", 999)}, ""},
		{"as long as allowed", "Subject: " + strings.Repeat("x", 1000) + "\n",
			Envelope{Subject: strings.Repeat("x", 1000)}, ""},
		{"one byte longer", "Subject: " + strings.Repeat("x", 1001) + "\n",
			Envelope{Subject: strings.Repeat("x", 1000)}, ""},
		{"cut in a character of two bytes", "Subject: " + strings.Repeat("é", 501) + "\n",
			Envelope{Subject: strings.Repeat("é", 500)}, ""},
		{"cut in a character of four bytes", "Subject: xxx" + strings.Repeat("\U0001F600", 250) + "\n",
			Envelope{Subject: "xxx" + strings.Repeat("\U0001F600", 249)}, ""},
		{"the first of two", "Subject: a\nSubject: b\n", Envelope{Subject: "a"}, ""},
	} {
		got := parse(t, c.head+"\nbody").Root.Envelope()
		date := ""
		if !got.Date.IsZero() {
			date = got.Date.Format(time.RFC3339)
		}
		if got.Subject != c.want.Subject || got.From != c.want.From || got.MessageID != c.want.MessageID ||
			date != c.date || !slices.Equal(got.Quirks, c.want.Quirks) {
			t.Errorf("%s: Envelope() = %+v, want %+v, date %s", c.name, got, c.want, c.date)
		}
	}
}

func BenchmarkEnvelope(b *testing.B) {
	e := inBytes([]byte("Received: x\nMessage-ID: <a.b@c.example>\nDate: Tue, 3 Feb 2026 04:05:06 +0100\nFrom: Ann "+
		"<a@b.example>\nSubject: On =?utf-8?Q?caf=C3=A9?=\n\nbody"), Limits{}).Root
	for b.Loop() {
		e.Envelope()
	}
}
