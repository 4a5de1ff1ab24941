package input

import (
	"bytes"
	"context"
	"mime"
	"path"
	"strings"

	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve"
)

// Retrieved is what came from a URL.
type Retrieved struct {
	URL      string            // after redirects
	Headings []document.Answer // of all answers
	Type     string            // Content-Type, "" if there is none
	Body     []byte
	Coded    bool // Body is not what was sent: a content coding was undone
}

// OpenRetrieved makes a document of what was retrieved for f. Its kind is what the
// transport says, where that says anything, and else found out.
func (r *Reader) OpenRetrieved(ctx context.Context, f File, got *Retrieved) (*Document, error) {
	f.URL = got.URL
	d := &Document{File: f, Retrieval: Retrieval{Headings: got.Headings, Type: got.Type,
		Charset: charset(got.Type), Decoded: got.Coded}}
	d.Hold(got.Body)
	d.Stored = bytes.NewReader(got.Body)
	d.StoredSize = int64(len(got.Body))
	if err := r.identify(ctx, d); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// RelOf returns the slash path that a URL, as the URL Standard writes it, has in a tree:
// host, path and query, with index.html for a directory.
func RelOf(url string) string {
	r := resolve.Split(url)
	host := strings.TrimLeft(r.Authority[strings.LastIndexByte(r.Authority, '@')+1:], ".")
	file := path.Clean("/" + r.Path)
	if file == "/" || strings.HasSuffix(r.Path, "/") {
		file = strings.TrimSuffix(file, "/") + "/index.html"
	}
	if r.HasQuery {
		file += "?" + strings.ReplaceAll(r.Query, "/", "%2F")
	}
	return strings.TrimPrefix(host+file, "/")
}

// retrieved returns the identity of what came with a media type. The transport decides (RFC 9110
// 8.3), and if it says nothing, the name in the URL and the content do. A text is a text whatever
// it looks like; which XML it is, its first element says.
func retrieved(media string, head []byte, name string) Identity {
	media, _, _ = strings.Cut(media, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	switch format := extract.FormatOf(media); format {
	case extract.Unknown:
	case extract.XML, extract.Sitemap, extract.Feed, extract.OPML:
		if found := extract.Detect(head, media); found != extract.Unknown && found != extract.HTML {
			return Identity{Kind: Kind(found)}
		}
		return Identity{Kind: Kind(format)}
	default:
		return Identity{Kind: Kind(format)}
	}
	switch kind, _, _ := strings.Cut(media, "/"); kind {
	case "image", "audio", "video", "font":
		return Identity{}
	}
	id := Identify(head, name)
	switch {
	case id.Ending == "" && !foreignMedia(media):
		return Identify(head, "") // the name of a page on a server need not tell anything
	case id.Kind == HTML && id.Named != HTML && foreignMedia(media) && extract.Detect(head, media) == extract.Unknown:
		return Identity{} // only a tag in it speaks for a page, and the transport for something else
	}
	return id
}

// foreignMedia reports whether a media type says what a document is, and that it is of
// a kind that is not read.
func foreignMedia(media string) bool {
	switch media {
	case "", "application/octet-stream", "unknown/unknown", "application/unknown", "*/*":
		return false
	}
	return true
}

// charset returns the charset that a Content-Type names, "" if it names none.
func charset(contentType string) string {
	if _, params, err := mime.ParseMediaType(contentType); err == nil {
		return params["charset"]
	}
	for p := range strings.SplitSeq(contentType, ";") {
		name, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(name), "charset") {
			return strings.Trim(value, " \t\"'")
		}
	}
	return ""
}
