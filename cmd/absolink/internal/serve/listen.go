package serve

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"syscall"

	"absolink/cmd/absolink/internal/flag"
)

// Listen checks o, and returns a server with its listener. The caller must close the listener. The
// error is a *[flag.Error] that names the wrong flag.
func Listen(o *Options) (*Server, net.Listener, error) {
	token, err := o.check()
	if err != nil {
		return nil, nil, err
	}
	l, err := net.Listen("tcp", o.Listen)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, nil, flag.Errorf("--listen %s: the port is in use; give another one, or 0 for any free port",
			o.Listen)
	case err != nil:
		return nil, nil, flag.Errorf("--listen %s: %v", o.Listen, err)
	}
	if err := o.checkAddress(l.Addr()); err != nil {
		l.Close()
		return nil, nil, err
	}
	return newServer(o, token, l.Addr()), l, nil
}

// check refuses options that cannot work. It returns the token, or "" if requests need none.
func (o *Options) check() (token string, err error) {
	if o.Jobs < 1 {
		return "", flag.Errorf("--jobs %d: at least 1 is needed", o.Jobs)
	}
	for _, origin := range o.AllowOrigins {
		if scheme, host, ok := strings.Cut(origin, "://"); !ok ||
			scheme == "" || host == "" || strings.Contains(host, "/") {
			return "", flag.Errorf("--allow-origin %q: scheme and host are needed, such as https://example.org", origin)
		}
	}
	switch {
	case o.TokenFile == "":
		return "", nil
	case o.NoToken:
		return "", flag.Errorf("--token-file and --no-token exclude each other: give one of them")
	}
	return readToken(o.TokenFile)
}

// readToken reads a token from a file. It refuses a file that other users can read or write.
func readToken(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", flag.Errorf("--token-file: %v", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", flag.Errorf("--token-file %s: others can read or write it (mode %04o); chmod 600 %s",
			name, info.Mode().Perm(), name)
	}
	if info.Size() > 4096 {
		return "", flag.Errorf("--token-file %s: %d bytes are too many for a token", name, info.Size())
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", flag.Errorf("--token-file: %v", err)
	}
	token := strings.TrimSpace(string(data))
	if len(token) < 16 || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return "", flag.Errorf("--token-file %s: one line of at least 16 ASCII characters without blanks is needed, "+
			"as head -c 24 /dev/urandom | base64 gives", name)
	}
	return token, nil
}

// checkAddress refuses an address that other machines can reach, unless the flags say who may use
// the service.
func (o *Options) checkAddress(listening net.Addr) error {
	address, err := netip.ParseAddrPort(listening.String())
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	switch ip := address.Addr().Unmap(); {
	case ip.IsLoopback():
		return nil
	case o.TokenFile == "" && !o.NoToken:
		return flag.Errorf("--listen %s: others reach this address; add --token-file FILE, or --no-token to let "+
			"everyone in", o.Listen)
	case ip.IsUnspecified() && len(o.AllowHosts) == 0:
		return flag.Errorf("--listen %s: add --allow-host NAME with the host name in the URLs of your clients",
			o.Listen)
	}
	return nil
}
