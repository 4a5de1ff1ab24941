package extract

import (
	"regexp"
	"strings"
	"testing"
)

func TestFormatOf(t *testing.T) {
	tests := []struct {
		media string
		want  Format
	}{
		{"text/html", HTML},
		{" Text/HTML ; charset=utf-8", HTML},
		{"application/xhtml+xml", XHTML},
		{"image/svg+xml", SVG},
		{"text/xml", XML},
		{"application/xml", XML},
		{"application/mathml+xml", XML},
		{"application/atom+xml; type=entry", Feed},
		{"text/x-opml", OPML},
		{"text/x-amp-html", HTML},
		{"text/watch-html", HTML},
		{"text/css", CSS},
		{"text/plain; format=flowed", Plain},
		{"application/manifest+json", Manifest},
		{"text/calendar; method=REQUEST", Calendar},
		{"text/x-vcalendar", Calendar},
		{"Text/vCard", Card},
		{"text/x-vcard", Card},
		{"text/directory; profile=vCard", Card},
		{"text/enriched", Enriched},
		{"text/richtext", Enriched},
		{"text/javascript", Script},
		{"application/ecmascript; charset=utf-8", Script},
		{"application/opensearchdescription+xml", OpenSearch},
		{"application/feed+json; charset=utf-8", JSONFeed},
		{"application/linkset", Linkset},
		{"application/linkset+json; profile=x", JSONLinkset},
		{"application/json", Unknown},
		{"text/rfc822-headers", Unknown},
		{"image/png", Unknown},
		{"text/markdown; variant=GFM", Markdown},
		{"text/x-markdown", Markdown},
		{"", Unknown},
	}
	wanted := map[Format]bool{
		Sitemap: true, Bookmarks: true, // their media types are those of XML and HTML
		WAT:     true,                    // known by its content
		URLList: true, HeaderRules: true, // known by the names of their files
		Heading: true, // a body is not a heading, even if its type says so
	}
	for _, tt := range tests {
		wanted[tt.want] = true
		if got := FormatOf(tt.media); got != tt.want {
			t.Errorf("FormatOf(%q) = %v, want %v", tt.media, got, tt.want)
		}
	}
	for f := HTML; int(f) < len(formats); f++ {
		if !wanted[f] {
			t.Errorf("%v: no row has a media type of the format: add one, as the formats in format.go have it", f)
		}
	}
}

func TestFormatNames(t *testing.T) {
	for f := HTML; int(f) < len(formats); f++ {
		if f.String() == "" || f.MediaType() == "" {
			t.Errorf("Format(%d): name %q, media type %q", f, f, f.MediaType())
		}
	}
	for _, f := range []Format{Unknown, Format(len(formats))} {
		if f.String() != "" || f.MediaType() != "" {
			t.Errorf("Format(%d): name %q, media type %q, want none", f, f, f.MediaType())
		}
	}
}

// Every media type of the table is well-formed, in lower case, and stands for a format.
func TestMediaTypes(t *testing.T) {
	form := regexp.MustCompile(`^(application|text|image|message)/[a-z0-9.+-]*[a-z0-9]$`)
	for f := range formats {
		for media := range strings.FieldsSeq(formats[f].media) {
			known := FormatOf(media) != Unknown || Format(f) == Heading || Format(f) == WAT
			if !form.MatchString(media) || !known {
				t.Errorf("%v has the media type %q, which means %v", Format(f), media, FormatOf(media))
			}
		}
	}
}
