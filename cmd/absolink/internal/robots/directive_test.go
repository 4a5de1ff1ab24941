package robots

import (
	"slices"
	"strings"
	"testing"
)

func TestAddMeta(t *testing.T) {
	tests := []struct{ content, want string }{
		{"", ""},
		{"nofollow", "nofollow"},
		{" NOINDEX,\n NoFollow ,, ", "noindex|nofollow"},
		{"none", "noindex|nofollow"},
		{"None, noarchive", "noindex|nofollow|noarchive"},
		{"nofollow,nofollow,none", "nofollow|noindex"},
		{"noindex nofollow", "noindex|nofollow"},
		{"noindex; nofollow", "noindex|nofollow"},
		{"index,follow,all", "index|follow|all"},
		{"nonefollow", "nonefollow"},
		{"max-snippet: 50, max-image-preview:large, max-video-preview:-1",
			"max-snippet:50|max-image-preview:large|max-video-preview:-1"},
		{"noindex max-snippet:50", "noindex|max-snippet:50"},
		{"unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow",
			"unavailable_after:25 Jun 2010 15:00:00 PST|nofollow"},
		{"unavailable_after: Wednesday, 25-Jun-10 15:00:00 EST, nofollow",
			"unavailable_after:Wednesday, 25-Jun-10 15:00:00 EST|nofollow"},
		{"unavailable_after: Wed", "unavailable_after:Wed"},
		{"unavailable_after:, nofollow", "unavailable_after:|nofollow"},
	}
	for _, tt := range tests {
		if got := strings.Join(Directives(nil).AddMeta(tt.content), "|"); got != tt.want {
			t.Errorf("AddMeta(%q): got %s, want %s", tt.content, got, tt.want)
		}
	}
}

func TestAddField(t *testing.T) {
	tests := []struct{ value, all, googlebot string }{
		{"nofollow", "nofollow", "nofollow"},
		{"noindex, NoFollow", "noindex|nofollow", "noindex|nofollow"},
		{"none", "noindex|nofollow", "noindex|nofollow"},
		{"googlebot: nofollow", "", "nofollow"},
		{"GoogleBot : none", "", "noindex|nofollow"},
		{"googlebot:nofollow,noindex", "", "nofollow|noindex"},
		{"otherbot: noindex, nofollow", "", ""},
		{"otherbot: nofollow, googlebot: noindex", "", "noindex"},
		{"googlebot: nofollow, otherbot: noindex, none", "", "nofollow"},
		{"noindex, googlebot: nofollow", "noindex", "noindex|nofollow"},
		{"*: nofollow", "nofollow", "nofollow"},
		{"robots: nofollow", "nofollow", "nofollow"},
		{"max-snippet: 5, nofollow", "max-snippet:5|nofollow", "max-snippet:5|nofollow"},
		{"noarchive max-snippet: 5", "noarchive|max-snippet:5", "noarchive|max-snippet:5"},
		{"unavailable_after: 25 Jun 2010 15:00:00 PST", "unavailable_after:25 Jun 2010 15:00:00 PST",
			"unavailable_after:25 Jun 2010 15:00:00 PST"},
		{"googlebot: unavailable_after: Wed, 25 Jun 2010 15:00:00 GMT, none", "",
			"unavailable_after:Wed, 25 Jun 2010 15:00:00 GMT|noindex|nofollow"},
	}
	for _, tt := range tests {
		if got := strings.Join(Directives(nil).AddField(tt.value, ""), "|"); got != tt.all {
			t.Errorf("AddField(%q) for no robot by name: got %s, want %s", tt.value, got, tt.all)
		}
		if got := strings.Join(Directives(nil).AddField(tt.value, "googlebot"), "|"); got != tt.googlebot {
			t.Errorf("AddField(%q) for googlebot: got %s, want %s", tt.value, got, tt.googlebot)
		}
	}
}

// Directives of several sources add up, each once.
func TestDirectivesAddUp(t *testing.T) {
	d := Directives(nil).AddField("noindex", "").AddMeta("nofollow, noindex")
	if want := (Directives{"noindex", "nofollow"}); !slices.Equal(d, want) || !d.Has("nofollow") || d.Has("none") {
		t.Errorf("got %q, want %q", d, want)
	}
}
