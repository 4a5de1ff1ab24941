package pipe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/kinds"
	"absolink/extract"
)

// A frame is a header and the content of a document. The header is a JSON object on one line, and
// the content follows directly after the line. If the header does not say how long the content is,
// the next frame cannot be found: the frame is damaged, and Run ends. Any other fault of a header
// fails its frame alone.

const (
	maxHeader = 1 << 20 // size limit of a header in bytes
	maxLength = 1 << 30 // size limit of the content of a frame in bytes, whatever Options.MaxSize is
)

// keys are the keys of a header.
var keys = []string{"length", "id", "url", "type", "charset", "status", "name", "headers"}

// header is the header of a frame.
type header struct {
	length       int64
	id           []byte      // JSON as written; empty if the header has no id
	given        input.Given // the description of the document
	responseKind input.Kind  // by the Content-Type in "headers"; Other for a document
	fault        string      // why the frame fails although its length is known; empty for most frames
}

// parse reads the header in line. If the line does not tell the length of the content, the frame is
// damaged, and the error says why.
func (h *header) parse(line []byte) error {
	*h = header{length: -1, id: h.id[:0], given: input.Given{Framed: true}}
	if !json.Valid(line) {
		return errors.New("its first line is not JSON")
	}
	line = bytes.TrimSpace(line)
	if line[0] != '{' {
		return errors.New("its first line is not a JSON object")
	}
	var seen [8]bool // by the index in keys
	for quoted, value := range members(line) {
		key := keyOf(quoted)
		i := slices.Index(keys, key)
		switch {
		case i < 0:
			h.fail("%s", unknownKey(key))
			continue
		case seen[i] && key == "length":
			return errors.New("its first line has the key \"length\" twice")
		case seen[i]:
			h.fail("the frame has the key %q twice: leave one of them out", key)
			continue
		}
		seen[i] = true
		if err := h.setMember(key, value); err != nil {
			return err
		}
	}
	if h.length < 0 {
		return errors.New(`it has no "length"`)
	}
	if !h.given.Typed {
		h.given.Kind = h.responseKind
	}
	return nil
}

// keyOf returns the text of a JSON string. A known key takes no new memory.
func keyOf(quoted []byte) string {
	for _, key := range keys {
		if string(quoted[1:len(quoted)-1]) == key {
			return key
		}
	}
	key, _ := unquote(quoted)
	return key
}

// unknownKey returns the fault of a header with an unknown key.
func unknownKey(key string) string {
	if near := flag.Nearest(key, slices.Values(keys)); near != "" {
		return fmt.Sprintf("the frame has the unknown key %q; did you mean %q?", key, near)
	}
	return fmt.Sprintf("the frame has the unknown key %q; the keys are %s", key, strings.Join(keys, ", "))
}

// fail sets the fault of the frame. The first fault counts.
func (h *header) fail(format string, a ...any) {
	if h.fault == "" {
		h.fault = fmt.Sprintf(format, a...)
	}
}

// setMember sets the value of a key. A null means that the key is missing, except for the id and
// the length. An error says why the frame is damaged.
func (h *header) setMember(key string, value []byte) error {
	g := &h.given
	switch {
	case key == "length":
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("its length %.40s is not a number of bytes", value)
		}
		h.length = n
	case key == "id":
		h.id = append(h.id, value...)
	case string(value) == "null":
	case key == "status":
		n, err := strconv.Atoi(string(value))
		if err != nil || n < 0 || n > 999 {
			h.fail("the status %.40s of the frame is not a status code such as 200", value)
		}
		g.Status = n
	case key == "headers":
		h.setHeaders(value)
	default:
		h.setText(key, value)
	}
	return nil
}

// setText sets the value of a key whose value is a text.
func (h *header) setText(key string, value []byte) {
	text, ok := unquote(value)
	if !ok {
		h.fail("the %s of the frame is not a text", key)
		return
	}
	g := &h.given
	switch key {
	case "url":
		g.URL = text
	case "charset":
		g.Charset = text
	case "name":
		g.Name = text
	case "type":
		h.setType(text)
	}
}

// setType sets the kind of the content from a media type or the name of a kind.
func (h *header) setType(text string) {
	if text == "" {
		return
	}
	g := &h.given
	g.Typed = true
	if strings.Contains(text, "/") {
		g.Kind = kindOf(text)
		g.Type = text
		return
	}
	for _, k := range kinds.All {
		if k.String() == text {
			g.Kind = k
			return
		}
	}
	switch text { // --type accepts these too
	case "eml":
		g.Kind = input.Message
		return
	case "md":
		g.Kind = input.Kind(extract.Markdown)
		return
	}
	h.fail("the type %q of the frame is neither a media type nor a kind: %v", text, flag.Choose(text, kinds.Names()))
}

// mediaKinds are the kinds of containers and messages by their media types. Package input knows
// the media types of documents.
var mediaKinds = map[string]input.Kind{
	"message/rfc822": input.Message, "message/global": input.Message, "multipart/related": input.MHTML,
	"application/mbox": input.Mbox, "application/warc": input.WARC, "message/http": input.HTTP,
}

// kindOf returns the kind of the container or message with this Content-Type. It returns Other for
// a document.
func kindOf(contentType string) input.Kind {
	media, _, _ := strings.Cut(contentType, ";")
	return mediaKinds[strings.ToLower(strings.TrimSpace(media))]
}

// setHeaders sets the header fields of the HTTP response with the document. A field without a valid
// name is left out.
func (h *header) setHeaders(value []byte) {
	var fields [][]string
	if json.Unmarshal(value, &fields) != nil || slices.ContainsFunc(fields, notPair) {
		h.fail(`the headers of the frame are not a list of pairs such as ["Content-Type","text/html"]`)
		return
	}
	g := &h.given
	for _, f := range fields {
		name := strings.TrimSpace(f[0])
		if name == "" || strings.ContainsAny(name, ": \t\r\n\x00") {
			continue
		}
		text := strings.TrimSpace(fieldBreaks.Replace(f[1]))
		if strings.EqualFold(name, "Content-Type") {
			h.responseKind = kindOf(text)
		}
		g.Heading = append(append(append(append(g.Heading, name...), ": "...), text...), "\r\n"...)
	}
}

func notPair(f []string) bool { return len(f) != 2 }

// fieldBreaks writes blanks for the characters that end the value of a header field. Otherwise the
// text after them would be another field.
var fieldBreaks = strings.NewReplacer("\r", " ", "\n", " ", "\x00", " ")

// tooLarge returns the fault of a frame whose content is too large.
func (h *header) tooLarge() string {
	if h.length > maxLength {
		return fmt.Sprintf("%d bytes are more than a frame may have, 1 GiB: not read", h.length)
	}
	return fmt.Sprintf("%d bytes are more than --max-size allows: not read", h.length)
}
