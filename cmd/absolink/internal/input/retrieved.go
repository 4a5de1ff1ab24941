package input

import (
	"bytes"
	"context"
	"mime"
	"path"
	"strings"

	"absolink/cmd/absolink/internal/kinds"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve"
)

// Retrieved is the result of the retrieval of a URL.
type Retrieved struct {
	URL      string            // final URL after redirects
	Headings []document.Answer // headers of all responses, redirects first
	Type     string            // Content-Type, or empty
	Body     []byte
	Decoded  bool // the response was compressed, so Body is not the bytes that were sent
}

// OpenRetrieved makes a document of got, the content that was retrieved for f. If the Content-Type
// names a kind, the document has this kind. Otherwise the kind is detected.
func (r *Reader) OpenRetrieved(ctx context.Context, f File, got *Retrieved) (*Document, error) {
	f.URL = got.URL
	d := &Document{File: f, Retrieval: Retrieval{Headings: got.Headings, Type: got.Type,
		Charset: charset(got.Type), Decoded: got.Decoded}}
	d.Hold(got.Body)
	d.Stored = bytes.NewReader(got.Body)
	d.StoredSize = int64(len(got.Body))
	if err := r.identify(ctx, d); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Unread returns a document for a file on a server whose content is not retrieved. contentType may
// be empty, and size -1. The kind is Options.Kind. If that is Other, it comes from the name in the
// URL, or else from the Content-Type.
func (r *Reader) Unread(f File, contentType string, size int64) *Document {
	d := &Document{File: f, Content: Content{StoredSize: size}}
	d.Kind = r.presetKind(f)
	if d.Kind != Other {
		return d
	}
	name, _, _ := strings.Cut(f.Rel, "?")
	d.Kind = kinds.Identify(nil, strings.TrimSuffix(name, ".gz")).Kind
	if d.Kind == Other {
		switch mediaType(contentType) {
		case "application/warc", "application/arc":
			d.Kind = WARC
		case "application/mbox":
			d.Kind = Mbox
		}
	}
	return d
}

// PathOfURL returns the path of a URL in a tree of files, with slashes: host, path and query, with
// index.html for a directory. The URL must be in the form of the URL Standard.
func PathOfURL(url string) string {
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

// identifyRetrieved returns the identity of retrieved content. The media type decides (RFC 9110
// 8.3). If it says nothing, the name in the URL and the content decide. Content with the type of
// plain text is text, whatever it looks like. For XML types the first element tells the kind of
// XML. media is a Content-Type, and head the beginning of the content.
func identifyRetrieved(media string, head []byte, name string) kinds.Identity {
	media = mediaType(media)
	switch format := extract.FormatOf(media); format {
	case extract.Unknown:
	case extract.XML, extract.Sitemap, extract.Feed, extract.OPML:
		if found := extract.Detect(head, media); found != extract.Unknown && found != extract.HTML {
			return kinds.Identity{Kind: Kind(found)}
		}
		return kinds.Identity{Kind: Kind(format)}
	default:
		return kinds.Identity{Kind: Kind(format)}
	}
	switch kind, _, _ := strings.Cut(media, "/"); kind {
	case "image", "audio", "video", "font":
		return kinds.Identity{}
	}
	id := kinds.Identify(head, name)
	switch {
	case id.Ending == "" && !foreignMedia(media):
		return kinds.Identify(head, "") // the name of a page on a server may mean nothing
	case id.Kind == HTML && id.Named != HTML && foreignMedia(media) && extract.Detect(head, media) == extract.Unknown:
		return kinds.Identity{} // only a tag in the content suggests a page, and the media type says otherwise
	}
	return id
}

// mediaType returns the media type of a Content-Type, in lower case and without its parameters.
func mediaType(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// foreignMedia reports whether a media type names a kind that is not read. The caller must have
// handled the types of kinds that are read. Types such as application/octet-stream name no kind.
func foreignMedia(media string) bool {
	switch media {
	case "", "application/octet-stream", "unknown/unknown", "application/unknown", "*/*":
		return false
	}
	return true
}

// charset returns the charset parameter of a Content-Type, or "".
func charset(contentType string) string {
	if !strings.Contains(contentType, ";") {
		return ""
	}
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
