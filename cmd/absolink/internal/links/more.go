package links

import (
	"absolink/extract"
	"absolink/mime/document"
)

// A run that finds no reference at all may have been told to look in too few places. As long as a
// Finder has found none, it reads each document once more with all options, and notes which of
// them help.

// places are the options that look in more places.
var places = [...]struct {
	flag string
	of   func(o *extract.Options) *bool
}{
	{"--lazy", func(o *extract.Options) *bool { return &o.Lazy }},
	{"--scripts", func(o *extract.Options) *bool { return &o.Scripts }},
	{"--comments", func(o *extract.Options) *bool { return &o.Comments }},
}

// More returns the flags with which documents have references, if no Finder has found any.
func (o *Options) More() (flags []string) {
	for i := range places {
		if o.helps[i].Load() {
			flags = append(flags, places[i].flag)
		}
	}
	return flags
}

// LookFurther notes which flags would find references in d, whose links were ranged over, if f has
// found none so far.
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

// finds reports whether d has references under o.
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
