package site

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"absolink/resolve"
	"absolink/resolve/move"
)

// What is no link still names the old address of a site: scripts, JSON, robots.txt, .htaccess,
// comments, text. It is found by the host, in the spellings that such files have, and by the
// path behind it.

// Old finds what names a prefix that is mapped. Once it is made it is safe for concurrent use.
type Old struct {
	hosts []oldHost
	news  []string // what rules give that has an old host in it, in lower case
}

// oldHost is a host with the beginnings of paths that are mapped.
type oldHost struct {
	name  string // in lower case, with the port
	spelt [][]byte
	paths []string // "" = all
}

// NewOld returns what finds the prefixes of m; with archive also what leads to a web archive.
func NewOld(m *move.Map, archive bool) *Old {
	o := new(Old)
	for _, old := range m.Olds() {
		r := resolve.Split(old)
		o.add(strings.ToLower(r.Authority), strings.TrimSuffix(r.Path, "/"))
	}
	if archive {
		o.add("web.archive.org", "/web")
	}
	for _, to := range m.News() {
		if to = strings.ToLower(to); slices.ContainsFunc(o.hosts, func(h oldHost) bool { return strings.Contains(to, h.name) }) {
			o.news = append(o.news, strings.TrimSuffix(to, "/"))
		}
	}
	return o
}

func (o *Old) add(host, path string) {
	if host == "" {
		return
	}
	i := slices.IndexFunc(o.hosts, func(h oldHost) bool { return h.name == host })
	if i < 0 {
		i = len(o.hosts)
		h := oldHost{name: host, spelt: [][]byte{[]byte(host)}}
		if strings.Contains(host, ".") {
			h.spelt = append(h.spelt, []byte(strings.ReplaceAll(host, ".", `\.`)))
		}
		o.hosts = append(o.hosts, h)
	}
	if h := &o.hosts[i]; !slices.Contains(h.paths, path) {
		h.paths = append(h.paths, path)
	}
}

// Scanner returns what looks through the bytes that are written to it, which begin in a line,
// and calls found for each place, in their order; columns count from 1. It must be closed.
func (o *Old) Scanner(line int64, found func(line, column int64, text string)) *OldScanner {
	return &OldScanner{o: o, found: found, line: line, column: 1}
}

// OldScanner looks for old addresses in a stream. It must be closed.
type OldScanner struct {
	o            *Old
	found        func(line, column int64, text string)
	buf          []byte
	done         int   // bytes of buf that were looked through
	line, column int64 // of the first of the others
}

const (
	oldChunk = 256 << 10
	oldAhead = 4 << 10 // what may belong to a place is no longer
	oldBack  = 256
)

// Write looks through p, but for what may go on. It never fails.
func (s *OldScanner) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := min(len(rest), oldChunk)
		s.buf, rest = append(s.buf, rest[:n]...), rest[n:]
		if len(s.buf)-s.done > oldChunk {
			s.look(len(s.buf) - oldAhead)
			keep := max(s.done-oldBack, 0)
			s.buf = append(s.buf[:0], s.buf[keep:]...)
			s.done -= keep
		}
	}
	return len(p), nil
}

// Flush looks through what was written: nothing before belongs to what follows.
func (s *OldScanner) Flush() { s.look(len(s.buf)) }

// Pass counts the lines of p, which is not looked through, and behind what was written.
func (s *OldScanner) Pass(p []byte) {
	s.Flush()
	s.buf, s.done = append(s.buf[:0], p...), 0
	s.advance(len(p))
	s.buf, s.done = s.buf[:0], 0
}

// Tell calls found for a place that stands behind what was written and passed.
func (s *OldScanner) Tell(text string) {
	s.Flush()
	s.found(s.line, s.column, text)
}

// Close looks through the end.
func (s *OldScanner) Close() error {
	s.look(len(s.buf))
	return nil
}

// look finds the places that begin before end.
func (s *OldScanner) look(end int) {
	for _, i := range s.o.places(s.buf, s.done, end) {
		start := wordStart(s.buf, i)
		s.advance(max(start, s.done))
		s.found(s.line, s.column, string(s.buf[start:wordEnd(s.buf, i)]))
	}
	s.advance(end)
}

