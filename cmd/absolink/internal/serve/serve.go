// Package serve answers HTTP requests with what the commands extract, rewrite, base and
// resolve print: the service below /v1/, and beside it what says how it is doing.
//
//	s, l, err := serve.Listen(&options)
//	if err != nil {
//		return err // a *flag.Error
//	}
//	err = s.Serve(ctx, l)
//
// A request goes this way: guard lets it in, receive reads its body with the content coding
// undone, the queue gives it one of the places of those at work, and a [Call] that was
// prepared for its parameters does the work of the command. What the call prints goes out
// through an answer, in the coding that was asked for.
//
// Files in reading order:
//
//	problem.go      errors as RFC 9457 has them
//	pace.go         how fast the body of a request comes
//	answer.go       the body of an answer
//	queue.go        how many requests are at work
//	connections.go  how many connections there are
//	parameters.go   the flags that a query may have
//	serve.go        the server, its limits of time, and its end
//	openapi.go      the description of the service
//	listen.go       the address, and who reaches it
//	body.go         the body of a request
//	metrics.go      figures for Prometheus
//	pair.go         the lines of a body for resolve
//	guard.go        who gets in: Host, Origin and token
//	call.go         calls that were prepared, by their parameters
//	api.go          the requests below /v1/
package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"absolink/cmd/absolink/internal/console"
)

// The limits of time. A client that sends nothing, or reads nothing, for patience loses its
// connection, and so does one that is slower than slowest bytes a second in the end.
const (
	headerTime   = 10 * time.Second
	idleTime     = 20 * time.Second
	patience     = 25 * time.Second
	atWork       = 5 * time.Second // patience with a reader of an answer whose document is still worked on
	slowest      = 16 << 10
	workTime     = 2 * time.Minute // of one document
	shutdownTime = 10 * time.Second

	maxConnections = 1000
	maxHeader      = 32 << 10
)

// Options say who gets in, and how much is done at once. Those of flags have the names of them.
type Options struct {
	Prepare Prepare

	Listen       string   // address with its port, 0 for any that is free
	TokenFile    string   // has the token that requests must bear; "" = none
	NoToken      bool     // others may reach the address, and need none
	AllowHosts   []string // names in Host besides the address
	AllowOrigins []string // in Origin besides the server's own

	MaxSize  int64         // largest body, its coding undone
	Jobs     int           // documents at once
	Queue    int           // requests that wait for their turn; 0 = 512
	Patience time.Duration // a client is waited for; 0 = 25 seconds
	WorkTime time.Duration // one document may take; 0 = 2 minutes
	Finish   time.Duration // what is under way at the end may take; 0 = 10 seconds

	Description []byte                        // of the service, which Description makes
	Log         func(line string)             // is called with a line of each request; nil = nothing is
	Pages       func(*Server, *http.ServeMux) // adds what else is served, under the same guard; nil = nothing is
}

// Server answers requests. It is safe for concurrent use.
type Server struct {
	o       *Options
	calls   calls
	queue   *queue
	figures *figures
	guard   guard
	mux     *http.ServeMux
}

// newServer returns a server under o, which asks for a token unless it is empty, for the
// address that it listens on.
func newServer(o *Options, token string, listening net.Addr) *Server {
	s := &Server{o: o, queue: newQueue(o.Jobs, o.Queue), guard: newGuard(o, token, listening), mux: http.NewServeMux()}
	s.calls.prepare = o.Prepare
	s.figures = newFigures(s.queue)
	s.route()
	return s
}

// Serve answers what comes to l until ctx ends, and then finishes what is under way, within
// the time of Options.Finish.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: min(headerTime, s.patience()),
		IdleTimeout:       min(idleTime, s.patience()),
		WriteTimeout:      s.patience(), // of what net/http writes itself; answers set their own
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          log.New(io.Discard, "", 0),
		BaseContext:       func(net.Listener) context.Context { return work },
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(newLimited(l, maxConnections)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	finish := cmp.Or(s.o.Finish, shutdownTime)
	limited, cancel := context.WithTimeout(work, finish)
	defer cancel()
	err := server.Shutdown(limited)
	if errors.Is(err, context.DeadlineExceeded) {
		stop()
		return errors.Join(fmt.Errorf("the requests that did not end within %v were cut off", finish), server.Close())
	}
	return err
}

// patience returns how long a client is waited for.
func (s *Server) patience() time.Duration { return cmp.Or(s.o.Patience, patience) }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	body := newPaced(w, r, s.patience())
	r = r.WithContext(r.Context()) // net/http keeps the request as it was
	r.Body = body
	a := newAnswer(w, r, body)
	path := s.figures.begin(r)
	defer func() {
		seconds := time.Since(began)
		p := recover()
		s.figures.end(path, a.status, seconds, r.ContentLength, a.sent)
		if s.o.Log != nil {
			s.o.Log(logLine(began, r, a, seconds))
		}
		if p != nil {
			panic(p) // net/http ends the connection
		}
	}()
	s.guard.headers(a.Header())
	if refused := s.guard.refuses(a, r); !refused {
		s.mux.ServeHTTP(a, r)
	}
	a.close()
	body.end()
}

// logLine is what -v says of a request: nothing of the document, nor what a page is reached by.
func logLine(began time.Time, r *http.Request, a *answer, took time.Duration) string {
	path := r.URL.EscapedPath()
	if rest, ok := strings.CutPrefix(path, pagePrefix); ok {
		_, rest, _ = strings.Cut(rest, "/")
		path = pagePrefix + "*/" + rest
	}
	path, _ = strings.CutSuffix(path, "/")
	if path == "" {
		path = "/"
	}
	return began.UTC().Format(time.RFC3339) + " " + console.Printable(r.Method) +
		" " + console.Printable(path) + " " + a.line(took)
}

// pagePrefix is where pages of documents are, below which the next segment is a secret.
const pagePrefix = "/document/"
