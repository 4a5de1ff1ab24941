// Package mbox cuts a mailbox file into its messages, one at a time. It writes messages with edits,
// and makes sure that the file stays a mailbox.
//
// A [Reader] reads a file or a pipe. Every byte of the mailbox belongs to exactly one message. So a
// program that writes all messages one after another, without edits, writes the same mailbox again.
// This loop edits the messages:
//
//	r := mbox.NewReader(file, mbox.Options{})
//	for msg, err := range r.All() {
//		if err != nil {
//			return err
//		}
//		m, err := msg.Parse(mime.Limits{})
//		change := m.Change()
//		… // edit leaves of m: change.Edit
//		edits, err := change.Edits()
//		if msg.Verify(edits) != nil {
//			edits = nil
//		}
//		err = msg.Write(out, edits)
//		msg.Release()
//	}
//
// A message stays valid until [Message.Release], so several goroutines may work on different
// messages. A message that is larger than Options.Hold is usually not kept in memory. When its
// bytes are needed, they are read from the file, or from a temporary file if the mailbox comes from
// a pipe.
//
// Damaged input is not an error: the bytes stay in place, and a [mime.Defect] describes the fault.
//
// Files in reading order: mbox.go, separator.go, seek.go, source.go, store.go, window.go,
// message.go, unquote.go, lengths.go and length.go (Content-Length), reader.go, edited.go,
// verify.go.
package mbox

import (
	"fmt"
)

// Variant is the form of a mailbox file. A Reader finds the same messages in RD and O. The two
// differ only in the result of [Message.AppendUnquoted].
type Variant uint8

const (
	RD  Variant = iota // mboxrd: programs write ">" before lines that begin with "From ", ">From ", ">>From ", …
	O                  // mboxo: programs write ">" before lines that begin with "From "
	CL                 // mboxcl: like mboxrd, and Content-Length gives the size of the body
	CL2                // mboxcl2: Content-Length gives the size of the body, and programs write no ">"
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

	// Start and End select the messages that begin in the range [Start, End). Such a message is
	// read to its end, even if it ends after the range. Readers of adjacent ranges together return
	// the same messages as one Reader of the whole mailbox. End 0 means the end of the mailbox. In
	// CL and CL2, a Start or End that is not 0 must be the Offset of a message that a Reader of the
	// whole mailbox has returned.
	Start, End int64

	// Number and Line are the Number and Line of the message at offset Start, as a Reader of the
	// whole mailbox returns them. 0 means that they are unknown. The Reader uses them only if
	// Start is above 0 and a message begins there. It uses Line only if Number is set.
	Number int
	Line   int64

	// Lengths makes the Reader examine each Content-Length. [Message.Measured] and [Message.Admit]
	// need this. In RD and O the field never decides where a message ends.
	Lengths bool

	// Hold is the size in bytes of the largest message that is kept in memory. 0 means 16 MiB. A
	// message of up to 256 KiB is always kept in memory, even if Hold is lower. A larger one may
	// be kept too, if it fits into the memory that the Reader uses for reading.
	Hold int

	// TempDir is the directory for temporary files. "" means the default directory of the system.
	// Only a mailbox from a pipe needs temporary files: for messages that are larger than Hold, and
	// for bytes that are read ahead to examine a Content-Length. If the system allows it, a
	// temporary file has no name.
	TempDir string
}

func (o Options) withDefaults() Options {
	if o.Hold <= 0 {
		o.Hold = 16 << 20
	}
	return o
}
