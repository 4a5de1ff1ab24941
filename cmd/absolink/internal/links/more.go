package links

import (
	"absolink/extract"
	"absolink/mime/document"
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
	f.trial.Reset()
	f.trial.Format = d.Format
	f.trial.Data = d.Data
	f.trial.Charset = d.Charset
	f.trial.Options = o
	for range f.trial.Refs() {
		return true
	}
	return false
}
