package serve

import (
	"net/http"
	"time"
)

// The limits of the server, besides those of pace.go.
const (
	headerTime   = 10 * time.Second
	idleTime     = 20 * time.Second
	workTime     = 2 * time.Minute  // default of Options.WorkTime
	shutdownTime = 10 * time.Second // default of Options.Finish

	maxConnections = 1000
	maxHeader      = 32 << 10
)

// Options say who may use the service, and how much it does at once. The fields from Listen to Jobs
// hold the values of the flags of the same names.
type Options struct {
	Prepare Prepare

	Listen       string   // address with its port; port 0 takes any free port
	TokenFile    string   // file with the token that requests must send, or empty
	NoToken      bool     // let everyone in without a token
	AllowHosts   []string // accepted names in Host, besides the address of the server
	AllowOrigins []string // accepted values of Origin, besides the server's own

	MaxSize  int64         // size in bytes of the largest decoded body
	Jobs     int           // number of workers: documents that are processed at once
	Queue    int           // number of requests that may wait; 0 means 512
	Patience time.Duration // longest wait for a client; 0 means 25 seconds
	WorkTime time.Duration // longest work for one request; 0 means 2 minutes
	Finish   time.Duration // time for unfinished requests when the server stops; 0 means 10 seconds

	Description []byte                        // the result of the function Description
	Log         func(line string)             // called with a line for each request; may be nil
	Pages       func(*Server, *http.ServeMux) // registers more handlers behind the guard; may be nil
}

// Server answers requests. It is safe for concurrent use.
type Server struct {
	o       *Options
	calls   calls
	queue   *queue
	metrics *serverMetrics
	guard   guard
	mux     *http.ServeMux
}
