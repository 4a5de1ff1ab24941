package mime

import (
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-message/mail"
)

func TestPlainDate(t *testing.T) {
	plain := map[string]string{
		"Tue, 3 Feb 2026 04:05:06 +0100":         "2026-02-03T04:05:06+01:00",
		"Tue, 03 Feb 2026 04:05:06 +0100":        "2026-02-03T04:05:06+01:00",
		"3 Feb 2026 04:05:06 -0930":              "2026-02-03T04:05:06-09:30",
		"Sun, 31 Dec 1999 23:59:59 +0000":        "1999-12-31T23:59:59Z",
		"Sun, 29 Feb 2004 00:00:00 -0000":        "2004-02-29T00:00:00Z",
		"Mon, 1 Jan 0001 00:00:00 +2359":         "0001-01-01T00:00:00+23:59",
		"Wed, 4 Mar 2026 12:30:00 -0700 (PDT)":   "2026-03-04T12:30:00-07:00",
		"Thu, 9 Apr 2026 10:20:30 +0200 (CesT)":  "2026-04-09T10:20:30+02:00",
		"Sat, 15 Aug 2026 10:20:30 +0530 (a)":    "2026-08-15T10:20:30+05:30",
		"Fri, 30 Oct 2026 10:20:30 +1400 (z)":    "2026-10-30T10:20:30+14:00",
		"Mon, 30 Nov 2026 10:20:30 -1200 ()":     "2026-11-30T10:20:30-12:00",
		"Tue, 2 Jun 2026 10:20:30 +0000 (UTC)":   "2026-06-02T10:20:30Z",
		"Tue, 7 Jul 2026 10:20:30 +0059":         "2026-07-07T10:20:30+00:59",
		"Tue, 8 Sep 2026 10:20:30 +0100 (Green)": "2026-09-08T10:20:30+01:00",
		"Fri, 1 May 2026 20:00:00 +0000":         "2026-05-01T20:00:00Z",
	}
	for s, want := range plain {
		got, ok := plainDate(s)
		if !ok || got.Format(time.RFC3339) != want {
			t.Errorf("plainDate(%q): got %v and %v, want %s", s, got.Format(time.RFC3339), ok, want)
		}
	}
	other := []string{"", "x", "Tue, ", "Tue, 3 Feb 2026",
		"Xyz, 3 Feb 2026 04:05:06 +0100", "Tue,3 Feb 2026 04:05:06 +0100",
		"Tue, 3 Feb 2026 04:05 +0100", "Tue, 3 Feb 26 04:05:06 +0100", "Tue, 3 Feb 2026 04:05:06 GMT",
		"Tue, 3 FEB 2026 04:05:06 +0100", "Tue, 3  Feb 2026 04:05:06 +0100", "Tue, 0 Feb 2026 04:05:06 +0100",
		"Tue, 30 Feb 2026 04:05:06 +0100", "Tue, 31 Apr 2026 04:05:06 +0100", "Tue, 3 Feb 2026 24:05:06 +0100",
		"Tue, 3 Feb 2026 04:60:06 +0100", "Tue, 3 Feb 2026 04:05:60 +0100", "Tue, 3 Feb 2026 04:05:06 +2400",
		"Tue, 3 Feb 2026 04:05:06 +0160", "Tue, 3 Feb 2026 04:05:06 *0100", "Tue, 3 Feb 2026 04:05:06 +0100 CET",
		"Tue, 3 Feb 2026 04:05:06 +0100 (C T)", "Tue, 3 Feb 2026 04:05:06 +0100(CET)", "Tue, 3 Feb 2026 04.05.06 +0100",
		"Tue, 3 Feb 2026 04:05:06 +0100 (", "Tue, 3 Feb 2026 04:05:06.5 +0100", "Tue, 3 Feb -206 04:05:06 +0100",
		"Tue, 3 Feb 2026 -4:05:06 +0100", "Tue, +3 Feb 2026 04:05:06 +0100", "Tue, 3 Feb 2026 04:05:06 +01",
		"Tue, 3-Feb-2026 04:05:06 +0100", "Tue, 003 Feb 2026 04:05:06 +0100"}
	for _, s := range other {
		if got, ok := plainDate(s); ok {
			t.Errorf("plainDate(%q): got %v, want none", s, got)
		}
	}
}

// zones are local time zones in which dates are compared.
var zones = []*time.Location{time.UTC, time.FixedZone("X", 2*3600), time.FixedZone("", -7*3600)}

