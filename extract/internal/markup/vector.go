package markup

// Most of what skim looks at is as simple as a tag can be: a name, and attributes whose
// values stand in double quotes directly behind '='. Where the processor has vectors of
// 32 bytes or of 64, skimVector reads such tags 64 bytes at a time: it makes masks of the
// bytes that matter, of '>' and '"', '=' and what ends a name, and finds where values,
// names and the tag begin and end by arithmetic on these. Where tags begin it finds ahead, by
// masks of '<' that do not depend on where the tag before ends, so that the processor
// works at several tags at once; and end tags, where they mean nothing, it takes out of
// these masks, since nobody can predict which of the two comes next. What is less simple
// it leaves alone: skim reads it as it would everywhere else, to the same effect.

// SimpleTag is a start tag of the HTML namespace whose attributes all have values in
// double quotes directly behind '=', or none.
type SimpleTag struct {
	NameStart, NameEnd int // offsets of its name
	End                int // offset after its '>'

	codes uint64                 // 0 if the tag is plain
	n     int                    // number of names
	names [maxVectors]SimpleAttr // of its attributes that may be wanted
}

// SimpleAttr is an attribute of a SimpleTag.
type SimpleAttr struct {
	NameStart, NameEnd int // offsets of its name
	quote              int // of the quote after its value, if it has one
}

// Plain reports whether the tag is known to hold nothing but ASCII that stands for itself:
// no NUL, '&' or carriage return.
func (t *SimpleTag) Plain() bool { return t.codes == 0 }

// Attrs returns the attributes that may be wanted, in document order, all of equal names.
func (t *SimpleTag) Attrs() []SimpleAttr { return t.names[:t.n] }

// Value returns where the value of the attribute of data begins and ends, without its
// quotes; ok is false if it has none.
func (a *SimpleAttr) Value(data []byte) (start, end int, ok bool) {
	return a.NameEnd + len(`="`), a.quote, data[a.NameEnd] == '='
}

// maxVectors is the number of names for which there is room; with half of them
// skimVector looks at no more bytes.
const maxVectors = 64

// vectorMargin is how many bytes have to follow an offset for skimVector to look there.
const vectorMargin = 65
