package fetch

import (
	"net/http"
	"net/netip"
	"testing"
)

func TestNotPublic(t *testing.T) {
	for addr, want := range map[string]string{
		"93.184.215.14":                         "",
		"2606:2800:21f:cb07::1":                 "",
		"8.8.8.8":                               "",
		"172.15.255.255":                        "",
		"172.32.0.0":                            "",
		"127.0.0.1":                             "a loopback address",
		"127.255.255.254":                       "a loopback address",
		"::1":                                   "a loopback address",
		"0.0.0.0":                               "an address of this host",
		"::":                                    "an address of this host",
		"10.1.2.3":                              "a private address",
		"172.16.0.1":                            "a private address",
		"172.31.255.255":                        "a private address",
		"192.168.1.1":                           "a private address",
		"100.100.100.200":                       "an address shared by a provider",
		"169.254.169.254":                       "a link-local address",
		"168.63.129.16":                         "a service address of a cloud",
		"fd00:ec2::254":                         "a private address",
		"fe80::1%eth0":                          "a link-local address",
		"fec0::1":                               "a private address",
		"ff02::1":                               "a multicast address",
		"2001:10::":                             "an identifier, no address",
		"2001:1f:ffff:ffff:ffff:ffff:ffff:ffff": "an identifier, no address",
		"2001:20::1":                            "an identifier, no address",
		"2001:2::1":                             "an address of benchmarks",
		"2001:2:1::1":                           "an address of a protocol",
		"2001:1::1":                             "an address of a protocol",
		"2001:30::1":                            "an address of a protocol",
		"2001:1ff:ffff::1":                      "an address of a protocol",
		"2001:200::1":                           "",
		"2001:4860:4860::8888":                  "",
		"100::1":                                "a discarded address",
		"100:0:0:1::1":                          "a placeholder of a protocol",
		"2001:db8::1":                           "an address of documentation",
		"3fff:fff:ffff::1":                      "an address of documentation",
		"5f00::1":                               "an address of a segment",
		"224.0.0.1":                             "a multicast address",
		"255.255.255.255":                       "a reserved address",
		"::ffff:127.0.0.1":                      "a loopback address in an IPv6 address",
		"::ffff:10.0.0.1":                       "a private address in an IPv6 address",
		"::ffff:8.8.8.8":                        "",
		"::127.0.0.1":                           "a loopback address in an IPv6 address",
		"::ffff:0:169.254.169.254":              "a link-local address in an IPv6 address",
		"64:ff9b::10.0.0.1":                     "a private address in an IPv6 address",
		"64:ff9b::8.8.8.8":                      "",
		"64:ff9b:1::10.0.0.1":                   "a private address",
		"2002:7f00:1::":                         "a loopback address in an IPv6 address",
		"2002:808:808::":                        "",
		"2001:0:808:808::f7f7:f7f7":             "",
		"2001:0:808:808:0:0:80ff:fffe":          "a loopback address in an IPv6 address",
	} {
		if got := describeNonPublic(netip.MustParseAddr(addr)); got != want {
			t.Errorf("describeNonPublic(%s): got %q, want %q", addr, got, want)
		}
	}
}

// Get never connects to a private address, whether a number, a name, a redirect or robots.txt leads
// there.
func TestPrivate(t *testing.T) {
	reached := make(chan string, 100)
	mux := testSite()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { reached <- r.Host + r.URL.Path })
	inside := newWorld(t, mux, nil)
	outside := newWorld(t, testSite(), map[string]string{
		"rebind.test": "127.0.0.1", "metadata.test": "169.254.169.254",
		"mapped.test": "::ffff:127.0.0.1", "six.test": "::1", "nat64.test": "64:ff9b::a00:1",
	})
	c := outside.trusted(t, Options{MaxRedirects: 10})
	for _, host := range []string{"127.0.0.1", "localhost", "rebind.test", "[::1]", "[::ffff:127.0.0.1]",
		"0x7f.1", "2130706433", "mapped.test", "six.test", "metadata.test", "nat64.test", "0.0.0.0", "127.1"} {
		url := "http://" + host + ":" + inside.port + "/secret"
		wantError(t, c, url, "--allow-private allows it")
		wantError(t, c, outside.url("a.test", "/to?l="+url), "--allow-private allows it")
	}
	select {
	case at := <-reached:
		t.Errorf("a server of the private network was reached: %s", at)
	default:
	}
	if r, err := get(t, inside.client(t, Options{AllowPrivate: true}), inside.url("127.0.0.1", "/page")); err != nil ||
		string(r.Body) != page {
		t.Errorf("with AllowPrivate: got %v, %v, want the page", r, err)
	}
}
