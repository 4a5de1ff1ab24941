package document

import (
	"errors"
	"strings"

	"absolink/extract"
	"absolink/mime"
)

// Problem is something that a user should know about a source.
type Problem struct {
	Kind   extract.Defect
	Detail string // for people, in English; empty if Kind says all
	Part   string // section number; empty outside messages
	Offset int64  // in the source; -1 if there is no single place
	Line   int64  // from 1; Column counts bytes; both are 0 if unknown
	Column int64
	Minor  bool // no link and no byte is lost
}

// The kinds of problems of reading.
const (
	Defect    extract.Defect = "defect"    // the source breaks its format: Detail is [mime.Defect.Text]
	Unread    extract.Defect = "unread"    // a part was not read: Detail says why
	Undecoded extract.Defect = "undecoded" // some bytes of a part could not be decoded: Detail is [mime.Leaf.Problem]
	// a part is not in the transfer encoding that its heading names, and is read as it is: Detail
	// is [mime.Leaf.Mislabelled]
	Mislabelled extract.Defect = "mislabelled"
	UnreadBody  extract.Defect = "unread-body" // the body of a response was not read: Detail says why
	// a part may hold links and is of a kind that is not read: Detail names the kind, and a program
	// that reads it
	LeftOut extract.Defect = "left-out"
)

// Failure turns err, an error of a part or of a [mime.Change], into a problem of the kind Unread
// with its place. If err has no place, the place of e is used.
func (s *Set) Failure(e *mime.Entity, err error) Problem {
	var known *mime.Defect
	if errors.As(err, &known) {
		return s.placed(Problem{Kind: Unread, Part: known.Part, Offset: s.offset(known.Offset), Detail: known.Text})
	}
	return s.placed(Problem{Kind: Unread, Part: e.Section, Offset: s.offset(e.Body.Start), Detail: err.Error()})
}

// noteDefects records the defects of a message.
func (s *Set) noteDefects(m *mime.Message) {
	copied := s.isCopied(m.Root)
	for _, d := range m.Defects {
		minor := copied || d.Minor || s.src.Truncated
		s.add(Problem{Kind: Defect, Part: d.Part, Offset: s.offset(d.Offset), Detail: d.Text, Minor: minor})
	}
}

// noteUnread records that e cannot be read, because of err. If no edit can touch e, the problem is
// minor except in a listing.
func (s *Set) noteUnread(e *mime.Entity, err error) {
	p := s.Failure(e, err)
	p.Minor = s.isCopied(e)
	s.add(p)
}

// noteUndecoded records the bytes of a leaf that could not be decoded. In a listing it also records
// a leaf that is Mislabelled. A rewriting reports such a leaf when it refuses an edit.
func (s *Set) noteUndecoded(l *mime.Leaf) {
	e := l.Entity
	at := s.offset(e.Body.Start)
	if l.Problem != "" {
		s.add(Problem{Kind: Undecoded, Part: e.Section, Offset: at, Detail: l.Problem, Minor: s.isCopied(e)})
	}
	if l.Mislabelled != "" && s.o.Listing {
		s.add(Problem{Kind: Mislabelled, Part: e.Section, Offset: at, Detail: l.Mislabelled, Minor: true})
	}
}

// wideNames are the names of UTF-16 and UTF-32, in lower case and without signs.
var wideNames = map[string]bool{
	"utf16": true, "utf16le": true, "utf16be": true, "unicode": true, "csunicode": true, "ucs2": true,
	"iso10646ucs2": true, "unicodefeff": true, "unicodefffe": true,
	"utf32": true, "utf32le": true, "utf32be": true, "ucs4": true, "iso10646ucs4": true,
}

// noteNarrow reports a leaf that is labelled as UTF-16 or UTF-32, but is ASCII without NULs. Markup
// and URLs in these charsets have NULs, so the label is wrong. Browsers obey it all the same, so
// the links of the leaf are not read.
func (s *Set) noteNarrow(l *mime.Leaf) {
	sign := func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return r
	}
	if !wideNames[strings.Map(sign, strings.ToLower(s.doc.Charset))] || len(l.Data) == 0 {
		return
	}
	for _, c := range l.Data {
		if c == 0 || c >= 0x80 {
			return
		}
	}
	e := l.Entity
	s.add(Problem{Kind: Defect, Part: e.Section, Offset: s.offset(e.Body.Start), Minor: s.isCopied(e),
		Detail: "labelled " + s.doc.Charset + ", but it is in ASCII, so its links are not read; " +
			"--charset NAME sets its charset"})
}

// isCopied reports whether damage to the body of e loses nothing, because the body is never edited
// and need not be listed.
func (s *Set) isCopied(e *mime.Entity) bool {
	return !s.o.Listing && (e.Attached() || e.Enclosed() || s.around != nil)
}

// placed returns p with its line and column, if its offset is in the source.
func (s *Set) placed(p Problem) Problem {
	list := [1]Problem{p}
	s.place(list[:])
	return list[0]
}

// place sets the lines and columns of the problems whose offset is in the source.
func (s *Set) place(list []Problem) {
	if !s.src.Unplaced && !s.src.Compressed {
		s.top().lines.place(list)
	}
}

// noteFindings records the problems that the scan of a document found.
func (s *Set) noteFindings(d *Document) {
	for _, p := range d.Problems() {
		at := d.Source(extract.Span{Start: p.Offset, End: min(p.Offset+1, len(d.Data))})
		if d.answer {
			at.Start = -1 // its heading is not part of the source
		}
		s.add(Problem{Kind: p.Kind, Detail: p.Detail, Part: d.Section(), Offset: at.Start, Minor: !losses[p.Kind]})
	}
}

// losses are the findings that left references unread.
var losses = map[extract.Defect]bool{
	extract.UnsupportedCharset: true, extract.SrcdocTooDeep: true, extract.UnreadEntity: true,
	extract.SplitReference: true, extract.ShiftedReference: true, extract.XMLBaseTooDeep: true,
	extract.TooComplex: true, extract.InvalidJSON: true,
}

// Problems returns the problems of the part of the source that All has read so far. The caller may
// keep the slice after all documents are taken.
func (s *Set) Problems() []Problem {
	s.place(s.problems)
	return s.problems
}
