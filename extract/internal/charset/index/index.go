// Package index reads the indexes of the Encoding Standard. It returns the bytes of a character in
// a charset by these indexes and the rules of the standard. Package charset generates its tables
// from it, and its tests compare every byte and pair with it.
//
// The indexes are the files index-*.txt of https://encoding.spec.whatwg.org/, which are part of
// https://github.com/whatwg/encoding.
//
// Files in reading order: index.go, encode.go.
package index

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Singles are the charsets with one byte per character, by the names of their indexes.
var Singles = []string{
	"ibm866", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8",
	"iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16", "koi8-r", "koi8-u", "macintosh",
	"windows-874", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255",
	"windows-1256", "windows-1257", "windows-1258", "x-mac-cyrillic",
}

// Doubles are the charsets with two or more bytes for most characters.
var Doubles = []string{"big5", "euc-jp", "euc-kr", "gb18030", "gbk", "shift_jis"}

// Indexes are the indexes of the standard by name: "big5" is index-big5.txt.
type Indexes struct {
	dir   string
	files map[string]*file
}

// file is one index.
type file struct {
	pointers []int // sorted
	runes    []rune
	at       map[rune][]int // the pointers of a character, in order
}

// Open returns the indexes in a folder. Each index is read when it is first needed.
func Open(dir string) *Indexes { return &Indexes{dir, map[string]*file{}} }

// get returns an index. It panics if the file is missing or damaged.
func (x *Indexes) get(name string) *file {
	if f := x.files[name]; f != nil {
		return f
	}
	f, err := read(filepath.Join(x.dir, "index-"+name+".txt"))
	if err != nil {
		panic(err)
	}
	x.files[name] = f
	return f
}

func read(path string) (*file, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f := &file{at: map[rune][]int{}}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		left, right, _ := strings.Cut(line, "\t")
		code, _, _ := strings.Cut(right, "\t")
		pointer, err := strconv.Atoi(left)
		r, err2 := strconv.ParseInt(strings.TrimPrefix(code, "0x"), 16, 32)
		if err != nil || err2 != nil || len(f.pointers) > 0 && pointer <= f.pointers[len(f.pointers)-1] {
			return nil, fmt.Errorf("%s: no line of an index: %q", path, line)
		}
		f.pointers, f.runes = append(f.pointers, pointer), append(f.runes, rune(r))
		f.at[rune(r)] = append(f.at[rune(r)], pointer)
	}
	return f, nil
}

// Characters returns the characters of a charset by their bytes. ASCII and the four-byte sequences
// of gb18030 are left out; see Four for the latter.
func (x *Indexes) Characters(charset string) map[string]string {
	all := extra(charset)
	name := charset
	switch charset {
	case "gbk":
		name = "gb18030"
	case "shift_jis", "euc-jp":
		name = "jis0208"
	}
	x.add(all, charset, name, "")
	if charset == "euc-jp" {
		x.add(all, charset, "jis0212", "\x8f")
	}
	return all
}

// add adds the characters of an index, with a prefix before the bytes of their pointers.
func (x *Indexes) add(all map[string]string, charset, index, prefix string) {
	f := x.get(index)
	for i, p := range f.pointers {
		if b := bytesOf(charset, p); b != "" {
			all[prefix+b] = string(f.runes[i])
		}
	}
}

// extra returns the characters in the rules of the decoders (sections 10.2, 12.1, 13.1 and 13.3).
func extra(charset string) map[string]string {
	all := map[string]string{}
	switch charset {
	case "gbk", "gb18030":
		all["\x80"] = "\u20ac"
	case "big5":
		all["\x88\x62"], all["\x88\x64"] = "\u00ca\u0304", "\u00ca\u030c"
		all["\x88\xa3"], all["\x88\xa5"] = "\u00ea\u0304", "\u00ea\u030c"
	case "euc-jp":
		for c := range 63 {
			all["\x8e"+string([]byte{byte(0xa1 + c)})] = string(rune(0xff61 + c))
		}
	case "shift_jis":
		all["\x80"] = "\u0080"
		for c := range 63 {
			all[string([]byte{byte(0xa1 + c)})] = string(rune(0xff61 + c))
		}
		for p := 8836; p <= 10715; p++ {
			all[bytesOf(charset, p)] = string(rune(0xe000 + p - 8836))
		}
	}
	return all
}

// bytesOf returns the bytes of a pointer, or "" if the charset has none for it.
func bytesOf(charset string, p int) string {
	pair := func(row, lead, trail int) string { return string([]byte{byte(p/row + lead), byte(p%row + trail)}) }
	trail := func(row, gap, first int) int { // the first byte after a gap in the trail bytes
		if p%row < 0x3f {
			return 0x40
		}
		return first
	}
	switch charset {
	case "big5":
		return pair(157, 0x81, trail(157, 0x3f, 0x62))
	case "euc-kr":
		return pair(190, 0x81, 0x41)
	case "gbk", "gb18030":
		return pair(190, 0x81, trail(190, 0x3f, 0x41))
	case "euc-jp":
		if p >= 94*94 {
			return ""
		}
		return pair(94, 0xa1, 0xa1)
	case "shift_jis":
		if p/188 < 0x1f {
			return pair(188, 0x81, trail(188, 0x3f, 0x41))
		}
		return pair(188, 0xc1, trail(188, 0x3f, 0x41))
	}
	return string([]byte{byte(p + 0x80)})
}

// Four returns the four-byte character of gb18030 with the pointer p. ok is false if the pointer
// has no character ("index gb18030 ranges code point").
func (x *Indexes) Four(p int) (b string, r rune, ok bool) {
	b = four(p)
	switch {
	case p > 39419 && p < 189000 || p > 1237575:
		return b, 0, false
	case p == 7457:
		return b, 0xe7c7, true
	}
	f := x.get("gb18030-ranges")
	i, found := slices.BinarySearch(f.pointers, p)
	if !found {
		i--
	}
	return b, f.runes[i] + rune(p-f.pointers[i]), true
}

func four(p int) string {
	return string([]byte{byte(p/12600 + 0x81), byte(p/1260%10 + 0x30), byte(p/10%126 + 0x81), byte(p%10 + 0x30)})
}
