package run

import (
	"context"
	"runtime"

	"absolink/cmd/absolink/internal/account"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/fetch"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/source"
	"absolink/mime/mbox"
)

// Options are the options of a run.
type Options struct {
	Inputs    source.Set // Set.SetArgs must have been called
	Reading   Reading
	Mail      Mail
	Retrieval Retrieval
	Account   account.Options

	// Jobs is the number of goroutines that work on inputs, or on the items of one container. There
	// are never more than 1,024. If Jobs is 0, there are as many goroutines as processors. For the
	// URLs of a list, and for files that are replaced in place, there are then at least 16.
	Jobs int

	InPlace bool // the run replaces files in place

	Header string // text that is written to standard output before all results
}

// Reading has the options for reading inputs.
type Reading struct {
	Kind     input.Kind                                  // kind of all inputs; Other to detect the kind of each input
	MaxSize  flag.Size                                   // size of the largest document that is read, in bytes
	HTTPBase container.HTTPBase                          // header fields of HTTP responses that give a base
	Scripts  bool                                        // scripts are read as documents
	Peek     bool                                        // inputs are read only far enough to tell their kind
	Manifest func(ctx context.Context, path string) bool // see input.Options
}

// Mail has the options for reading mailboxes.
type Mail struct {
	Mbox           mbox.Variant
	MessageLengths bool // examine the Content-Length of each message, so that edits can correct it
}

// Retrieval has the options for retrieving URLs.
type Retrieval struct {
	fetch.Options
	IgnoreRobots bool // retrieve the URLs of a list even if robots.txt forbids it
}

// maxJobs is the largest number of goroutines, even if Options.Jobs or the number of processors is
// larger.
const maxJobs = 1024

// itemsAtOnce returns the number of goroutines that work on the items of a container.
func (o *Options) itemsAtOnce() int {
	jobs := o.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	return min(jobs, maxJobs)
}

// minWaiting is the smallest number of goroutines for work that mostly waits for a server or a
// disk, if Options.Jobs is 0.
const minWaiting = 16

// inputsAtOnce returns the number of goroutines that work on inputs.
func (o *Options) inputsAtOnce() int {
	if o.Jobs == 0 && (o.Inputs.URLs != "" || o.InPlace) {
		return max(o.itemsAtOnce(), minWaiting)
	}
	return o.itemsAtOnce()
}

// containerOptions returns the options for reading containers.
func (o *Options) containerOptions() container.Options {
	return container.Options{Mbox: o.Mail.Mbox, HTTPBase: o.Reading.HTTPBase, MessageLengths: o.Mail.MessageLengths,
		MaxSize: o.Reading.MaxSize, Jobs: o.itemsAtOnce()}
}

// hasUnits reports whether the inputs are units.
func (o *Options) hasUnits() bool { return o.Inputs.Units != "" }
