package fetch

import (
	"fmt"
	"net"
	"net/netip"
	"sync"
	"syscall"
)

// A list of URLs, or a redirect, may name a machine in the private network of this program. The
// answers of such a machine must not leave the network. So the address of each connection is
// checked, after the name was resolved and before the connection is made. Thus a host name cannot
// bypass the check.

// refusedAddress is the error for an address outside the public network.
type refusedAddress struct {
	addr        netip.Addr
	description string
}

func (r *refusedAddress) Error() string {
	return fmt.Sprintf("%s is %s; --allow-private allows it", r.addr, r.description)
}

// checkAddress refuses addresses outside the public network. It is the Control function of a
// net.Dialer.
func (c *Client) checkAddress(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return &net.AddrError{Err: "not an address", Addr: address}
	}
	if c.o.AllowPrivate || c.isExempt != nil && c.isExempt(at) {
		return nil
	}
	if description := describeNonPublic(at.Addr()); description != "" {
		return &refusedAddress{at.Addr(), description}
	}
	return nil
}

// describeNonPublic describes an address outside the public network. It returns "" for a public
// address. An IPv6 address that contains an IPv4 address is public if the IPv4 address is public
// (RFC 4291 2.5.5, 6052, 3056, 4380).
func describeNonPublic(a netip.Addr) string {
	a = a.WithZone("")
	for _, r := range nonPublicRanges() {
		if r.prefix.Contains(a) {
			return r.description
		}
	}
	if !a.Is6() {
		return ""
	}
	for _, r := range embeddingRanges() {
		if !r.prefix.Contains(a) {
			continue
		}
		if description := describeNonPublic(r.inner(a.As16())); description != "" {
			return description + " in an IPv6 address"
		}
		return ""
	}
	if protocolRange().Contains(a) {
		return "an address of a protocol"
	}
	return ""
}

// protocolRange is the range of IETF protocols (RFC 2928). It includes Teredo, which is in
// embeddingRanges.
var protocolRange = sync.OnceValue(func() netip.Prefix { return netip.MustParsePrefix("2001::/23") })

// nonPublicRanges are the ranges in the special-purpose registries (RFC 6890) that are not global,
// and addresses of cloud services.
var nonPublicRanges = sync.OnceValue(func() []addressRange {
	return []addressRange{
		{netip.MustParsePrefix("169.254.0.0/16"), "a link-local address"}, // metadata of most clouds: 169.254.169.254
		{netip.MustParsePrefix("0.0.0.0/8"), "an address of this host"},
		{netip.MustParsePrefix("10.0.0.0/8"), "a private address"},
		{netip.MustParsePrefix("100.64.0.0/10"), "an address shared by a provider"},
		{netip.MustParsePrefix("127.0.0.0/8"), "a loopback address"},
		{netip.MustParsePrefix("168.63.129.16/32"), "a service address of a cloud"},
		{netip.MustParsePrefix("172.16.0.0/12"), "a private address"},
		{netip.MustParsePrefix("192.0.0.0/24"), "an address of a protocol"},
		{netip.MustParsePrefix("192.0.2.0/24"), "an address of documentation"},
		{netip.MustParsePrefix("192.88.99.0/24"), "a relay address"},
		{netip.MustParsePrefix("192.168.0.0/16"), "a private address"},
		{netip.MustParsePrefix("198.18.0.0/15"), "an address of benchmarks"},
		{netip.MustParsePrefix("198.51.100.0/24"), "an address of documentation"},
		{netip.MustParsePrefix("203.0.113.0/24"), "an address of documentation"},
		{netip.MustParsePrefix("224.0.0.0/4"), "a multicast address"},
		{netip.MustParsePrefix("240.0.0.0/4"), "a reserved address"},
		{netip.MustParsePrefix("::/128"), "an address of this host"},
		{netip.MustParsePrefix("::1/128"), "a loopback address"},
		{netip.MustParsePrefix("64:ff9b:1::/48"), "a private address"},
		{netip.MustParsePrefix("100::/64"), "a discarded address"},
		{netip.MustParsePrefix("100:0:0:1::/64"), "a placeholder of a protocol"},
		{netip.MustParsePrefix("2001:2::/48"), "an address of benchmarks"},
		{netip.MustParsePrefix("2001:10::/28"), "an identifier, no address"}, // ORCHID; the next is its second version
		{netip.MustParsePrefix("2001:20::/28"), "an identifier, no address"},
		{netip.MustParsePrefix("2001:db8::/32"), "an address of documentation"},
		{netip.MustParsePrefix("3fff::/20"), "an address of documentation"},
		{netip.MustParsePrefix("5f00::/16"), "an address of a segment"},
		{netip.MustParsePrefix("fc00::/7"), "a private address"},
		{netip.MustParsePrefix("fe80::/10"), "a link-local address"},
		{netip.MustParsePrefix("fec0::/10"), "a private address"},
		{netip.MustParsePrefix("ff00::/8"), "a multicast address"},
	}
})

// addressRange is a range of addresses that are not public, and their description.
type addressRange struct {
	prefix      netip.Prefix
	description string
}

// embeddingRanges are the IPv6 ranges whose addresses contain an IPv4 address.
var embeddingRanges = sync.OnceValue(func() []embeddingRange {
	return []embeddingRange{
		{netip.MustParsePrefix("::ffff:0:0/96"), last32},
		{netip.MustParsePrefix("::/96"), last32},
		{netip.MustParsePrefix("::ffff:0:0:0/96"), last32},
		{netip.MustParsePrefix("64:ff9b::/96"), last32},
		{netip.MustParsePrefix("2002::/16"), func(b [16]byte) netip.Addr { return netip.AddrFrom4([4]byte(b[2:6])) }},
		{netip.MustParsePrefix("2001::/32"), func(b [16]byte) netip.Addr {
			return netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]})
		}},
	}
})

// embeddingRange is a range of IPv6 addresses. inner returns the IPv4 address in an address of the
// range.
type embeddingRange struct {
	prefix netip.Prefix
	inner  func([16]byte) netip.Addr
}

// last32 returns the IPv4 address in the last 32 bits of an IPv6 address.
func last32(b [16]byte) netip.Addr { return netip.AddrFrom4([4]byte(b[12:])) }
