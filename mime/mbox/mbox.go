// Package mbox cuts a mailbox file into its messages, one at a time, and writes them with edits
// so that the file stays a mailbox.
//
// A Reader takes a file or a pipe. Every byte of it belongs to exactly one
// message, so that writing all messages one after another gives the file again:
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
// Messages stay valid until Release, so that workers may have several at a time. Each takes at
// most Options.Hold bytes of memory. Larger messages are read from the file again, or from a
// temporary file if the mailbox comes from a pipe.
//
// Damaged input is not an error: the bytes stay where they are and a Defect tells
// what is wrong and where.
package mbox

import (
	"fmt"
)

// Variant is the form of a mailbox file. RD and O differ in
// what AppendUnquoted makes of a message, not in how messages are found.
type Variant uint8

const (
	RD  Variant = iota // mboxrd: every line of ">"s and "From " in a message bears one more ">"
	O                  // mboxo: a line that begins with "From " bears a ">"
	CL                 // mboxcl: as mboxrd, and Content-Length gives the size of the body
	CL2                // mboxcl2: Content-Length gives the size of the body, nothing is quoted
)

var variants = []string{RD: "rd", O: "o", CL: "cl", CL2: "cl2"}

// String returns rd, o, cl or cl2.
func (v Variant) String() string {
	if int(v) >= len(variants) {
		return fmt.Sprintf("Variant(%d)", uint8(v))
	}
	return variants[v]
}

// counted reports whether Content-Length gives the size of a body.
func (v Variant) counted() bool { return v == CL || v == CL2 }

// Options say how a mailbox is read. The zero value reads all of an mboxrd.
type Options struct {
	Variant Variant

	// Start and End bound the offsets at which messages begin: a Reader gives the
	// messages whose separator lies in [Start, End), each of them whole. Ranges that
	// lie next to each other together give what one Reader of the whole gives. In
	// CL and CL2 the bounds must be Offsets of messages that a Reader of the whole
	// has found. End 0 is the end of the file.
	Start, End int64

	// Number says that Start is the Offset of the message of this number, and Line
	// that of its first line, as a Reader of the whole has found them; 0 = unknown.
	Number int
	Line   int64

	// Lengths makes the Reader note Content-Length in RD and O, too, for [Message.Measured] and
	// [Message.Admit]. In these variants it never decides where messages end.
	Lengths bool

	// Hold is the number of bytes of a message that are kept in memory; default 16 MiB.
	// Messages below 256 KiB always are.
	Hold int

	// TempDir is where messages above Hold lie that come from a pipe, and what is
	// read ahead of it for a Content-Length; default the system's. The files have no
	// name where the system allows it.
	TempDir string
}

func (o Options) withDefaults() Options {
	if o.Hold <= 0 {
		o.Hold = 16 << 20
	}
	return o
}
