package account

import (
	"slices"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// Doubt prints messages about values of the flag that look wrong. The run goes on, and each message
// counts as a problem and a defect.
func (a *Account) Doubt(flag string, messages []string) {
	for _, text := range messages {
		a.Totals.Problems++
		a.Totals.AddFault()
		if !a.o.Quiet {
			a.Console.Printf("%s: %s", flag, text)
		}
	}
}

// NoteUnresolved adds notes to e about links without an absolute URI and links whose target is
// unknown. links has their numbers in e and in its items.
func (a *Account) NoteUnresolved(e *report.Entry, links report.Unresolved) {
	if n := links.MissingParts; n > 0 {
		e.Problems.Note("", console.Plural(n, "cid: reference names", "cid: references name")+
			" no part of the message; extract --format jsonl shows them with the warning missing-part")
	}
	if n := links.UnusableBases.N; n > 0 {
		e.Problems.Note("",
			console.Plural(n, "reference is", "references are")+" unresolved: "+links.UnusableBases.Reason+
				"; "+a.otherBase()+" another base")
	}
	if n := links.WithoutBase; n > 0 {
		e.Problems.Note("", console.Plural(n, "reference is", "references are")+
			" unresolved without a base; "+a.baseFlags(e)+" gives one")
	}
	if n := links.Suspect; n > 0 {
		e.Problems.Note("", console.Plural(n, "reference is", "references are")+
			" suspect, such as a piece of a template or the name of a part, and never change; extract --status "+
			"suspect --format jsonl shows them")
	}
	if n := links.Wrapped; n > 0 {
		e.Problems.Note("", console.Plural(n, "link stays wrapped: its target cannot be read",
			"links stay wrapped: their targets cannot be read")+
			"; extract --unwrap --format jsonl shows them with the warning wrapped")
	}
}

// otherBase returns the flag that gives a document another base, with its verb.
func (a *Account) otherBase() string {
	if a.o.ByClient {
		return "--force-base, a flag of the whole process, gives all documents"
	}
	return "--force-base gives"
}

// baseFlags names the flags that give a base to the input of e. It does not offer --root for mail:
// the directory of a message says nothing about its sender.
func (a *Account) baseFlags(e *report.Entry) string {
	mail := []string{input.Message.String(), input.MHTML.String(), input.Emlx.String(), input.Mbox.String()}
	switch {
	case a.o.ByClient:
		return `"url" in the frame or --default-base`
	case a.inputs.IsSingle():
		return "--base or --default-base"
	case slices.Contains(mail, e.Subject.Kind):
		return "--default-base"
	}
	return "--root DIR=URI or --default-base"
}
