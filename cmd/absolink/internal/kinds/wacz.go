package kinds

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// ArchiveDir is the folder in a WACZ that has the web archives.
const ArchiveDir = "archive/"

// isWACZ reports whether head is the beginning of a zip file, and has the entry of a web archive
// below archive/.
func isWACZ(head []byte) bool {
	if !bytes.HasPrefix(head, localFile) {
		return false
	}
	for {
		n := bytes.Index(head, localFile)
		if n < 0 || len(head) < n+30 {
			return false
		}
		head = head[n:]
		file := string(head[30:min(len(head), 30+int(binary.LittleEndian.Uint16(head[26:])))])
		if strings.HasPrefix(file, ArchiveDir) && IsArchiveName(file) {
			return true
		}
		head = head[len(localFile):]
	}
}

// localFile is the start of the header before each file in a zip file.
var localFile = []byte("PK\x03\x04")

// IsArchiveName reports whether a file in a zip file has the name of a web archive.
func IsArchiveName(name string) bool {
	for _, end := range []string{".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz"} {
		if strings.HasSuffix(strings.ToLower(name), end) {
			return true
		}
	}
	return false
}
