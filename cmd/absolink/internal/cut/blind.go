package cut

import (
	"io"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/unit"
	"absolink/mime/mbox"
	"absolink/mime/warc"
)

// blind prints the units of a file that is cut by its size alone, or that is one unit.
func (c *Cutter) blind(in *input.Document, path string, out io.Writer) error {
	divisible, err := c.divisible(in)
	if err != nil {
		return err
	}
	if !divisible || in.Size <= int64(c.Size) {
		c.line(out, unit.Unit{Path: path})
		return nil
	}
	for at := int64(0); at < in.Size; at += int64(c.Size) {
		c.line(out, unit.Unit{Path: path, Ranged: true, Offset: at, Length: min(int64(c.Size), in.Size-at)})
	}
	return nil
}

// divisible reports whether a file can be cut anywhere. If the messages of a mailbox give their
// lengths, only the lengths tell where messages begin.
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
