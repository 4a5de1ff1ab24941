package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"absolink/cmd/absolink/internal/flag"
)

// Layout is the format and the keys in which records are written.
type Layout struct {
	Format
	keys   []*Key // keys of rows; also of objects if chosen is true
	shared int    // number of keys at the start of keys whose values all records of a document share
	runs   []run  // of the other keys
	chosen bool   // the user has chosen the keys; if false, an object has all known values
}

// With says which optional keys records have.
type With struct {
	Context    bool // text, and the subject and sender of messages
	Checked    bool // found, the URI of the file that the link probably means
	Categories bool // record, the category of the record
	Pages      bool // keys of records of pages, with their counts
	Units      bool // columns for records of units and of failures in them; only with the format Arrow
	Edges      bool // with Units: also columns for records of edges
}

// NewLayout returns a Layout with the keys that fields names, in this order. If fields is empty, it
// has the default keys. The error is a [*flag.Error] about a key that records cannot have.
func NewLayout(f Format, fields []string, with With) (*Layout, error) {
	t := &Layout{Format: f, chosen: len(fields) > 0}
	switch {
	case f == Text && t.chosen:
		return nil, flag.Errorf("--fields needs --format jsonl, csv, tsv or arrow")
	case f == Text:
		return t, nil
	case !t.chosen:
		for i := range Keys {
			if with.has(&Keys[i]) {
				t.keys = append(t.keys, &Keys[i])
			}
		}
		return t.complete(with), nil
	}
	if (with.Categories || with.Pages) && !slices.Contains(fields, "record") {
		fields = append([]string{"record"}, fields...)
	}
	for _, name := range fields {
		key, err := t.find(name, with)
		if err != nil {
			return nil, err
		}
		t.keys = append(t.keys, key)
	}
	return t.complete(with), nil
}

// complete adds the columns of units and edges, and sets shared and runs.
func (t *Layout) complete(with With) *Layout {
	if with.Units && t.Format == Arrow {
		for i := range unitKeys {
			if k := &unitKeys[i]; !t.Has(k.Name) && (with.Edges || !k.ofEdge) {
				t.keys = append(t.keys, k)
			}
		}
	}
	for t.shared < len(t.keys) && t.keys[t.shared].ofDocument {
		t.shared++
	}
	t.runs = findRuns(t.keys, t.shared)
	return t
}

// has reports whether a key is among the default keys.
func (w With) has(k *Key) bool {
	switch k.presence {
	case always:
		return true
	case withContext:
		return w.Context
	case withChecks:
		return w.Checked
	case withCategories:
		return w.Categories || w.Pages
	case withPages:
		return w.Pages
	}
	return false
}

// find returns the key with a name. It refuses a key that t already has, or that needs another
// flag.
func (t *Layout) find(name string, with With) (*Key, error) {
	i := slices.IndexFunc(Keys, func(k Key) bool { return k.Name == name })
	switch {
	case i < 0:
		hint := "\"absolink help links\" names all"
		if near := flag.Nearest(name, slices.Values(Names())); near != "" {
			hint = "did you mean " + near + "?"
		}
		return nil, flag.Errorf("--fields: records have no %q; %s", name, hint)
	case slices.Contains(t.keys, &Keys[i]):
		return nil, flag.Errorf("--fields: %s is given twice: give it once", name)
	case Keys[i].presence == withChecks && !with.Checked:
		return nil, flag.Errorf("--fields: %s needs --check-files: add it", name)
	case Keys[i].presence == withCategories && !with.Categories && !with.Pages:
		return nil, flag.Errorf("--fields: %s needs --pages or --stream: add one", name)
	case Keys[i].ofPages() && !with.Pages:
		return nil, flag.Errorf("--fields: %s needs --pages: add it", name)
	}
	return &Keys[i], nil
}

// Has reports whether records have a key.
func (t *Layout) Has(name string) bool {
	return slices.ContainsFunc(t.keys, func(k *Key) bool { return k.Name == name })
}

// HasAny reports whether records have one of these keys.
func (t *Layout) HasAny(names ...string) bool { return slices.ContainsFunc(names, t.Has) }

// HasOthers reports whether records have a key other than these.
func (t *Layout) HasOthers(names ...string) bool {
	return slices.ContainsFunc(t.keys, func(k *Key) bool { return !slices.Contains(names, k.Name) })
}

