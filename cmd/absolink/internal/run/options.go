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

// Options say how a run goes.
type Options struct {
	Inputs    source.Set // that has taken the arguments
	Reading   Reading
	Mail      Mail
	Retrieval Retrieval
	Account   account.Options

	// Jobs is how many inputs, and items of one input, are worked on at once, at most 1,024; 0 = as
	// many as processors, and at least 16 URLs of a list.
	Jobs int

	Header string // what standard output begins with
}

// Reading says how inputs are read.
type Reading struct {
	Kind     input.Kind // of the inputs; Other = by content, then name
	MaxSize  flag.Size  // largest document that is read, in bytes
	HTTPBase container.HTTPBase
	Scripts  bool                                        // scripts are documents
	Peek     bool                                        // inputs are read as far as it takes to tell their kind
	Manifest func(ctx context.Context, path string) bool // as in input.Options
}

// Mail says how mailboxes are read.
type Mail struct {
	Mbox    mbox.Variant
	Lengths bool // also read the length that a message says of itself
}

// Retrieval says how URLs are retrieved.
type Retrieval struct {
	fetch.Options
	IgnoreRobots bool // do not ask robots.txt before the URLs of lists
}

// mostJobs is how many goroutines work at most, whatever Options.Jobs is.
const mostJobs = 1024

// jobs returns how many items of a container are worked on at once.
func (o *Options) jobs() int {
	if o.Jobs > 0 {
		return min(o.Jobs, mostJobs)
	}
	return runtime.GOMAXPROCS(0)
}

// listedAtOnce is how many URLs of a list are retrieved at once: waiting takes no processor.
const listedAtOnce = 16

// atOnce returns how many inputs are worked on at once.
func (o *Options) atOnce() int {
	if o.Inputs.URLs != "" && o.Jobs == 0 {
		return max(o.jobs(), listedAtOnce)
	}
	return o.jobs()
}

// containers returns how containers are read.
func (o *Options) containers() container.Options {
	return container.Options{Mbox: o.Mail.Mbox, HTTPBase: o.Reading.HTTPBase, Lengths: o.Mail.Lengths,
		MaxSize: o.Reading.MaxSize, Jobs: o.jobs()}
}

// hasUnits reports whether the inputs are units.
func (o *Options) hasUnits() bool { return o.Inputs.Units != "" }
