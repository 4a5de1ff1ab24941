package journal

import (
	"errors"
	"os"
)

// errSystem refuses every journal: who can write one is not to be known here.
var errSystem = errors.New("a journal cannot be kept on this system, where nothing shows who else can write it")

func checkFile(string, *os.File, bool) error { return errSystem }

func checkWay(string) (shared bool, err error) { return false, errSystem }

func openFile(string, int) (*os.File, error) { return nil, errSystem }
