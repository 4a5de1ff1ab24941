package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// guard decides which requests are answered. It refuses foreign names in Host: they come from pages
// of a site whose name was made to resolve to this server (DNS rebinding). It refuses foreign
// origins: they come from pages of other sites in a browser.
type guard struct {
	hosts      []string // in lower case, with the port; a name without a port matches any port
	origins    []string
	token      [sha256.Size]byte
	needsToken bool // requests must send the token
}

func newGuard(o *Options, token string, listening net.Addr) guard {
	g := guard{origins: o.AllowOrigins, needsToken: token != "", token: sha256.Sum256([]byte(token))}
	if address, err := netip.ParseAddrPort(listening.String()); err == nil && !address.Addr().IsUnspecified() {
		names := []string{address.Addr().String()}
		if address.Addr().IsLoopback() {
			names = append(names, "localhost")
		}
		_, port, _ := net.SplitHostPort(listening.String())
		for _, name := range names {
			g.hosts = append(g.hosts, net.JoinHostPort(name, port))
			if port == "80" {
				g.hosts = append(g.hosts, strings.TrimSuffix(net.JoinHostPort(name, port), ":80"))
			}
		}
	}
	for _, name := range o.AllowHosts {
		g.hosts = append(g.hosts, strings.ToLower(name))
	}
	return g
}

// security is the Content-Security-Policy of all answers: a browser must not interpret any part of
// a document.
const security = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// setHeaders sets the header fields that all answers have.
func (g *guard) setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", security)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// exposed lists the header fields of answers that scripts of an allowed origin may read.
const exposed = "X-Absolink-Edits, X-Absolink-Skipped, X-Absolink-Problems, Retry-After"

// intercept answers requests that are refused, and the preflight requests of allowed origins. It
// returns true if it has answered.
func (g *guard) intercept(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path == "/healthz" {
		return false
	}
	if !g.hostAllowed(r.Host) {
		turnAway(w, &Problem{Status: http.StatusForbidden,
			Detail: "the Host header names another server; --allow-host lets a name in"})
		return true
	}
	if origin := r.Header.Get("Origin"); origin != "" && !g.isOwn(origin, r) {
		if !slices.Contains(g.origins, origin) {
			turnAway(w, &Problem{Status: http.StatusForbidden,
				Detail: "the page that asks is of another origin; --allow-origin lets one in"})
			return true
		}
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", exposed)
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		h.Add("Vary", "Origin")
		if r.Method == http.MethodOptions {
			h.Set("Access-Control-Allow-Methods", "GET, POST")
			h.Set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Encoding, Content-Type")
			h.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
			return true
		}
	}
	if g.needsToken && !g.hasToken(r) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="absolink"`)
		w.Header().Add("WWW-Authenticate", `Basic realm="absolink", charset="UTF-8"`)
		turnAway(w, &Problem{Status: http.StatusUnauthorized,
			Detail: "a token is needed: Authorization: Bearer TOKEN, or the password of Basic"})
		return true
	}
	return false
}

// turnAway answers a refused client with p, and closes its connection.
func turnAway(w http.ResponseWriter, p *Problem) {
	w.Header().Set("Connection", "close")
	refuse(w, p)
}

// hostAllowed reports whether a Host header names this server.
func (g *guard) hostAllowed(host string) bool {
	host = strings.ToLower(host)
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	return slices.Contains(g.hosts, host) || slices.Contains(g.hosts, name)
}

// isOwn reports whether origin is the origin of this server. For a form on a page without a
// referrer, a browser sends the origin "null". Then Sec-Fetch-Site decides.
func (g *guard) isOwn(origin string, r *http.Request) bool {
	if origin == "null" {
		return r.Header.Get("Sec-Fetch-Site") == "same-origin"
	}
	host, ok := strings.CutPrefix(strings.ToLower(origin), "http://")
	if !ok {
		host, ok = strings.CutPrefix(strings.ToLower(origin), "https://")
	}
	return ok && host == strings.ToLower(r.Host)
}

// hasToken reports whether a request has the token. The time that it takes does not depend on the
// number of correct characters.
func (g *guard) hasToken(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") {
		_, token, _ = r.BasicAuth()
	}
	sum := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
}
