// Package arrow writes streams in the Arrow IPC format (version 1.5 of its columnar format): a
// schema, then batches of rows with their dictionaries. It reads nothing. Numbers are little-endian
// on every processor, and buffers are not compressed.
//
//	w := arrow.NewWriter(out, []arrow.Field{{Name: "uri", Type: arrow.Text}})
//	err := w.Write(rows, []arrow.Array{uris})
//	err = w.Close()
//
// Files in reading order: field.go (the schema), array.go (the values of a column), message.go (one
// message), stream.go (the stream).
package arrow

import (
	"bufio"
	"bytes"
	"io"
)

// Writer writes one stream. Close it, or readers may take the stream for truncated.
type Writer struct {
	w            *bufio.Writer // empty after each message
	fields       []Field
	begun        bool // the schema is written
	encoder      encoder
	dictionaries map[int][]byte // the last dictionary of each field, as it was written
}

// NewWriter returns a Writer to w of columns with these fields. It writes nothing before the first
// batch. The caller must not change fields.
func NewWriter(w io.Writer, fields []Field) *Writer {
	return &Writer{w: bufio.NewWriterSize(w, 1<<16), fields: fields, dictionaries: make(map[int][]byte)}
}

// Write writes a batch of rows. columns has the Array of each field, with one value for each row.
// Write does not keep columns. A dictionary is written only if it differs from the one before.
func (w *Writer) Write(rows int, columns []Array) error {
	if err := w.begin(); err != nil {
		return err
	}
	for i := range columns {
		if d := columns[i].Dictionary; d != nil {
			if err := w.writeDictionary(i, d); err != nil {
				return err
			}
		}
	}
	return w.send(w.encoder.batch(rows, columns))
}

// writeDictionary writes the dictionary of a field.
func (w *Writer) writeDictionary(field int, values *Array) error {
	m := w.encoder.dictionary(int64(field), values)
	written := bytes.Join(append([][]byte{m.head}, m.body...), nil)
	if bytes.Equal(w.dictionaries[field], written) {
		return nil
	}
	w.dictionaries[field] = written
	return w.send(m)
}

// begin writes the schema, if it is not yet written.
func (w *Writer) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	return w.send(w.encoder.schema(w.fields))
}

// send writes a message. After an error, Flush returns it too.
func (w *Writer) send(m message) error {
	w.w.Write(m.head)
	for _, b := range m.body {
		w.w.Write(b)
	}
	return w.w.Flush()
}

// Close writes the end of the stream, and before it the schema if there was no batch.
func (w *Writer) Close() error {
	if err := w.begin(); err != nil {
		return err
	}
	return w.send(message{head: appendStart(nil, 0)})
}
