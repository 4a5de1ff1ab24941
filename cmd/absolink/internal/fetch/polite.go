package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"

	"absolink/cmd/absolink/internal/robots"
)

// robotsCache holds the rules of the robots.txt of sites. The first request to a site retrieves
// them, and the other requests wait.
type robotsCache struct {
	token string // the name of the program in robots.txt
	mu    sync.Mutex
	sites map[siteKey]*site
}

// siteKey identifies a site, which is a scheme, host and port (RFC 9309 2.3).
type siteKey struct {
	scheme, host string
	credentials  bool // requests to the site have the credentials of the operator
}

// site is the state of one site.
type site struct {
	done  chan struct{} // closed when rules and err are set
	rules *robots.Rules
	err   error
}

// maxSites is the largest number of sites in the cache. A full cache is emptied.
const maxSites = 4096

// checkRobots returns an error if robots.txt does not allow the retrieval of u. The first call for
// a site retrieves robots.txt, in robotsCtx and with a time limit of its own. Other calls wait for
// it, until ctx is done. Credentials are sent if u has the origin of listed.
func (c *Client) checkRobots(ctx, robotsCtx context.Context, listed, u *url.URL) error {
	s, first := c.robots.entry(siteKey{u.Scheme, u.Host, sameOrigin(listed, u)})
	if first {
		s.rules, s.err = c.fetchRobots(robotsCtx, listed, u)
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
		return fmt.Errorf("robots.txt of %s cannot be retrieved, so its URLs are not: %w; --ignore-robots goes on "+
			"without it", u.Host, s.err)
	case !s.rules.Allowed(path):
		return errForbidden
	}
	return nil
}

// entry returns the site with a key. If first is true, the caller must set rules and err of the
// site, and close done.
func (r *robotsCache) entry(key siteKey) (s *site, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.sites[key]; s != nil {
		return s, false
	}
	if r.sites == nil || len(r.sites) >= maxSites {
		r.sites = make(map[siteKey]*site)
	}
	s = &site{done: make(chan struct{})}
	r.sites[key] = s
	return s, true
}

// robotsRedirects is the number of redirects that are followed from a robots.txt, even if
// MaxRedirects is smaller (RFC 9309 2.3.1.2).
const robotsRedirects = 5

// fetchRobots retrieves the robots.txt of the site of u. If the site has no robots.txt, it returns
// nil, which allows everything (RFC 9309 2.3.1.3). After an error of the server it returns an
// error, because then nothing may be retrieved (2.3.1.4).
func (c *Client) fetchRobots(ctx context.Context, listed, u *url.URL) (*robots.Rules, error) {
	ctx, cancel, watch := withTimeLimit(ctx, c.o.Timeout)
	defer cancel()
	at := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt", User: u.User}
	t := &retrieval{client: c, listed: listed, first: at, redirects: max(c.o.MaxRedirects, robotsRedirects),
		limit: robots.MaxSize, prefixOnly: true, watch: watch}
	r, err := t.follow(ctx)
	var status *badStatus
	var many *tooManyRedirects
	switch {
	case errors.As(err, &status) && status.code < 500 || errors.As(err, &many) || errors.Is(err, errLoop):
		return nil, nil
	case err != nil:
		return nil, c.explain(ctx, at, err)
	}
	return robots.Parse(r.Body, c.robots.token), nil
}
