package cli

import (
	"cmp"
	"context"
	"net/http"
	"runtime"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/build"
	"absolink/cmd/absolink/internal/command"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/serve"
)

// service holds the flags of the command serve.
type service struct {
	listen    string
	tokenFile string
	noToken   bool
	hosts     flag.List
	origins   flag.List
	maxSize   flag.Size
	keepSize  flag.Size
	jobs      int
	verbose   bool
}

func (p *program) serveCommand() *cobra.Command {
	x := &service{maxSize: 64 << 20, keepSize: 256 << 20}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Show documents on a page, and answer requests with the output of the commands",
		Long:  serveHelp,
		Example: "  absolink serve\n  curl --data-binary @page.html 'http://127.0.0.1:8713/v1/extract?base=http://" +
			"example.com/'\n" +
			"  absolink serve --listen 0.0.0.0:8713 --allow-host links.example.org --token-file token",
		Args: flag.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return p.serve(c.Context(), x) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.Var((*flag.Text)(&x.listen), "listen", "listen on `ADDRESS`, with its port; port 0 takes any free port")
	fs.Lookup("listen").DefValue = defaultListen
	fs.Var((*flag.Text)(&x.tokenFile), "token-file",
		"`FILE` with the token that requests must send; needed if other machines reach the address")
	fs.BoolVar(&x.noToken, "no-token", false, "accept requests without a token")
	fs.Var(&x.hosts, "allow-host",
		"also accept `NAME` in the Host header, as behind a proxy; without a port, any port (repeatable)")
	fs.Var(&x.origins, "allow-origin",
		"also accept requests from pages of `ORIGIN`, such as https://example.org (repeatable)")
	fs.Var(&x.maxSize, "max-size", "largest body after decoding, in bytes or with K, M, G")
	fs.Var(&x.keepSize, "keep-size",
		"keep at most this many bytes of uploads to the page, for at most 15 minutes; the oldest are deleted first")
	fs.IntVarP(&x.jobs, "jobs", "j", runtime.GOMAXPROCS(0), "work on `N` documents at once; others wait")
	fs.BoolVarP(&x.verbose, "verbose", "v", false,
		"print a line on standard error for each request: time, method, path, status, bytes, seconds")
	return c
}

// defaultListen is the default of --listen: an address that only processes of this machine reach.
const defaultListen = "127.0.0.1:8713"

const serveHelp = `Print an address. A browser there gets a page on which you upload, drop or paste a document.
The page shows the links, the source, the layers that give the base (RFC 2396 Section 5.1), the
differences between the rule sets, and the changes of a rewrite.

The service answers programs with the bytes that extract, rewrite, base and resolve print.
POST /v1/extract, /v1/rewrite, /v1/base and /v1/resolve take the document as the body and
flags as parameters; GET /v1/openapi.json describes them. GET /healthz says that the
service is running, GET /metrics has figures for Prometheus.

The service never retrieves anything. Only processes of this machine reach it, unless --listen
gives an address that other machines reach. Such an address needs --token-file or --no-token, and a
wildcard address also needs --allow-host. Behind the flags there are examples for curl and Scrapy.

On SIGTERM or SIGINT it finishes the requests under way, for at most 10 seconds, and ends.`

// serve answers requests until ctx ends.
func (p *program) serve(ctx context.Context, x *service) error {
	s, l, err := serve.Listen(x.options(p))
	if err != nil {
		return err
	}
	defer l.Close()
	p.say("listening on http://%s/", l.Addr())
	return s.Serve(ctx, l)
}

// options returns the options that follow from the flags.
func (x *service) options(p *program) *serve.Options {
	o := &serve.Options{
		Listen:       cmp.Or(x.listen, defaultListen),
		TokenFile:    x.tokenFile,
		NoToken:      x.noToken,
		AllowHosts:   x.hosts,
		AllowOrigins: x.origins,
		Prepare:      command.PrepareFor(x.maxSize),
		MaxSize:      int64(x.maxSize),
		Jobs:         x.jobs,
		Description:  serve.Description(command.Register, build.This().Text()),
	}
	o.Pages = func(s *serve.Server, mux *http.ServeMux) { command.Pages(x.maxSize, x.keepSize, s).Add(mux) }
	if x.verbose {
		c := console.New(p.err, "absolink", console.Never, false)
		o.Log = func(line string) { c.Printf("%s", line) }
	}
	return o
}
