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
// A message stays valid until [Message.Release], so workers may use several at a time. Each message
// takes at most Options.Hold bytes of memory. A larger message is read from the file again, or from
// a temporary file if the mailbox comes from a pipe.
//
// Damaged input is not an error: the bytes stay in place, and a [mime.Defect] tells the fault and
// its offset.
//
// Files in reading order: mbox.go, separator.go, seek.go, source.go, store.go, window.go,
// message.go, unquote.go, lengths.go and length.go (Content-Length), reader.go, verify.go.
package mbox

import (
	"fmt"
)

// Variant is the form of a mailbox file. RD and O differ only in the result of
// [Message.AppendUnquoted]; both find messages in the same way.
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

// counted reports whether Content-Length gives the size of a body.
func (v Variant) counted() bool { return v == CL || v == CL2 }

// Options say how a mailbox is read. The zero value reads a whole mailbox as mboxrd.
type Options struct {
	Variant Variant

	// Start and End bound the messages by offset: a Reader returns the messages whose separator
	// begins in [Start, End), each of them whole. Readers of adjacent ranges together return
	// the same messages as one Reader of the whole mailbox. In CL and CL2 the bounds must be
	// Offsets of messages that a Reader of the whole has found. End 0 is the end of the file.
	Start, End int64

	// Number is the number of the message at offset Start, and Line is the number of its first
	// line. The caller knows them from a Reader of the whole mailbox. 0 means unknown.
	Number int
	Line   int64

	// Lengths makes the Reader record Content-Length in RD and O too, for [Message.Measured]
	// and [Message.Admit]. In these variants the field never decides where messages end.
	Lengths bool

	// Hold is the number of bytes of a message that are kept in memory; default 16 MiB. A
	// message below 256 KiB is always kept in memory.
	Hold int

	// TempDir is the directory of temporary files; default the directory of the system. They
	// hold messages from a pipe that are larger than Hold, and bytes that are read ahead for a
	// Content-Length. The files have no name if the system allows it.
	TempDir string
}

func (o Options) withDefaults() Options {
	if o.Hold <= 0 {
		o.Hold = 16 << 20
	}
	return o
}
