package main

import (
	"fmt"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/console"
	"absolink/extract"
)

// skipsDKIM reports whether messages are left alone whose DKIM signature edits
// would break: by default where nothing else keeps the original.
func (x *rewriting) skipsDKIM() bool {
	if x.dkim == "" {
		return x.inPlace
	}
	return x.dkim == "skip"
}

// sumUpSignatures says how many messages and parts a signature concerned, and
// which flag decides what becomes of them.
func (x *rewriting) sumUpSignatures() {
	t := &x.r.totals
	if x.quiet {
		return
	}
	if t.DKIM > 0 {
		messages := console.Plural(t.DKIM, "message has a DKIM, ARC or DomainKeys signature", "messages have DKIM, ARC or DomainKeys signatures")
		switch {
		case x.skipsDKIM() && x.inPlace:
			x.r.con.Printf("%s that edits break: left as written; -o DIR writes edited copies, --dkim rewrite edits them here", messages)
		case x.skipsDKIM():
			x.r.con.Printf("%s that edits break: left as written, by --dkim skip", messages)
		case x.inPlace:
			x.r.con.Printf("%s that the edits break; --dkim skip leaves them as written", messages)
		default:
			x.r.con.Printf("%s that the edits break; the originals are unchanged, --dkim skip leaves the copies as written too", messages)
		}
	}
	if t.Signed > 0 {
		parts := console.Plural(t.Signed, "part is signed, encrypted or not to be edited", "parts are signed, encrypted or not to be edited")
		x.r.con.Printf("%s: left as written; --break-signatures edits what is signed", parts)
	}
	if t.Broken > 0 {
		x.r.con.Printf("%s, by --break-signatures", console.Plural(t.Broken, "signed part was edited", "signed parts were edited"))
	}
}

// dkimFlag is the flag --dkim. It is a pflag.Value.
type dkimFlag string

func (d *dkimFlag) String() string { return string(*d) }

// Type names the value for the help text.
func (d *dkimFlag) Type() string { return "P" }

// Set takes skip or rewrite.
func (d *dkimFlag) Set(v string) error {
	if v != "skip" && v != "rewrite" {
		return fmt.Errorf("%q is none of skip, rewrite", v)
	}
	*d = dkimFlag(v)
	return nil
}

// baseElement is the flag --base-element. It is a pflag.Value.
type baseElement struct{ extract.BaseElement }

// baseElements are its values, in the order of the constants.
var baseElements = []string{extract.KeepBase: "keep", extract.DropBase: "drop", extract.AbsolutizeBase: "absolutize"}

func (b *baseElement) String() string { return baseElements[b.BaseElement] }

// Type names the value for the help text.
func (b *baseElement) Type() string { return "P" }

// Set takes one of the values.
func (b *baseElement) Set(v string) error {
	n := slices.Index(baseElements, v)
	if n < 0 {
		return fmt.Errorf("%q is none of %s", v, strings.Join(baseElements, ", "))
	}
	b.BaseElement = extract.BaseElement(n)
	return nil
}
