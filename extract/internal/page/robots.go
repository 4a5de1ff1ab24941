package page

import (
	"bytes"

	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// Robots notes the content of the current meta element if it is for robots: its name is "robots" or
// the name in Options.Robot. It counts only where a base element would count.
func (f *Finder) Robots() {
	if f.commented || f.Outer != nil || f.Other || !f.Scan.BaseCounts() {
		return
	}
	name, content := f.Attribute(place.AttrName), f.Attribute(place.AttrContent)
	if name == nil || content == nil {
		return
	}
	value, robot := text.Stripped(f.AttrBytes(name)), f.Doc.Options.Robot
	if text.IsFold(value, "robots") || robot != "" && bytes.EqualFold(value, []byte(robot)) {
		f.Doc.Robots = append(f.Doc.Robots, f.Doc.Intern(f.AttrBytes(content)))
	}
}
