package serve

import (
	"net"
	"sync"
)

// limited is a listener with a limit of open connections. Further connections wait in the queue of
// the system.
type limited struct {
	net.Listener
	free   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newLimited(l net.Listener, most int) *limited {
	return &limited{Listener: l, free: make(chan struct{}, most), closed: make(chan struct{})}
}

// Accept waits for a connection. If too many connections are open, it first waits until one is
// closed.
func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.free <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &connection{Conn: c, l: l}, nil
}

func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// connection frees its place when it is closed.
type connection struct {
	net.Conn
	l    *limited
	once sync.Once
}

func (c *connection) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { <-c.l.free })
	return err
}
