// Package mbox cuts a mailbox file into its messages, one at a time, and writes them with edits so
// that the file stays a mailbox.
//
// A [Reader] takes a file or a pipe. Every byte belongs to exactly one message, so writing all
// messages one after another gives the same file again:
//
//	r := mbox.NewReader(file, mbox.Options{})
//	for msg, err := range r.All() {
//		if err != nil {
//			return err
//		}
//		m, err := msg.Parse(mime.Limits{})
//		edits := … // of a mime.Change of m
//		if msg.Verify(edits) != nil {
//			edits = nil
//		}
//		err = msg.Write(out, edits)
//		msg.Release()
//	}
//
// A message stays valid until [Message.Release], so several goroutines may work on different
// messages. A message takes at most Options.Hold bytes of memory. A larger message is read from the
// file when it is needed, or from a temporary file if the mailbox comes from a pipe.
//
// Damaged input is not an error: the bytes stay in place, and a [mime.Defect] describes the fault.
//
// Files in reading order: mbox.go, separator.go, seek.go, source.go, store.go, window.go,
// message.go, unquote.go, lengths.go and length.go (Content-Length), reader.go, verify.go.
package mbox

import (
	"fmt"
)

// Variant is the form of a mailbox file. RD and O find the same messages. They differ only in the
// result of [Message.AppendUnquoted].
type Variant uint8

const (
	RD  Variant = iota // mboxrd: a line that begins with any number of ">" and "From " gets one more ">"
	O                  // mboxo: a line of a message that begins with "From " gets a ">"
	CL                 // mboxcl: like mboxrd, and Content-Length gives the size of the body
	CL2                // mboxcl2: Content-Length gives the size of the body, and no line is quoted
)

var variants = []string{RD: "rd", O: "o", CL: "cl", CL2: "cl2"}

// String returns rd, o, cl or cl2.
func (v Variant) String() string {
	if int(v) >= len(variants) {
		return fmt.Sprintf("Variant(%d)", uint8(v))
	}
	return variants[v]
}

// usesLength reports whether Content-Length gives the size of a body in this variant.
func (v Variant) usesLength() bool { return v == CL || v == CL2 }

// Options say how a mailbox is read. The zero value reads a whole mailbox as mboxrd.
type Options struct {
	Variant Variant

	// Start and End select messages: those whose separator begins in [Start, End). A message that
	// begins in the range is read to its end. Readers of adjacent ranges together return the same
	// messages as one Reader of the whole mailbox. In CL and CL2 the bounds must be Offsets of
	// messages that a Reader of the whole mailbox has returned. End 0 is the end of the file.
	Start, End int64

	// Number and Line are the Number and Line of the message at offset Start, from a Reader of the
	// whole mailbox. 0 means unknown.
	Number int
	Line   int64

	// Lengths makes the Reader examine Content-Length for [Message.Measured] and [Message.Admit],
	// also in RD and O. The field never decides where messages end in these two variants.
	Lengths bool

	// Hold is the size in bytes of the largest message that is kept in memory. 0 means 16 MiB. A
	// message below 256 KiB is always kept in memory.
	Hold int

	// TempDir is the directory of temporary files. Empty means the directory of the system. The
	// files hold messages from a pipe that are larger than Hold, and bytes of a pipe that are read
	// ahead for a Content-Length. They have no names if the system allows it.
	TempDir string
}

func (o Options) withDefaults() Options {
	if o.Hold <= 0 {
		o.Hold = 16 << 20
	}
	return o
}
