package xml

import (
	"bytes"
	"strings"

	"absolink/base"
	"absolink/extract/internal/page"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// HTML in the text of a feed is resolved against the nearest xml:base. In RSS without xml:base, the
// base is the link of the item, then the link of the channel, then the URI of the feed. The links
// may come after the text, so their layers get a number when the item begins. In Atom a link is not
// a base (RFC 4287 section 2).

// role is the role of an element in a feed.
type role uint8

const (
	plainElement role = iota
	channelElement
	itemElement
)

// feed is the state of the feed around the current tag.
type feed struct {
	channel int // number of the layer of the link of the channel, or 0 outside a feed
	item    int // number of the layer of the link of the item, or 0 outside an item
}

// enter notes that an element begins.
func (c *feed) enter(t *reading.Text, v place.Vocabulary, local []byte) role {
	if v != place.RSSSpace && v != place.RdfSpace {
		return plainElement
	}
	if c.channel == 0 {
		c.channel = t.Doc.Layers.Add(base.None, "", t.Own)
	}
	switch {
	case v != place.RSSSpace:
	case string(local) == "channel":
		return channelElement
	case string(local) == "item":
		c.item = t.Doc.Layers.Add(base.None, "", c.channel)
		return itemElement
	}
	return plainElement
}

// leave notes that an element ends.
func (c *feed) leave(r role) {
	if r == itemElement {
		c.item = 0
	}
}

// layer returns the number of the base layer for HTML in the text of an element without xml:base.
// It is 0 outside a feed.
func (c *feed) layer() int {
	if c.item > 0 {
		return c.item
	}
	return c.channel
}

// link makes value the link of an item or of the channel. parent is the role of the element around
// the link. The first link counts.
func (c *feed) link(t *reading.Text, parent role, value []byte) {
	n := 0
	switch parent {
	case channelElement:
		n = c.channel
	case itemElement:
		n = c.item
	}
	ls := &t.Doc.Layers
	if n == 0 || ls.Has(n) {
		return
	}
	ls.Set(n, base.FeedLink, t.Doc.Intern(value))
	if !bytes.Contains(value, []byte("://")) {
		ls.SetOuter(n, t.Own) // a relative link is resolved against the URI of the feed
	}
}

// feedLinkKind returns the kind of an Atom link.
func feedLinkKind(rel string) place.Kind {
	for t := range ascii.Space.Split(rel) {
		switch strings.ToLower(t) {
		case "enclosure":
			return place.KindRes
		case "edit", "edit-media", "service", "replies":
			return place.KindService
		}
	}
	return place.LinkKind(rel)
}

// textIsHTML reports whether the text of an element is HTML according to its type attribute.
// Without a type, text of Atom (RFC 4287 section 3.1.1) and of Media RSS is plain text. Text of RSS
// is always HTML.
func textIsHTML(v place.Vocabulary, typ []byte) bool {
	switch v {
	case place.RSSSpace:
		return true
	case place.AtomSpace, place.MediaSpace:
		return bytes.EqualFold(typ, []byte("html")) || bytes.EqualFold(typ, []byte("text/html"))
	}
	return true
}

// permalink is the value of the attribute isPermaLink of a guid.
type permalink uint8

const (
	unsaid permalink = iota
	isLink
	isName
)

// permalinkOf returns the isPermaLink of the guid whose start tag was just scanned.
func permalinkOf(f *page.Finder) permalink {
	for i := range f.Scan.Attrs {
		a := &f.Scan.Attrs[i]
		if !text.IsFold(f.Data[a.NameStart:a.NameEnd], "ispermalink") {
			continue
		}
		if text.IsFold(bytes.TrimSpace(f.Data[a.Start:a.End]), "false") {
			return isName
		}
		return isLink
	}
	return unsaid
}

// permits reports whether the guid is a link. Without isPermaLink a guid is a link in RSS, but many
// are names, which must not be changed. Therefore such a guid must contain "://".
func (p permalink) permits(value []byte) bool {
	return p == isLink || p == unsaid && bytes.Contains(value, []byte("://"))
}
