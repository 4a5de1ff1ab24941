package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/build"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/serve"
)

// service is the command serve.
type service struct {
	listen    string
	tokenFile string
	noToken   bool
	hosts     flag.List
	origins   flag.List
	size      flag.Size
	keep      flag.Size
	jobs      int
	verbose   bool
}

func (p *program) serveCommand() *cobra.Command {
	x := &service{size: 64 << 20, keep: 256 << 20}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Show documents on a page, and answer requests with what the commands print",
		Long:  serveHelp,
		Example: "  absolink serve\n  curl --data-binary @page.html 'http://127.0.0.1:8713/v1/extract?base=http://example.com/'\n" +
			"  absolink serve --listen 0.0.0.0:8713 --allow-host links.example.org --token-file token",
		Args: flag.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return p.serve(c.Context(), x) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.Var((*flag.Text)(&x.listen), "listen", "`ADDRESS` with its port; 0 takes any that is free")
	fs.Lookup("listen").DefValue = defaultListen
	fs.Var((*flag.Text)(&x.tokenFile), "token-file", "`FILE` with the token that requests must bear; needed where others reach the address")
	fs.BoolVar(&x.noToken, "no-token", false, "let all in who reach the address")
	fs.Var(&x.hosts, "allow-host", "also a `NAME` in the Host header, as behind a proxy; without a port it is of any (repeatable)")
	fs.Var(&x.origins, "allow-origin", "also pages of an `ORIGIN`, such as https://example.org (repeatable)")
	fs.Var(&x.size, "max-size", "largest body, its coding undone, in bytes or with K, M, G")
	fs.Var(&x.keep, "keep-size", "bytes of what was uploaded to the page that are kept, for at most 15 minutes; beyond it the oldest goes")
	fs.IntVarP(&x.jobs, "jobs", "j", runtime.GOMAXPROCS(0), "`N` documents at once; others wait")
	fs.BoolVarP(&x.verbose, "verbose", "v", false, "a line on standard error for each request: time, method, path, status, bytes, seconds")
	return c
}

// defaultListen is reached by processes of this machine only.
const defaultListen = "127.0.0.1:8713"

const serveHelp = `Show on a page, for a browser at the address that is printed, what extract, rewrite and base
find in a document that you upload, drop or paste: the figure of RFC 2396 Section 5.1, the source
with its references, the links, where the rule sets differ, and what rewriting changes.

Answer requests with the bytes that extract, rewrite, base and resolve print:
POST /v1/extract, /v1/rewrite, /v1/base and /v1/resolve take the document as the body
and flags as parameters, GET /v1/openapi.json describes them. GET /healthz says that
the service is there, GET /metrics has figures for Prometheus.

Nothing is ever retrieved. Who gets in: processes of this machine, unless --listen gives
another address; that wants --token-file or --no-token, and --allow-host where the
address is a wildcard. "absolink help service" has examples.

SIGTERM and SIGINT end it when what is under way is answered, within 10 seconds.`

func (p *program) serve(ctx context.Context, x *service) error {
	x.listen = cmp.Or(x.listen, defaultListen)
	o, err := x.options()
	if err != nil {
		return err
	}
	if x.verbose {
		notes := console.New(p.err, "absolink", console.Never, false)
		o.Log = func(line string) { notes.Printf("%s", line) }
	}
	l, err := net.Listen("tcp", x.listen)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return usagef("--listen %s: the port is in use; give another one, or 0 for any that is free", x.listen)
	case err != nil:
		return usagef("--listen %s: %v", x.listen, err)
	}
	defer l.Close()
	if err := x.checkOpen(l.Addr()); err != nil {
		return err
	}
	var s *serve.Server
	o.Pages = x.pageOf(func(ctx context.Context, call serve.Call, b *serve.Body, out io.Writer) (*serve.Result, error) {
		return s.Work(ctx, call, b, out)
	}).Add
	s = serve.New(o, l.Addr())
	p.say("listening on http://%s/", l.Addr())
	return s.Serve(ctx, l)
}

// options checks the flags.
func (x *service) options() (*serve.Options, error) {
	o := &serve.Options{Prepare: prepareFor(x.size), AllowHosts: x.hosts, AllowOrigins: x.origins, MaxSize: int64(x.size), Jobs: x.jobs,
		Description: serve.Description(func(command string, c *cobra.Command) { register(command, c) }, build.This().Text())}
	if x.jobs < 1 {
		return nil, usagef("--jobs %d: at least 1 is needed", x.jobs)
	}
	for _, origin := range x.origins {
		if scheme, host, ok := strings.Cut(origin, "://"); !ok || scheme == "" || host == "" || strings.Contains(host, "/") {
			return nil, usagef("--allow-origin %q: scheme and host are needed, such as https://example.org", origin)
		}
	}
	if x.tokenFile == "" {
		return o, nil
	}
	if x.noToken {
		return nil, usagef("--token-file and --no-token exclude each other: give one of them")
	}
	var err error
	o.Token, err = readToken(x.tokenFile)
	return o, err
}

// readToken reads a token that nobody else can.
func readToken(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", usagef("--token-file: %v", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", usagef("--token-file %s: others can read or write it (mode %04o); chmod 600 %s", name, info.Mode().Perm(), name)
	}
	if info.Size() > 4096 {
		return "", usagef("--token-file %s: %d bytes are no token", name, info.Size())
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", usagef("--token-file: %v", err)
	}
	token := strings.TrimSpace(string(data))
	if len(token) < 16 || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return "", usagef("--token-file %s: one line of at least 16 ASCII characters without blanks is needed, as head -c 24 /dev/urandom | base64 gives", name)
	}
	return token, nil
}

// checkOpen refuses an address that others reach unless the flags say who gets in.
func (x *service) checkOpen(listening net.Addr) error {
	address, err := netip.ParseAddrPort(listening.String())
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	switch ip := address.Addr().Unmap(); {
	case ip.IsLoopback():
		return nil
	case x.tokenFile == "" && !x.noToken:
		return usagef("--listen %s: others reach this address; add --token-file FILE, or --no-token to let all of them in", x.listen)
	case ip.IsUnspecified() && len(x.hosts) == 0:
		return usagef("--listen %s: add --allow-host NAME with the name that requests come by", x.listen)
	}
	return nil
}