// sameDate reports an error if plainDate reads a date otherwise than net/mail.
func sameDate(t *testing.T, s string) {
	t.Helper()
	local := time.Local
	defer func() { time.Local = local }()
	for _, time.Local = range zones {
		got, ok := plainDate(s)
		if !ok {
			return
		}
		want, err := netmail.ParseDate(s)
		if err != nil || !got.Equal(want) || got.String() != want.String() ||
			got.Location().String() != want.Location().String() {
			t.Errorf("plainDate(%q) in zone %v: got %v in %v, want %v in %v, %v",
				s, time.Local, got, got.Location(), want, want.Location(), err)
		}
	}
}

var dateSeeds = []string{"Tue, 3 Feb 2026 04:05:06 +0100 (CET)", "31 Dec 1999 23:59:59 -0000",
	"Sun, 29 Feb 2005 00:00:00 +2400", "Mon, 1 Jun 2026 10:20:30 -0700"}

// With any byte instead of each byte, before it or without it, a date is read as by net/mail.
func TestPlainDateBytes(t *testing.T) {
	for _, s := range dateSeeds {
		sameDate(t, s)
		for i := range s {
			sameDate(t, s[:i]+s[i+1:])
			for c := range byte(127) {
				sameDate(t, s[:i]+string(rune(c))+s[i+1:])
				sameDate(t, s[:i]+string(rune(c))+s[i:])
			}
		}
	}
}

func FuzzPlainDate(f *testing.F) {
	for _, s := range dateSeeds {
		f.Add(s)
	}
	f.Fuzz(sameDate)
}

func TestPlainID(t *testing.T) {
	for s, want := range map[string]bool{
		"<a@b>": true, "<a.b-1@c.example>": true, "<!#$%&'*+-/=?^_`{|}~9Z@x>": true,
		"": false, "<>": false, "<@>": false, "<a@>": false, "<@b>": false, "a@b": false, "<a@b": false, "a@b>": false,
		"<ab>": false, "<a@b@c>": false, "<.a@b>": false, "<a.@b>": false, "<a..b@c>": false, "<a@.b>": false,
		"<a@b.>": false, "<a@[1.2]>": false, "<a b@c>": false, "<a@b> ": false, " <a@b>": false, "<a@b>x": false,
		"<é@b>": false, "<a@b>>": false, "<<a@b>": false, `<"a"@b>`: false,
	} {
		if got := isPlainID(s); got != want {
			t.Errorf("isPlainID(%q): got %v, want %v", s, got, want)
		}
	}
}

// sameID reports an error if go-message reads a plain Message-ID otherwise.
func sameID(t *testing.T, s string) {
	t.Helper()
	if !isPlainID(s) {
		return
	}
	var h mail.Header
	h.Set("Message-ID", s)
	if id, err := h.MessageID(); err != nil || "<"+id+">" != s {
		t.Errorf("Message-ID %q: go-message reads %q and %v", s, id, err)
	}
}

func TestPlainIDBytes(t *testing.T) {
	for _, s := range []string{"<a.b@c.d>", "<a@b>", "<a..b@c>"} {
		for i := range s {
			for c := range byte(127) {
				sameID(t, s[:i]+string(rune(c))+s[i+1:])
				sameID(t, s[:i]+string(rune(c))+s[i:])
			}
		}
	}
}

func FuzzPlainID(f *testing.F) {
	f.Add("<a.b@c.d>")
	f.Add("<a@[1.2]>")
	f.Fuzz(sameID)
}

// The values of a message that is not plain come from go-message.
func TestIdentity(t *testing.T) {
	for head, want := range map[string]string{
		"Date: Tue, 3 Feb 2026 04:05:06 +0100\nMessage-ID: <a@b>\n":     "2026-02-03T04:05:06+01:00 <a@b>",
		"Date: Tue,\n 3 Feb 2026 04:05:06 +0100\nMessage-ID:\n <a@b>\n": "2026-02-03T04:05:06+01:00 <a@b>",
		"Date: Tue, 03 Feb 26 04:05 GMT (a (b) c)\n":                    "2026-02-03T04:05:00Z ",
		"Message-ID: (x) <a@[1.2]> \n":                                  " <a@[1.2]>",
		"Date: 3 Feb\nMessage-ID: <a@b> <c@d>\n":                        " <a@b> date",
		"Date:\nMessage-ID:\n":                                          " ",
		"X: y\n":                                                        " ",
		"Date: 3 Feb 2026 04:05:06 +0100\nDate: x\n":                    "2026-02-03T04:05:06+01:00 ",
		"Message-ID: <a@b>\nMessage-ID: x\n":                            " <a@b>",
	} {
		v := parse(t, head+"\nbody").Root.DateAndID()
		date := ""
		if !v.Date.IsZero() {
			date = v.Date.Format(time.RFC3339)
		}
		got := strings.Join(append([]string{date, v.MessageID}, v.Quirks...), " ")
		if got != want {
			t.Errorf("%q: got %q, want %q", head, got, want)
		}
	}
}
