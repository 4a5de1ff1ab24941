package markup

import "bytes"

// Declaration is the declaration of a document type, an entity or a notation. All offsets count
// bytes of the input. An absent span is empty.
type Declaration struct {
	Name    [2]int   // of the document type, the entity or the notation
	What    Declared // the kind of declaration
	Literal [2]int   // the literal value of an entity, as written, without its quotes
	Public  [2]int   // the public identifier, without its quotes
	System  [2]int   // the system identifier, without its quotes
	Quote   byte     // of System
}

// Declared is the kind of a Declaration.
type Declared uint8

const (
	DocumentType Declared = iota
	Entity                // a general entity
	Notation
	ParameterEntity
)

// Declarations reads the text of a Doctype, data[start:end]. It calls yield with the document type
// itself, then with each entity and notation of its internal subset (productions 28, 70 to 76, 82).
func Declarations(data []byte, start, end int, yield func(Declaration)) {
	r := declarations{data: data[:end], i: start}
	d := Declaration{What: DocumentType, Name: r.name()}
	r.external(&d)
	yield(d)
	r.space()
	if r.i == end || data[r.i] != '[' {
		return
	}
	r.i++
	for r.i < end && data[r.i] != ']' {
		switch rest := r.data[r.i:]; {
		case rest[0] != '<':
			r.i++
		case bytes.HasPrefix(rest, []byte("<!ENTITY")):
			r.entity(yield)
		case bytes.HasPrefix(rest, []byte("<!NOTATION")):
			r.notation(yield)
		default:
			r.i = declarationEnd(r.data, r.i)
		}
	}
}

// declarations is a cursor in the text of a Doctype.
type declarations struct {
	data []byte
	i    int
}

func (r *declarations) entity(yield func(Declaration)) {
	next := declarationEnd(r.data, r.i)
	r.i += len("<!ENTITY")
	d := Declaration{What: Entity}
	r.space()
	if r.i < next && r.data[r.i] == '%' {
		r.i++
		d.What = ParameterEntity
	}
	d.Name = r.name()
	if d.Name[0] < d.Name[1] {
		if literal, _, ok := r.literal(); ok {
			d.Literal = literal
		} else {
			r.external(&d)
		}
		yield(d)
	}
	r.i = next
}

func (r *declarations) notation(yield func(Declaration)) {
	next := declarationEnd(r.data, r.i)
	r.i += len("<!NOTATION")
	d := Declaration{What: Notation, Name: r.name()}
	r.external(&d)
	if d.Name[0] < d.Name[1] {
		yield(d)
	}
	r.i = next
}

// external reads the PUBLIC and SYSTEM identifiers, if there are any.
func (r *declarations) external(d *Declaration) {
	r.space()
	switch rest := r.data[r.i:]; {
	case bytes.HasPrefix(rest, []byte("PUBLIC")):
		r.i += len("PUBLIC")
		d.Public, _, _ = r.literal()
	case bytes.HasPrefix(rest, []byte("SYSTEM")):
		r.i += len("SYSTEM")
	default:
		return
	}
	d.System, d.Quote, _ = r.literal()
}

// literal reads a literal in quotes. ok is false if no literal comes next.
func (r *declarations) literal() (span [2]int, quote byte, ok bool) {
	r.space()
	if r.i == len(r.data) || r.data[r.i] != '"' && r.data[r.i] != '\'' {
		return span, 0, false
	}
	end := skipQuoted(r.data, r.i)
	if end == r.i+1 || r.data[end-1] != r.data[r.i] {
		return span, 0, false
	}
	span = [2]int{r.i + 1, end - 1}
	quote = r.data[r.i]
	r.i = end
	return span, quote, true
}

// name reads up to white space or the end of a declaration.
func (r *declarations) name() [2]int {
	r.space()
	start := r.i
	for r.i < len(r.data) && class[r.data[r.i]]&space == 0 && r.data[r.i] != '[' &&
		r.data[r.i] != '>' && r.data[r.i] != '"' && r.data[r.i] != '\'' {
		r.i++
	}
	return [2]int{start, r.i}
}

func (r *declarations) space() { r.i = skipSpace(r.data, r.i) }
