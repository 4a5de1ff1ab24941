package cut

import (
	"io"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/unit"
	"absolink/mime/mbox"
	"absolink/mime/warc"
)

// cutBlind prints the units of a file with Blind. A file that is not divisible is one unit.
func (c *Cutter) cutBlind(in *input.Document, path string, out io.Writer) error {
	divisible, err := c.divisible(in)
	if err != nil {
		return err
	}
	if !divisible || in.Size <= int64(c.Size) {
		printUnit(out, unit.Unit{Path: path})
		return nil
	}
	c.printRanges(path, in.Size, out)
	return nil
}

// cutURL prints the units of a file on a server, of which only the size is known. Web archives and
// mailboxes are cut at multiples of Size. If such a file turns out to be compressed as a whole, its
// first unit has all of it. Any other file is one unit. A file that is empty or of unknown size is
// one unit, too.
func (c *Cutter) cutURL(in *input.Document, out io.Writer) {
	mailbox := in.Kind == input.Mbox && c.Mbox != mbox.CL && c.Mbox != mbox.CL2
	if in.StoredSize <= 0 || in.Kind != input.WARC && !mailbox {
		printUnit(out, unit.Unit{Path: in.URL})
		return
	}
	c.printRanges(in.URL, in.StoredSize, out)
}

// printRanges prints the units of a file of a size, cut at multiples of Size.
func (c *Cutter) printRanges(path string, size int64, out io.Writer) {
	for offset := int64(0); offset < size; offset += int64(c.Size) {
		printUnit(out, unit.Unit{Path: path, Ranged: true, Offset: offset, Length: min(int64(c.Size), size-offset)})
	}
}

// divisible reports whether in can be cut anywhere, because a reader finds the next item from any
// offset. This is not so in a mailbox whose messages give their lengths: a message begins only
// where the length of the previous one ends.
func (c *Cutter) divisible(in *input.Document) (bool, error) {
	switch {
	case !in.Addressable():
		return false, nil
	case in.Kind == input.Mbox:
		return c.Mbox != mbox.CL && c.Mbox != mbox.CL2, nil
	case in.Kind != input.WARC:
		return false, nil
	}
	divisible, err := warc.NewReader(io.NewSectionReader(in.At, 0, in.Size), warc.Options{}).Divisible()
	return divisible, input.Pathless(err)
}
