package serve

import (
	"net/http"
	"time"
)

// The limits of the server, besides those of pace.go.
const (
	headerTime   = 10 * time.Second
	idleTime     = 20 * time.Second
	workTime     = 2 * time.Minute // for one document
	shutdownTime = 10 * time.Second

	maxConnections = 1000
	maxHeader      = 32 << 10
)

// Options say who may use the service, and how much it does at once. Fields that hold the value of
// a flag have the name of the flag.
type Options struct {
	Prepare Prepare

	Listen       string   // address with its port; port 0 takes any free port
	TokenFile    string   // file with the token that requests must send, or empty
	NoToken      bool     // let everyone in without a token
	AllowHosts   []string // accepted names in Host, besides the address
	AllowOrigins []string // accepted values of Origin, besides the server's own

	MaxSize  int64         // largest decoded body
	Jobs     int           // number of documents at once
	Queue    int           // number of requests that may wait; 0 means 512
	Patience time.Duration // time to wait for a client; 0 means 25 seconds
	WorkTime time.Duration // time for one document; 0 means 2 minutes
	Finish   time.Duration // time for unfinished requests when the server stops; 0 means 10 seconds

	Description []byte                        // the result of the function Description
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
