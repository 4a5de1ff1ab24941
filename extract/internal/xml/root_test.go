package xml

import "testing"

// The root is the first tag, and only the prolog may precede it.
func TestRootOf(t *testing.T) {
	tests := []struct {
		head      string
		local     string
		declared  bool
		mentioned bool
		spaced    bool
	}{
		{"<rss>", "rss", false, false, false},
		{" \n<?xml version='1.0'?>\n<?p i?><!-- <a> --><!DOCTYPE rss [<!ENTITY a '<b>'>]>\n<rss>",
			"rss", false, false, false},
		{"<?xml version='1.0'?><a:b xmlns:a='urn:x'><c/>", "b", true, false, true},
		{"<a xmlns='urn:x'/>", "a", false, false, true},
		{"<a xmlns:b='urn:x'/>", "a", false, false, false},
		{"text <rss>", "", false, false, false},
		{"<?xml version='1.0'?> text <rss>", "", true, false, false},
		{"<!-- a --> text <rss>", "", false, false, false},
		{"</a><rss>", "", false, false, false},
		{"<![CDATA[a]]><rss>", "", false, false, false},
		{"<rss> is a format", "rss", false, true, false},
		{"<rss>\n <channel>", "rss", false, false, false},
		{"<?xml version='1.0'?><rss> text", "rss", true, false, false},
		{"<rss", "", false, false, false},
		{"", "", false, false, false},
	}
	tests[1].declared = true
	for _, tt := range tests {
		r := RootOf([]byte(tt.head))
		if r.Local != tt.local || r.Declared != tt.declared || r.Mentioned != tt.mentioned || r.Spaced != tt.spaced {
			t.Errorf("RootOf(%q): got %+v, want local %q, declared %v, mentioned %v, spaced %v",
				tt.head, r, tt.local, tt.declared, tt.mentioned, tt.spaced)
		}
	}
}
