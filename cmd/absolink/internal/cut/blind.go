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
	for offset := int64(0); offset < in.Size; offset += int64(c.Size) {
		printUnit(out, unit.Unit{Path: path, Ranged: true, Offset: offset, Length: min(int64(c.Size), in.Size-offset)})
	}
	return nil
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
