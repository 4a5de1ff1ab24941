// Package serve answers HTTP requests with the output of the commands extract, rewrite, base and
// resolve: the service below /v1/, its health check and its metrics.
//
//	s, l, err := serve.Listen(&options)
//	if err != nil {
//		return err // a *flag.Error
//	}
//	err = s.Serve(ctx, l)
//
// A request passes through these steps. The guard checks its headers. A [Call] is prepared for its
// parameters. The function receive reads and decodes the body. The request waits in the queue for a
// worker. Then the Call does the work of the command. An answer writes the output, in a coding that
// the client accepts.
//
// Files in reading order:
//
//	problem.go      errors in the form of RFC 9457
//	pace.go         the time limits for slow clients
//	answer.go       the body of an answer, and its media types
//	queue.go        the limits of requests at work and of waiting requests
//	connections.go  the limit of connections
//	parameters.go   the flags that a query may have
//	body.go         the body of a request
//	pair.go         the lines of a body for resolve
//	call.go         prepared calls, which requests with the same parameters share
//	histogram.go    durations in buckets
//	metrics.go      metrics for Prometheus
//	guard.go        checks of Host, Origin and token
//	server.go       the server, its options and limits
//	openapi.go      the description of the service (OpenAPI)
//	api.go          the requests below /v1/
//	serve.go        accepts requests, logs them, and shuts down
//	listen.go       the address of the service
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

// newServer returns a server for the address listening. If token is not empty, requests must send
// it.
func newServer(o *Options, token string, listening net.Addr) *Server {
	s := &Server{o: o, queue: newQueue(o.Jobs, o.Queue), guard: newGuard(o, token, listening), mux: http.NewServeMux()}
	s.calls.prepare = o.Prepare
	s.metrics = newServerMetrics(s.queue)
	s.route()
	return s
}

// Serve answers requests on l until ctx is done. Then it finishes the requests that it has begun,
// within Options.Finish.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: min(headerTime, s.patience()),
		IdleTimeout:       min(idleTime, s.patience()),
		WriteTimeout:      s.patience(), // for answers of net/http itself; an answer sets its own
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          log.New(io.Discard, "", 0),
		BaseContext:       func(net.Listener) context.Context { return work },
	}
	serveErr := make(chan error, 1)
	go func() { serveErr <- server.Serve(newLimitedListener(l, maxConnections)) }()
	select {
	case err := <-serveErr:
		return err
	case <-ctx.Done():
	}
	finish := cmp.Or(s.o.Finish, shutdownTime)
	shutdownContext, cancel := context.WithTimeout(work, finish)
	defer cancel()
	err := server.Shutdown(shutdownContext)
	if errors.Is(err, context.DeadlineExceeded) {
		stop()
		return errors.Join(fmt.Errorf("the requests that did not end within %v were cut off", finish), server.Close())
	}
	return err
}

// patience returns how long the server waits for a client.
func (s *Server) patience() time.Duration { return cmp.Or(s.o.Patience, patience) }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	body := newPacedBody(w, r, s.patience())
	r = r.WithContext(r.Context()) // a copy: net/http still needs the original with its Body
	r.Body = body
	a := newAnswer(w, r, body)
	label := pathLabel(r.URL.Path)
	s.metrics.beginRequest()
	defer func() {
		took := time.Since(began)
		p := recover()
		s.metrics.endRequest(label, a.status, took, r.ContentLength, a.sent)
		if s.o.Log != nil {
			s.o.Log(logLine(began, r, a, took))
		}
		if p != nil {
			panic(p) // net/http closes the connection
		}
	}()
	s.guard.setHeaders(a.Header())
	if answered := s.guard.intercept(a, r); !answered {
		s.mux.ServeHTTP(a, r)
	}
	a.close()
	body.limitRest()
}

// logLine returns the log line of a request. The line contains neither parts of the document nor
// the secret segment in the address of a page.
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
		" " + console.Printable(path) + " " + a.logFields(took)
}
