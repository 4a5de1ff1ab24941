package arrow

// Array holds the values of a column in one batch, as the columnar format lays them out. It has
// these buffers:
//
//	Text       validity, offsets of 32 bits (one more than values), bytes
//	Repeated   validity, indices of 32 bits into Dictionary
//	Number     validity, numbers of 64 bits
//	TextList   validity, offsets; the child has the texts
//	NumbersMap validity, offsets; the child has no buffer but an empty validity, and the children
//	           with the names and with the numbers
//
// A validity is a bitmap with a bit for each value that is not null, the lowest bit first. It is
// empty if no value is null.
type Array struct {
	Len        int
	Nulls      int
	Buffers    [][]byte
	Children   []Array
	Dictionary *Array // the different values of Repeated, of type Text
}

// all yields the array and its children, each before its own children.
func (a *Array) all(yield func(*Array)) {
	yield(a)
	for i := range a.Children {
		a.Children[i].all(yield)
	}
}
