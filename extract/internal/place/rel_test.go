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
		"x\ficon":              KindRes,
		"x\vicon":              KindNav,
		"x\u00a0icon":          KindNav,
	} {
		if got := LinkKind(rel); got != want {
			t.Errorf("LinkKind(%q) = %v, want %v", rel, got, want)
		}
	}
}
