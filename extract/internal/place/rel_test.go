package place

import "testing"

func TestLinkKind(t *testing.T) {
	for rel, want := range map[string]Kind{
		"":                     KindNav,
		"Alternate StyleSheet": KindRes,
		"canonical":            KindNav,
		"preconnect":           KindHint,
		"pingback":             KindService,
		"schema.DC":            KindIdentifier,
		"Apple-Touch-Icon":     KindRes,
		"openid2.provider":     KindService,
		"profile icon":         KindRes,
	} {
		if got := LinkKind(rel); got != want {
			t.Errorf("LinkKind(%q) = %v, want %v", rel, got, want)
		}
	}
}
