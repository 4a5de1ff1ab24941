package markup

// Most of what skim looks at is as simple as a tag can be: a name, and attributes whose
// values stand in double quotes directly behind '='. Where the processor has vectors of
// 32 bytes, skimVector reads such tags 64 bytes at a time: it makes masks of the bytes
// that matter, of '>' and '"', '=' and what ends a name, and finds where values, names and
// the tag begin and end by arithmetic on these. Where tags begin it finds ahead, by
// masks of '<' that do not depend on where the tag before ends, so that the processor
// works at several tags at once. What is less simple it leaves alone: skim reads it as
// it would everywhere else, to the same effect.

// vectorTag is a start tag that skimVector has read.
type vectorTag struct {
	nameEnd, end int                    // offsets after its name, and after its '>'
	codes        uint64                 // 0 if the tag is Plain
	names        [maxVectors]vectorName // of its attributes that may be wanted
}

// vectorName is the name of an attribute. quote is the offset of the quote after its
// value if it has one and it is among the same 64 bytes as the name, else no offset
// after the name.
type vectorName struct{ start, end, quote int }

// maxVectors is the number of names for which there is room; with half of them
// skimVector looks at no more bytes.
const maxVectors = 64

// What skimVector returns instead of a number of attributes.
const (
	notSimple = -1 // what begins there is not as simple as that
	nearEnd   = -2 // there are too few bytes behind the offset, and nothing was passed over
)

// vectorMargin is how many bytes have to follow an offset for skimVector to look there.
const vectorMargin = 65
