package links

import (
	"absolink/extract"
	"absolink/mime/document"
)

// If a run finds no references, its options may read too few places. Until a Finder has found a
// reference, it reads each document again with all options and records the options that help.

// places are the options that read more places.
var places = [...]struct {
	flag string
	of   func(o *extract.Options) *bool
}{
	{"--lazy", func(o *extract.Options) *bool { return &o.Lazy }},
	{"--scripts", func(o *extract.Options) *bool { return &o.Scripts }},
	{"--comments", func(o *extract.Options) *bool { return &o.Comments }},
}

// More returns the flags that would find references in the documents, if no Finder has found any.
func (o *Options) More() (flags []string) {
	for i := range places {
		if o.helps[i].Load() {
			flags = append(flags, places[i].flag)
		}
	}
	return flags
}

// LookFurther records which flags would find references in d, if f has found no references so far.
// The links of d must have been read before.
func (f *Finder) LookFurther(d *document.Document) {
	if f.foundAny || d.Format.ListOnly() || d.Format == extract.Script {
		return
	}
	all := d.Options
	for _, p := range places {
		*p.of(&all) = true
	}
	if !f.finds(d, all) {
		return
	}
	for i, p := range places {
		o := d.Options
		*p.of(&o) = true
		if o != d.Options && !f.o.helps[i].Load() && f.finds(d, o) {
			f.o.helps[i].Store(true)
		}
	}
}

// finds reports whether d has references under the options o.
func (f *Finder) finds(d *document.Document, o extract.Options) bool {
	f.further.Reset()
	f.further.Format = d.Format
	f.further.Data = d.Data
	f.further.Charset = d.Charset
	f.further.Options = o
	for range f.further.Refs() {
		return true
	}
	return false
}
