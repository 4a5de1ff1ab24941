package links

import (
	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve"
)

// A run may find no links because its documents have them only in places such as scripts, which are
// read only with a flag. Until a Finder has found a link, it reads each document again with these
// flags, and records the flags that would find references.

// readingFlags lists the flags that read references in more places. field returns the option that a
// flag sets.
var readingFlags = [...]struct {
	name  string
	field func(o *extract.Options) *bool
}{
	{"--lazy", func(o *extract.Options) *bool { return &o.Lazy }},
	{"--scripts", func(o *extract.Options) *bool { return &o.Scripts }},
	{"--comments", func(o *extract.Options) *bool { return &o.Comments }},
}

// HelpfulFlags returns the flags that [Finder.TryMoreOptions] has recorded.
func (o *Options) HelpfulFlags() (flags []string) {
	for i := range readingFlags {
		if o.helpful[i].Load() {
			flags = append(flags, readingFlags[i].name)
		}
	}
	return flags
}

// TryMoreOptions records the flags that would find references in d. If f has found a link in any
// document, it does nothing. Call it after the links of d have been read.
func (f *Finder) TryMoreOptions(d *document.Document) {
	if f.foundLink || d.Format.ListOnly() || d.Format == extract.Script {
		return
	}
	all := d.Options
	for _, more := range readingFlags {
		*more.field(&all) = true
	}
	if !f.hasReferences(d, all) {
		return
	}
	for i, more := range readingFlags {
		o := d.Options
		*more.field(&o) = true
		if o != d.Options && !f.o.helpful[i].Load() && f.hasReferences(d, o) {
			f.o.helpful[i].Store(true)
		}
	}
}

// hasReferences reports whether d has references when it is read with the options o.
func (f *Finder) hasReferences(d *document.Document, o extract.Options) bool {
	f.setTrial(d, o)
	for range f.trial.Refs() {
		return true
	}
	return false
}

// setTrial makes f.trial a copy of d with the options o.
func (f *Finder) setTrial(d *document.Document, o extract.Options) {
	f.trial.Reset()
	f.trial.Format = d.Format
	f.trial.Data = d.Data
	f.trial.Charset = d.Charset
	f.trial.Layer = d.Layer
	f.trial.Options = o
}

// FlagsForBase returns the flags with which d has more relative links whose base is a BASE of d. It
// leaves out links that resolve to the same URI if page, the URI of d, is their base. page is "" if
// it is unknown. at is the first of these links.
func (f *Finder) FlagsForBase(d *document.Document, page string) (flags []string, at extract.Span) {
	r := f.o.Bases.Resolver()
	around, _ := resolve.NewBase(page, r.Policy.Rules) // nil without a page
	read := make(map[extract.Span]bool)                // the links that d has without more flags
	f.setTrial(d, d.Options)
	for l := range r.Links(&f.trial) {
		read[l.Span] = true
	}
	for _, more := range readingFlags {
		o := d.Options
		*more.field(&o) = true
		if o == d.Options {
			continue
		}
		f.setTrial(d, o)
		for l := range r.Links(&f.trial) {
			if read[l.Span] || !needsBase(&l, around) {
				continue
			}
			if len(flags) == 0 || l.Start < at.Start {
				at = l.Span
			}
			flags = append(flags, more.name)
			break
		}
	}
	return flags, at
}

// needsBase reports whether l is relative and a BASE gives its base. It returns false if l resolves
// to the same URI against around, which may be nil.
func needsBase(l *extract.Link, around *resolve.Base) bool {
	if l.Status != extract.Resolved || l.From == nil || l.From.Source != base.BaseElement {
		return false
	}
	if around == nil {
		return true
	}
	uri, err := around.Resolve(string(l.Stripped()))
	return err != nil || uri != string(l.URI)
}
