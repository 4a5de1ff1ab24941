package resolve

import (
	"testing"
)

// hosts and the result of whatwg-url 15.1, whose tables are of Unicode 17.0; "" is a refusal.
var hosts = []struct{ name, host, want string }{
	{"xn-- and a letter", "xn--é-", ""},
	{"xn--, sharp s and a delta", "xn--abß-j1t", ""},
	{"capital XN--", "XN--é", ""},
	{"wide xn--", "ｘｎ－－é", ""},
	{"outlined xn--", "\U0001cced\U0001cce3--é", ""},
	{"xn-- and an ignored character", "xn--\u00ad.é", ""},
	{"bare xn--", "é.xn--", ""},
	{"Punycode beside", "é.xn--4ca", "xn--9ca.xn--4ca"},
	{"no Punycode", "é.xn--a", ""},
	{"non-joiner before a letter that does not join", "\u1859\u200cexample", ""},
	{"non-joiner between joining letters", "\u0628\u200c\u0628", "xn--ngba799q"},
	{"non-joiner and marks", "\u0628\u200c\u064b\u0628", "xn--ngba8hn06i"},
	{"mark, non-joiner, Latin", "\u0628\u064b\u200ca", ""},
	{"non-joiner before what causes joining", "\u0628\u200c\u0640", ""},
	{"virama and non-joiner", "\u0915\u094d\u200cx", "xn--x-tud2ow90g"},
	{"two non-joiners, one behind a virama", "\u0915\u094d\u200cx\u200c\u0628", ""},
	{"non-joiner behind a letter that does not join", "\u0915\u200cx", ""},
	{"non-joiner at the end", "x\u200c", ""},
	{"a letter that is transparent", "\u0628\U0001e94b\u200c\U0001e94b\u0628", "xn--ngba799qy713bba"},
	{"a joining letter of Unicode 17.0", "\u0628\u200c\u088f", "xn--ngb44jnz9a"},
	{"valid since 16.0", "a\u1806b", "xn--ab-h0o"},
	{"ideograph of 17.0", "\U000323b0", "xn--031o"},
	{"hieroglyph of 16.0", "\U00013460x", "xn--x-1x2k"},
	{"not yet assigned", "\u0558", ""},
	{"in Punycode", "é.xn--ab-h0o", "xn--9ca.xn--ab-h0o"},
	{"in Punycode and not", "é.xn--ab-h0o.\u1806", "xn--9ca.xn--ab-h0o.xn--c6e"},
	{"with what stands for it", "\u0138\u1806\u0138\U000105c0\u0138\u00a1", "xn--7a51aaa2030a3c21a"},
	{"with what stands for it in Punycode", "é.xn--tfa.\U000105c0", "xn--9ca.xn--tfa.xn--4u8c"},
	{"capital of 16.0", "\U00010d50\U00010d51", "xn--dh0dc"},
	{"mapped to ASCII", "\U0001ccd6\U0001ccf1", "a1"},
	{"capital sharp s", "\u1e9e", "xn--zca"},
	{"a mark of 16.0 first", "\U000113b8x", ""},
	{"right to left behind Latin", "a\U00010d6f", ""},
	{"right to left", "\u05d0\U00010d70", "xn--4db0906k"},
	{"a mark that 15.0 took for a non-spacing one", "\u05d0\U0001171e\u05d0", ""},
	{"composed since 16.0", "\U00011382\U000113c9", "xn--sq1d"},
	{"composed otherwise", "\U0001138b\U000113c5", "xn--3q1dod"},
	{"three that are one", "x\U0001611e\U0001611e\U0001611f", "xn--x-1n1m"},
	{"with a mark of old", "\U000105d2\u0307", "xn--ev8c"},
	{"composed in Punycode", "é.xn--sq1d", "xn--9ca.xn--sq1d"},
	{"not composed in Punycode", "é.xn--rq1dwe", ""},
}

func TestHosts(t *testing.T) {
	for _, c := range hosts {
		got := webAnswer(webCase{"", "http://" + c.host + "/"})
		if got != c.want && got != "http://"+c.want+"/" {
			t.Errorf("%s: http://%+q/ is %q, want host %q", c.name, c.host, got, c.want)
		}
	}
}