// Text looks through text at once, and calls found with the span of each place in it, in their
// order.
func (o *Old) Text(text []byte, found func(start, end int)) {
	for _, i := range o.places(text, 0, len(text)) {
		found(wordStart(text, i), wordEnd(text, i))
	}
}

// places returns where in text[done:end] old hosts are named, in rising order.
func (o *Old) places(text []byte, done, end int) (at []int) {
	lower := make([]byte, len(text))
	for i, c := range text {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		lower[i] = c
	}
	for i := range o.hosts {
		h := &o.hosts[i]
		for _, spelt := range h.spelt {
			for from := done; from < end; {
				n := bytes.Index(lower[from:], spelt)
				if n < 0 || from+n >= end {
					break
				}
				if from += n; o.names(lower, from, from+len(spelt), h) {
					at = append(at, from)
				}
				from += len(spelt)
			}
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// advance counts the lines up to i.
func (s *OldScanner) advance(i int) {
	part := s.buf[s.done:i]
	if n := bytes.Count(part, []byte{'\n'}); n > 0 {
		s.line += int64(n)
		s.column = int64(len(part) - bytes.LastIndexByte(part, '\n'))
	} else {
		s.column += int64(len(part))
	}
	s.done = i
}

// names reports whether the host h, which stands at text[start:end], is named there with a path
// that is mapped, and not as a part of something else.
func (o *Old) names(text []byte, start, end int, h *oldHost) bool {
	if !begins(text[:start]) || !ends(text[end:]) {
		return false
	}
	path := plainPath(text[end:min(end+oldAhead/2, len(text))])
	if !slices.ContainsFunc(h.paths, func(p string) bool {
		rest, ok := strings.CutPrefix(path, strings.ToLower(p))
		return ok && (rest == "" || strings.IndexByte("/?#\"'<>()[]{} \t\r\n,;|\\", rest[0]) >= 0 || p == "")
	}) {
		return false
	}
	return !o.isNew(text, start, h) && !inCopy().Match(text[max(start-80, 0):start])
}

// inCopy matches what stands before an address that an archive's copy has in its own.
var inCopy = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`/web/[0-9]{4,14}(?:[a-z]{2}_)?/(?:https?://)?$`)
})

// isNew reports whether the host at start is a part of what a rule gives.
func (o *Old) isNew(text []byte, start int, h *oldHost) bool {
	for _, to := range o.news {
		for from := 0; ; {
			n := strings.Index(to[from:], h.name)
			if n < 0 {
				break
			}
			from += n
			if start >= from && bytes.HasPrefix(text[start-from:], []byte(to)) {
				return true
			}
			from += len(h.name)
		}
	}
	return false
}

// begins reports whether a host may begin behind text.
func begins(text []byte) bool {
	if len(text) == 0 || bytes.HasSuffix(text, []byte("%2f")) || bytes.HasSuffix(text, []byte(`\u002f`)) {
		return true
	}
	c := text[len(text)-1]
	return !letterOrDigit(c) && strings.IndexByte("-_.@", c) < 0
}

// ends reports whether a host may end before text.
func ends(text []byte) bool {
	if len(text) == 0 {
		return true
	}
	more := len(text) > 1 && letterOrDigit(text[1])
	c := text[0]
	return !letterOrDigit(c) && c != '-' && c != '_' && !(more && (c == '.' || c == ':'))
}

func letterOrDigit(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c >= 0x80 }

// plainPath returns what stands behind a host as a URI has it.
func plainPath(text []byte) string {
	return slashes.Replace(string(text))
}

var slashes = strings.NewReplacer(`\/`, "/", "%2f", "/", `\u002f`, "/", `\.`, ".")

// wordStart and wordEnd return where what stands around i begins and ends, to be shown.
func wordStart(b []byte, i int) int {
	start := i
	for start > 0 && i-start < 40 && strings.IndexByte(" \t\r\n\"'<>()", b[start-1]) < 0 {
		start--
	}
	return start
}

func wordEnd(b []byte, i int) int {
	end := i
	for end < len(b) && end-i < 80 && strings.IndexByte(" \t\r\n\"'<>()", b[end]) < 0 {
		end++
	}
	return end
}

// SayOld is what is said of a place.
func SayOld(text string) string { return fmt.Sprintf("still names an old address: %s", text) }
