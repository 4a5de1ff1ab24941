package arrow

import (
	"encoding/binary"

	flatbuffers "github.com/google/flatbuffers/go"
)

// A message is its start, its metadata, and a body with the buffers. The metadata is a table
// Message of Message.fbs, and it names the place of each buffer in the body. So the encoder first
// collects the buffers of the body without copying them, and then builds the metadata. Buffers are
// not compressed, as by default in Arrow's own libraries.

// encoder encodes messages, and reuses its memory. A message is valid until the next one.
type encoder struct {
	builder *flatbuffers.Builder
	body    [][]byte // the buffers, and zeros between them
	size    int      // of the body in bytes
	places  []place  // of the buffers in body
	nodes   []node
	head    []byte
}

// message is a message of a stream: its start with the metadata, and its body.
type message struct {
	head []byte
	body [][]byte
}

// place is the place of a buffer in the body, in bytes. The padding behind it is not included.
type place struct{ offset, length int }

// node describes an array.
type node struct{ length, nulls int }

// The union MessageHeader of Message.fbs.
const (
	headerSchema     = 1
	headerDictionary = 2
	headerBatch      = 3
)

// Members of the tables of Message.fbs, in their order there.
const (
	messageVersion    = 0
	messageHeaderKind = 1
	messageHeader     = 2
	messageBodyLength = 3
	messageMembers    = 4

	batchLength  = 0
	batchNodes   = 1
	batchBuffers = 2
	batchMembers = 4

	valuesID      = 0
	valuesBatch   = 1
	valuesMembers = 2
)

// version5 is the version of the metadata since Arrow 1.0.
const version5 = 4

// alignment is the number of bytes to which metadata, buffers and bodies are padded.
const alignment = 8

// schema returns the message with the schema.
func (e *encoder) schema(fields []Field) message {
	e.reset()
	return e.finish(headerSchema, buildSchema(e.builder, fields))
}

// batch returns the message with a batch.
func (e *encoder) batch(rows int, columns []Array) message {
	e.reset()
	for i := range columns {
		columns[i].all(e.add)
	}
	return e.finish(headerBatch, e.buildBatch(rows))
}

// dictionary returns the message with the values of a dictionary. They replace its last values.
func (e *encoder) dictionary(id int64, values *Array) message {
	e.reset()
	values.all(e.add)
	batch := e.buildBatch(values.Len)
	e.builder.StartObject(valuesMembers)
	e.builder.PrependInt64Slot(valuesID, id, 0)
	e.builder.PrependUOffsetTSlot(valuesBatch, batch, 0)
	return e.finish(headerDictionary, e.builder.EndObject())
}

// reset begins a message.
func (e *encoder) reset() {
	if e.builder == nil {
		e.builder = flatbuffers.NewBuilder(0)
	}
	e.builder.Reset()
	e.body = e.body[:0]
	e.size = 0
	e.places = e.places[:0]
	e.nodes = e.nodes[:0]
}

// add adds an array without its children to the body.
func (e *encoder) add(a *Array) {
	e.nodes = append(e.nodes, node{a.Len, a.Nulls})
	for _, buffer := range a.Buffers {
		e.places = append(e.places, place{e.size, len(buffer)})
		padding := zeros[:-len(buffer)&(alignment-1)]
		e.body = append(e.body, buffer, padding)
		e.size += len(buffer) + len(padding)
	}
}

var zeros [alignment]byte

// pad appends zeros up to the alignment.
func pad(b []byte) []byte {
	return append(b, zeros[:-len(b)&(alignment-1)]...)
}

// buildBatch builds the table RecordBatch of the arrays that were added.
func (e *encoder) buildBatch(rows int) flatbuffers.UOffsetT {
	b := e.builder
	b.StartVector(structSize, len(e.nodes), alignment)
	for i := len(e.nodes) - 1; i >= 0; i-- {
		prependStruct(b, e.nodes[i].length, e.nodes[i].nulls)
	}
	nodes := b.EndVector(len(e.nodes))
	b.StartVector(structSize, len(e.places), alignment)
	for i := len(e.places) - 1; i >= 0; i-- {
		prependStruct(b, e.places[i].offset, e.places[i].length)
	}
	buffers := b.EndVector(len(e.places))
	b.StartObject(batchMembers)
	b.PrependInt64Slot(batchLength, int64(rows), 0)
	b.PrependUOffsetTSlot(batchNodes, nodes, 0)
	b.PrependUOffsetTSlot(batchBuffers, buffers, 0)
	return b.EndObject()
}

// structSize is the size of the structs FieldNode and Buffer, which have two numbers of 64 bits.
const structSize = 16

// prependStruct adds such a struct. A flatbuffer grows towards its beginning.
func prependStruct(b *flatbuffers.Builder, first, second int) {
	b.Prep(alignment, structSize)
	b.PlaceInt64(int64(second))
	b.PlaceInt64(int64(first))
}

// finish builds the table Message around its header.
func (e *encoder) finish(kind byte, header flatbuffers.UOffsetT) message {
	b := e.builder
	b.StartObject(messageMembers)
	b.PrependInt16Slot(messageVersion, version5, 0)
	b.PrependByteSlot(messageHeaderKind, kind, 0)
	b.PrependUOffsetTSlot(messageHeader, header, 0)
	b.PrependInt64Slot(messageBodyLength, int64(e.size), 0)
	b.Finish(b.EndObject())
	e.head = appendStart(e.head[:0], 0)
	e.head = pad(append(e.head, b.FinishedBytes()...))
	binary.LittleEndian.PutUint32(e.head[startSize-4:], uint32(len(e.head)-startSize))
	return message{e.head, e.body}
}

// continuation begins each message of a stream.
const continuation = 0xFFFFFFFF

// startSize is the number of bytes that appendStart appends.
const startSize = 8

// appendStart appends the start of a message: continuation and the length of its metadata. Length 0
// ends the stream.
func appendStart(dst []byte, length int) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, continuation)
	return binary.LittleEndian.AppendUint32(dst, uint32(length))
}
