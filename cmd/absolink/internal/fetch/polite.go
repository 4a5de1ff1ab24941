package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"

	"absolink/cmd/absolink/internal/robots"
)

// robotsCache holds the rules of sites by robots.txt. The first request to a site retrieves them;
// the others wait.
type robotsCache struct {
	token string
	mu    sync.Mutex
	sites map[visit]*site
}

// visit is a site, which is a scheme, host and port (RFC 9309 2.3), and whether it gets the
// operator's credentials.
type visit struct {
	scheme, host string
	credentials  bool
}

// site is the state of one site.
type site struct {
	done  chan struct{} // closed when rules and err are set
	rules *robots.Rules
	err   error
}

// maxSites is the number of sites that are kept; others are asked again.
const maxSites = 4096

// permitted returns an error if u must not be retrieved. It waits under ctx; the retrieval of
// robots.txt runs under whole, with the time limit of any URL. Credentials are sent if u has the
// origin of listed. The rules with and without credentials are kept apart.
func (c *Client) permitted(ctx, whole context.Context, listed, u *url.URL) error {
	s, first := c.robots.site(visit{u.Scheme, u.Host, sameOrigin(listed, u)})
	if first {
		s.rules, s.err = c.ask(whole, listed, u)
		close(s.done)
	}
	select {
	case <-s.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	path := u.EscapedPath()
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + u.RawQuery
	}
	switch {
	case s.err != nil:
		return fmt.Errorf("robots.txt of %s cannot be retrieved, so nothing else is: %w; --ignore-robots goes on "+
			"without it", u.Host, s.err)
	case !s.rules.Allowed(path):
		return errForbidden
	}
	return nil
}

// site returns the entry of a site, and whether the caller must fill it.
func (r *robotsCache) site(v visit) (s *site, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.sites[v]; s != nil {
		return s, false
	}
	if r.sites == nil || len(r.sites) >= maxSites {
		r.sites = make(map[visit]*site)
	}
	s = &site{done: make(chan struct{})}
	r.sites[v] = s
	return s, true
}

// robotsRedirects is the number of redirects of robots.txt that are followed at least (RFC 9309
// 2.3.1.2).
const robotsRedirects = 5

// ask retrieves the robots.txt of the site of u. A missing file allows everything (2.3.1.3); an
// error of the server forbids everything (2.3.1.4).
func (c *Client) ask(ctx context.Context, listed, u *url.URL) (*robots.Rules, error) {
	ctx, cancel, spent := patience(ctx, c.o.Timeout)
	defer cancel()
	at := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt", User: u.User}
	t := &trip{client: c, listed: listed, first: at, redirects: max(c.o.MaxRedirects, robotsRedirects),
		limit: robots.MaxSize, beginning: true, spent: spent}
	r, err := t.follow(ctx)
	var status *badStatus
	var many *tooMany
	switch {
	case errors.As(err, &status) && status.code < 500 || errors.As(err, &many) || errors.Is(err, errLoop):
		return nil, nil
	case err != nil:
		return nil, c.explain(ctx, at, err)
	}
	return robots.Parse(r.Body, c.robots.token), nil
}
