package serve

import (
	"net/http"
	"time"
)

// The limits of the server, besides those of pace.go.
const (
	headerTime   = 10 * time.Second
	idleTime     = 20 * time.Second
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
