package flag

import "fmt"

// Error says that a command line cannot be carried out, and what to type instead.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

// Errorf returns an *Error with that text.
func Errorf(format string, a ...any) error { return &Error{fmt.Sprintf(format, a...)} }
