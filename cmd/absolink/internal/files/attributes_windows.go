package files

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/windows"
)

// keptAttributes are the attributes that a copy gets. [os.File.Chmod] sets the read-only attribute.
const keptAttributes = windows.FILE_ATTRIBUTE_HIDDEN | windows.FILE_ATTRIBUTE_SYSTEM |
	windows.FILE_ATTRIBUTE_ARCHIVE | windows.FILE_ATTRIBUTE_NOT_CONTENT_INDEXED

// copyAttributes gives f what a file has on Windows besides its content: named streams, such as its
// zone mark, attributes, the time of its creation, and access rights. It does not set the owner: f
// belongs to the user, like a file that any other program saves. The error is a *Refusal if
// something cannot be kept.
func copyAttributes(f, src *os.File) error {
	var old, now windows.ByHandleFileInformation
	err := errors.Join(windows.GetFileInformationByHandle(windows.Handle(src.Fd()), &old),
		windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &now))
	switch lost := old.FileAttributes &^ now.FileAttributes; {
	case err != nil:
		return err
	case lost&windows.FILE_ATTRIBUTE_READONLY != 0:
		return refuse("may only be read: attrib -r allows to replace it")
	case lost&windows.FILE_ATTRIBUTE_ENCRYPTED != 0:
		return refuse("is encrypted, and the new file would not be")
	}
	if err := copyStreams(f, src); err != nil {
		return &Refusal{"cannot keep its streams: " + withoutPath(err).Error()}
	}
	if err := copyRights(f, src); err != nil {
		return &Refusal{"cannot keep its access rights: " + err.Error()}
	}
	name, err := windows.UTF16PtrFromString(f.Name())
	if err != nil {
		return err
	}
	attributes := now.FileAttributes&^keptAttributes | old.FileAttributes&keptAttributes
	if err := windows.SetFileAttributes(name, attributes); err != nil {
		return &os.PathError{Op: "SetFileAttributes", Path: f.Name(), Err: err}
	}
	// A new stream has changed the modification time.
	return windows.SetFileTime(windows.Handle(f.Fd()), &old.CreationTime, nil, &now.LastWriteTime)
}

// copyStreams gives f the named streams of src.
func copyStreams(f, src *os.File) error {
	names, err := streamsOf(src)
	for _, name := range names {
		if err == nil {
			err = copyStream(f.Name()+name, src.Name()+name)
		}
	}
	return err
}

// copyStream copies the stream src of a file to the stream dst of another file.
func copyStream(dst, src string) error {
	in, err := os.Open(src)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(dst)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// streamsOf returns the names of the named streams of f, such as ":Zone.Identifier:$DATA". A file
// system without streams has none.
func streamsOf(f *os.File) ([]string, error) {
	h := windows.Handle(f.Fd())
	for size := 4 << 10; ; size *= 4 {
		buf := make([]byte, size)
		err := windows.GetFileInformationByHandleEx(h, windows.FileStreamInfo, &buf[0], uint32(size))
		switch {
		case err == nil:
			return parseStreams(buf), nil
		case errors.Is(err, windows.ERROR_MORE_DATA) && size < 1<<20:
		case errors.Is(err, windows.ERROR_HANDLE_EOF), errors.Is(err, windows.ERROR_INVALID_FUNCTION),
			errors.Is(err, windows.ERROR_INVALID_PARAMETER), errors.Is(err, windows.ERROR_NOT_SUPPORTED):
			return nil, nil
		default:
			return nil, err
		}
	}
}

// parseStreams returns the names in a list of FILE_STREAM_INFO, except the name of the content.
func parseStreams(list []byte) (names []string) {
	const header = 24
	for len(list) >= header {
		next := binary.LittleEndian.Uint32(list)
		length := binary.LittleEndian.Uint32(list[4:])
		if int(length) > len(list)-header {
			break
		}
		text := make([]uint16, length/2)
		for i := range text {
			text[i] = binary.LittleEndian.Uint16(list[header+2*i:])
		}
		name := windows.UTF16ToString(text)
		if strings.HasSuffix(name, ":$DATA") && name != "::$DATA" {
			names = append(names, name)
		}
		if next == 0 || int(next) > len(list) {
			break
		}
		list = list[next:]
	}
	return names
}

// copyRights gives f the access control list of src, unless f has it.
func copyRights(f, src *os.File) error {
	const list = windows.DACL_SECURITY_INFORMATION
	old, err := securityOf(src, list)
	if err != nil {
		return err
	}
	now, err := securityOf(f, list)
	if err != nil || now.String() == old.String() {
		return err
	}
	name, err := windows.UTF16PtrFromString(f.Name())
	if err != nil {
		return err
	}
	const all = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(name, windows.READ_CONTROL|windows.WRITE_DAC, all, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	if err := windows.SetKernelObjectSecurity(h, list, old); err != nil {
		return fmt.Errorf("SetKernelObjectSecurity: %w", err)
	}
	return nil
}
