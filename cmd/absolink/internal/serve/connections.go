package serve

import (
	"net"
	"sync"
)

// limitedListener is a listener with a limit on open connections. Further connections wait in the
// queue of the operating system.
type limitedListener struct {
	net.Listener
	open   chan struct{} // holds an element for each open connection
	closed chan struct{}
	once   sync.Once
}

func newLimitedListener(l net.Listener, limit int) *limitedListener {
	return &limitedListener{Listener: l, open: make(chan struct{}, limit), closed: make(chan struct{})}
}

// Accept waits for a connection. If too many connections are open, it first waits until one is
// closed.
func (l *limitedListener) Accept() (net.Conn, error) {
	select {
	case l.open <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.open
		return nil, err
	}
	return &connection{Conn: c, l: l}, nil
}

func (l *limitedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// connection is a connection that counts as open until it is closed.
type connection struct {
	net.Conn
	l    *limitedListener
	once sync.Once
}

func (c *connection) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { <-c.l.open })
	return err
}
