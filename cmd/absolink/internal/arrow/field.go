package arrow

import flatbuffers "github.com/google/flatbuffers/go"

// Field describes a column. Every value may be null.
type Field struct {
	Name string
	Type Type
}

// Type is the type of the values of a column.
type Type uint8

// The types.
const (
	Text       Type = iota // UTF-8
	Repeated               // UTF-8 as indices of a dictionary
	Number                 // int64
	TextList               // list of texts
	NumbersMap             // map from texts to int64
)

// The types in the union Type of Schema.fbs.
const (
	typeInt    = 2
	typeUTF8   = 5
	typeList   = 12
	typeStruct = 13
	typeMap    = 17
)

// A field of the schema, as a table of Schema.fbs.
type table struct {
	name       string
	required   bool // no value is null
	kind       byte // in the union Type
	dictionary bool
	children   []table
}

// table returns the table of a field.
func (f Field) table() table {
	t := table{name: f.Name, kind: typeUTF8}
	switch f.Type {
	case Repeated:
		t.dictionary = true
	case Number:
		t.kind = typeInt
	case TextList:
		t.kind = typeList
		t.children = []table{{name: "item", kind: typeUTF8}}
	case NumbersMap:
		t.kind = typeMap
		t.children = []table{{name: "entries", kind: typeStruct, required: true, children: []table{
			{name: "key", kind: typeUTF8, required: true},
			{name: "value", kind: typeInt},
		}}}
	}
	return t
}

// Members of the tables of Schema.fbs, in their order there.
const (
	schemaFields  = 1
	schemaMembers = 2 // endianness (0 is little), fields

	fieldName       = 0
	fieldNullable   = 1
	fieldKind       = 2
	fieldType       = 3
	fieldDictionary = 4
	fieldChildren   = 5
	fieldMembers    = 6

	intWidth   = 0
	intSigned  = 1
	intMembers = 2

	dictionaryID      = 0
	dictionaryIndices = 1
	dictionaryMembers = 2
)

// buildSchema builds the table Schema of fields. The dictionary of a field has the index of the
// field as its id.
func buildSchema(b *flatbuffers.Builder, fields []Field) flatbuffers.UOffsetT {
	var list []flatbuffers.UOffsetT
	for i, f := range fields {
		list = append(list, f.table().build(b, int64(i)))
	}
	vector := b.CreateVectorOfTables(list)
	b.StartObject(schemaMembers)
	b.PrependUOffsetTSlot(schemaFields, vector, 0)
	return b.EndObject()
}

// build builds the table Field of t. id is the id of its dictionary, if it has one.
func (t table) build(b *flatbuffers.Builder, id int64) flatbuffers.UOffsetT {
	var children []flatbuffers.UOffsetT
	for _, c := range t.children {
		children = append(children, c.build(b, id))
	}
	vector := b.CreateVectorOfTables(children)
	name := b.CreateString(t.name)
	kind := buildType(b, t.kind)
	var dictionary flatbuffers.UOffsetT
	if t.dictionary {
		dictionary = buildDictionary(b, id)
	}
	b.StartObject(fieldMembers)
	b.PrependUOffsetTSlot(fieldName, name, 0)
	b.PrependBoolSlot(fieldNullable, !t.required, false)
	b.PrependByteSlot(fieldKind, t.kind, 0)
	b.PrependUOffsetTSlot(fieldType, kind, 0)
	b.PrependUOffsetTSlot(fieldDictionary, dictionary, 0)
	b.PrependUOffsetTSlot(fieldChildren, vector, 0)
	return b.EndObject()
}

// buildType builds the table of a type. A number has 64 bits.
func buildType(b *flatbuffers.Builder, kind byte) flatbuffers.UOffsetT {
	if kind == typeInt {
		return buildInt(b, 64)
	}
	b.StartObject(0) // the other types have no members that we set
	return b.EndObject()
}

// buildInt builds the table Int of a signed number.
func buildInt(b *flatbuffers.Builder, bits int32) flatbuffers.UOffsetT {
	b.StartObject(intMembers)
	b.PrependInt32Slot(intWidth, bits, 0)
	b.PrependBoolSlot(intSigned, true, false)
	return b.EndObject()
}

// buildDictionary builds the table DictionaryEncoding with indices of 32 bits.
func buildDictionary(b *flatbuffers.Builder, id int64) flatbuffers.UOffsetT {
	indices := buildInt(b, 32)
	b.StartObject(dictionaryMembers)
	b.PrependInt64Slot(dictionaryID, id, 0)
	b.PrependUOffsetTSlot(dictionaryIndices, indices, 0)
	return b.EndObject()
}
