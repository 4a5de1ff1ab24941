package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"

	"absolink/cmd/absolink/internal/files"
)

// Anyone who can write a journal decides what an undo writes. So a journal is refused unless it
// belongs to the user and nobody else can write it. A new journal does not inherit the rights of
// its directory, because on drives other than the system drive, all users can write to most
// directories. The directories are not checked: others may put another file in the place of the
// journal, but it is accepted only if it is a journal of the same user.

// checkFile refuses a journal that belongs to somebody else, or that others can write. It also
// refuses a journal with a second name, because somebody else may have made it.
func checkFile(path string, f *os.File, shared bool) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return errors.New("is a symbolic link, which somebody else may have made: give the name of the journal itself")
	case !info.Mode().IsRegular():
		return ErrFormat
	}
	if err := files.CheckOwner(f); err != nil {
		return fmt.Errorf("%w: a journal is as dangerous as a script; take a copy of it if you trust it, or name "+
			"another journal", err)
	}
	switch writer, err := files.OtherWriter(f); {
	case err != nil:
		return err
	case writer != "":
		return fmt.Errorf("%s can write it: if you trust its content, icacls %q /inheritance:r /grant:r %%USERNAME%%:F",
			writer, path)
	}
	var names windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &names); err != nil {
		return err
	}
	if shared && names.NumberOfLinks > 1 {
		return fmt.Errorf("has %d names (hard links), and others may have made them: take a copy of it if you trust "+
			"its content, or name another journal", names.NumberOfLinks)
	}
	return nil
}

// checkDirectories returns true: others may be able to make files in the directory of a journal.
func checkDirectories(string) (shared bool, err error) { return true, nil }

// openFile opens a journal, or makes it if flag has [os.O_CREATE]. It does not follow a symbolic
// link: checkFile refuses it.
func openFile(path string, flag int) (*os.File, error) {
	if flag&os.O_CREATE != 0 {
		f, err := files.CreatePrivate(path)
		if err == nil || !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return os.OpenFile(path, os.O_RDWR|windows.O_FILE_FLAG_OPEN_REPARSE_POINT, 0)
}
