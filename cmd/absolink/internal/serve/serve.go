// Package serve answers HTTP requests with the output of the commands extract, rewrite, base and
// resolve: the service below /v1/, its health check and its metrics.
//
//	s, l, err := serve.Listen(&options)
//	if err != nil {
//		return err // a *flag.Error
//	}
//	err = s.Serve(ctx, l)
//
// A request passes the guard, receive reads and decodes its body, and the queue gives it one of the
// places at work. A [Call] that was prepared for its parameters does the work of the command. The
// output goes through an answer, in the coding that the client accepts.
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

// The time limits. A client that sends nothing, or reads nothing, for patience loses its
// connection. A client that stays slower than slowest bytes a second loses it too.
const (
	headerTime   = 10 * time.Second
	idleTime     = 20 * time.Second
	patience     = 25 * time.Second
	atWork       = 5 * time.Second // patience with a client that reads slowly while its document is still worked on
	slowest      = 16 << 10
	workTime     = 2 * time.Minute // of one document
	shutdownTime = 10 * time.Second

	maxConnections = 1000
	maxHeader      = 32 << 10
)

// Options say who is let in, and how much is done at once. Fields for flags have their names.
type Options struct {
	Prepare Prepare

	Listen       string   // address with its port; port 0 takes any free port
	TokenFile    string   // file with the token that requests must send, or empty
	NoToken      bool     // let everyone in without a token
	AllowHosts   []string // accepted names in Host, besides the address
	AllowOrigins []string // accepted values of Origin, besides the server's own

	MaxSize  int64         // largest decoded body
	Jobs     int           // documents at once
	Queue    int           // requests that may wait; 0 means 512
	Patience time.Duration // time to wait for a client; 0 means 25 seconds
	WorkTime time.Duration // time for one document; 0 means 2 minutes
	Finish   time.Duration // time for requests under way at the end; 0 means 10 seconds

	Description []byte                        // of the service, made by Description
	Log         func(line string)             // called with a line for each request; may be nil
	Pages       func(*Server, *http.ServeMux) // adds more requests under the same guard; may be nil
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

// newServer returns a server for the address listening. Requests must send token unless it is
// empty.
func newServer(o *Options, token string, listening net.Addr) *Server {
	s := &Server{o: o, queue: newQueue(o.Jobs, o.Queue), guard: newGuard(o, token, listening), mux: http.NewServeMux()}
	s.calls.prepare = o.Prepare
	s.figures = newFigures(s.queue)
	s.route()
	return s
}

// Serve answers requests on l until ctx ends, and then finishes the requests under way within
// Options.Finish.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: min(headerTime, s.patience()),
		IdleTimeout:       min(idleTime, s.patience()),
		WriteTimeout:      s.patience(), // for answers of net/http itself; others set their own
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

// patience returns the time to wait for a client.
func (s *Server) patience() time.Duration { return cmp.Or(s.o.Patience, patience) }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	body := newPaced(w, r, s.patience())
	r = r.WithContext(r.Context()) // net/http keeps the original request
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
			panic(p) // net/http closes the connection
		}
	}()
	s.guard.headers(a.Header())
	if refused := s.guard.refuses(a, r); !refused {
		s.mux.ServeHTTP(a, r)
	}
	a.close()
	body.end()
}

// logLine returns the log line of a request. It contains nothing of the document, nor the secret
// part of a page's address.
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

// pagePrefix is the path of document pages. The next segment is a secret.
const pagePrefix = "/document/"