// DescribesLinks reports whether records of links have values of the link other than its URI and
// status.
func (t *Layout) DescribesLinks() bool {
	ofURI := []string{"uri", "status", "host", "domain"}
	return slices.ContainsFunc(t.keys, func(k *Key) bool {
		return !k.ofDocument && !k.ofUnit && !slices.Contains(ofURI, k.Name)
	})
}

// Header returns the header row, or "" if the format has no header.
func (t *Layout) Header() string {
	sep := map[Format]string{CSV: ",", TSV: "\t"}[t.Format]
	if sep == "" {
		return ""
	}
	var names []string
	for _, k := range t.keys {
		names = append(names, k.Name)
	}
	return strings.Join(names, sep) + "\n"
}

// Append appends r as one line, or as a frame in the format Arrow. For the format Text see
// [AppendText].
func (t *Layout) Append(dst []byte, r *Record) []byte {
	switch t.Format {
	case JSONL:
		if t.chosen || r.Category == Page {
			return t.appendChosen(dst, r)
		}
		return t.appendJSON(dst, r)
	case CSV:
		return t.appendRow(dst, r, csvTable)
	case TSV:
		return t.appendRow(dst, r, tsvTable)
	case Arrow:
		return t.appendFrame(dst, r)
	}
	return AppendText(dst, r.Status, r.URI)
}

// appendChosen appends a JSON object with the keys of t.
func (t *Layout) appendChosen(dst []byte, r *Record) []byte {
	o := Object(r.Memo.appendPrefix(dst, r, t.appendStart))
	for _, k := range t.keys[t.shared:] {
		o = k.appendMember(o, r)
	}
	return append(o, '}', '\n')
}

// appendStart appends the beginning of a JSON object, with the keys that all records of a document
// share.
func (t *Layout) appendStart(dst []byte, r *Record) []byte {
	o := Object(append(dst, '{'))
	for _, k := range t.keys[:t.shared] {
		o = k.appendMember(o, r)
	}
	return o
}

// appendMember appends the key with its value, unless the value is unknown.
func (k *Key) appendMember(o Object, r *Record) Object {
	switch {
	case k.text != nil:
		return o.String(k.Name, k.text(r))
	case k.bytes != nil:
		return o.Bytes(k.Name, k.bytes(r))
	case k.list != nil:
		return o.Strings(k.Name, k.list(r))
	case k.counts != nil:
		return o.counts(k.Name, k.counts(r))
	}
	if n, known := k.number(r); known {
		return o.Int(k.Name, n)
	}
	return o
}

// counts appends a member with an object of numbers, unless list is nil.
func (o Object) counts(name string, list []Count) Object {
	if list == nil {
		return o
	}
	numbers := Object{'{'}
	for _, c := range list {
		if len(numbers) > 1 {
			numbers = append(numbers, ',')
		}
		numbers = append(AppendString(numbers, c.Name), ':')
		numbers = strconv.AppendInt(numbers, int64(c.N), 10)
	}
	return o.Raw(name, append(numbers, '}'))
}

// appendRow appends a row with a cell for each key of t.
func (t *Layout) appendRow(dst []byte, r *Record, cells *tableSyntax) []byte {
	dst = r.Memo.appendPrefix(dst, r,
		func(dst []byte, r *Record) []byte { return appendCells(dst, r, t.keys[:t.shared], cells) })
	if t.shared > 0 && t.shared < len(t.keys) {
		dst = append(dst, cells.sep)
	}
	return append(appendCells(dst, r, t.keys[t.shared:], cells), '\n')
}

// appendCells appends a cell for each key.
func appendCells(dst []byte, r *Record, keys []*Key, t *tableSyntax) []byte {
	for i, k := range keys {
		if i > 0 {
			dst = append(dst, t.sep)
		}
		dst = k.appendCell(dst, r, t)
	}
	return dst
}

// appendCell appends the value, or nothing if it is unknown.
func (k *Key) appendCell(dst []byte, r *Record, t *tableSyntax) []byte {
	switch {
	case k.text != nil:
		return appendText(dst, k.text(r), t)
	case k.bytes != nil:
		return appendText(dst, k.bytes(r), t)
	case k.list != nil:
		return appendText(dst, joinWords(k.list(r)), t)
	case k.counts != nil:
		return appendText(dst, joinCounts(k.counts(r)), t)
	}
	if n, known := k.number(r); known {
		return strconv.AppendInt(dst, n, 10)
	}
	return dst
}

// joinCounts returns the text of a cell for counts, such as "nav=2 res=1".
func joinCounts(list []Count) string {
	var b strings.Builder
	for i, c := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s=%d", c.Name, c.N)
	}
	return b.String()
}
