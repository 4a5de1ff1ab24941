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

// guard decides which requests are answered. It refuses foreign names in Host: the name of a
// hostile site may resolve to this server (DNS rebinding). It refuses foreign values of Origin: a
// browser sends them for pages of other sites.
type guard struct {
	hosts      []string // values of Host, in lower case; one without a port matches any port
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

// contentSecurityPolicy is the policy of most answers. Browsers load scripts, styles and images
// only from this server, because a page may show parts of a hostile document.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src " +
	"'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// setHeaders sets the header fields that all answers have.
func (g *guard) setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", contentSecurityPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// exposedHeaders lists the header fields of answers that scripts of an allowed origin may read.
const exposedHeaders = "X-Absolink-Edits, X-Absolink-Skipped, X-Absolink-Problems, Retry-After"

// intercept refuses a request that is not allowed, and answers a preflight request of an allowed
// origin. It returns true if it has answered.
func (g *guard) intercept(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path == "/healthz" {
		return false
	}
	if !g.hostAllowed(r.Host) {
		turnAway(w, &Problem{Status: http.StatusForbidden,
			Detail: "the Host header names another server; --allow-host allows a name"})
		return true
	}
	if origin := r.Header.Get("Origin"); origin != "" && !g.isOwnOrigin(origin, r) {
		if !slices.Contains(g.origins, origin) {
			turnAway(w, &Problem{Status: http.StatusForbidden,
				Detail: "the request comes from a page of another origin; --allow-origin allows one"})
			return true
		}
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", exposedHeaders)
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
	writeProblem(w, p)
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

// isOwnOrigin reports whether origin is the origin of this server. If the page has the policy
// no-referrer, a browser sends the origin "null" with a form. Then Sec-Fetch-Site decides.
func (g *guard) isOwnOrigin(origin string, r *http.Request) bool {
	if origin == "null" {
		return r.Header.Get("Sec-Fetch-Site") == "same-origin"
	}
	host, ok := strings.CutPrefix(strings.ToLower(origin), "http://")
	if !ok {
		host, ok = strings.CutPrefix(strings.ToLower(origin), "https://")
	}
	return ok && host == strings.ToLower(r.Host)
}

// hasToken reports whether a request has the token. Its running time does not depend on the number
// of correct characters.
func (g *guard) hasToken(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") {
		_, token, _ = r.BasicAuth()
	}
	sum := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
}
