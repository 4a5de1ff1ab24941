package files

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// restricted says that names follow the rules of Windows: some characters and names are not
// allowed, and two names may not differ in the case of letters alone.
const restricted = runtime.GOOS == "windows"

// OutputPath returns the slash path at which the output with the slash path rel is written. On
// Windows it replaces names that are not allowed, as wget does: page?id=1 becomes page@id=1,
// host:8080 becomes host+8080, and all other characters are percent-encoded. --to disk and
// --find-old know such names.
func OutputPath(rel string) string {
	if !restricted {
		return rel
	}
	return allowedPath(rel)
}

// Key returns a key for a path. Paths of the same file have the same key on Windows, although they
// may differ in the case of letters. Elsewhere the key is the path.
func Key(path string) string {
	if !restricted {
		return path
	}
	return strings.ToLower(path)
}

// allowedPath returns a slash path whose names are allowed on Windows.
func allowedPath(rel string) string {
	names := strings.Split(rel, "/")
	for i, name := range names {
		if name != "." && name != ".." {
			names[i] = allowedName(name)
		}
	}
	return strings.Join(names, "/")
}

// allowedName returns name if Windows allows it, and otherwise a name that is allowed.
func allowedName(name string) string {
	if host, port, ok := strings.Cut(name, ":"); ok && port != "" && strings.Trim(port, "0123456789") == "" {
		name = host + "+" + port
	}
	name = strings.Replace(name, "?", "@", 1)
	var b strings.Builder
	stem, _, _ := strings.Cut(name, ".")
	device := IsDevice(strings.TrimRight(stem, " "))
	for i := range len(name) {
		c := name[i]
		atEnd := i == len(name)-1 && (c == '.' || c == ' ')
		if c < ' ' || strings.IndexByte(`<>:"|?*\`, c) >= 0 || atEnd || device && i == 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// refuseDevice returns a *Refusal if the last name of path is a device, such as con, or con.html
// before Windows 11. A device is no file or directory, so nothing can be made there.
func refuseDevice(path string) error {
	name := filepath.Base(path)
	stem, _, _ := strings.Cut(name, ".")
	if restricted && IsDevice(strings.TrimRight(stem, " ")) && !filepath.IsLocal(name) {
		return refuse("%s is a device on Windows, not a file", path)
	}
	return nil
}

// IsDevice reports whether a file with this stem and any extension is a device on Windows.
func IsDevice(stem string) bool {
	stem = strings.ToLower(stem)
	switch stem {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	number, isPort := strings.CutPrefix(stem, "com")
	if !isPort {
		number, isPort = strings.CutPrefix(stem, "lpt")
	}
	switch number {
	case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
		return isPort
	}
	return false
}
