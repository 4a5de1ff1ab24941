package pipe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
)

// A frame is a header and the content of a document. The header is a JSON object on one line, and
// the content follows directly after the line. The header says how long the content is. If it does
// not, the next frame cannot be found: the frame is damaged, and the stream ends. Any other fault
// of a header fails its frame alone.

const (
	maxHeader = 1 << 20 // size limit of a header in bytes
	maxLength = 1 << 30 // size limit of the content of a frame in bytes, whatever Options.MaxSize is
)

// keys are the keys of a header.
var keys = []string{"length", "id", "url", "type", "charset", "status", "name", "headers"}

// header is the header of a frame.
type header struct {
	length int64
	id     []byte      // JSON as written; empty if the header has no id
	given  input.Given // the description of the content
	field  input.Kind  // kind of a container or message, by the field Content-Type of the response
	fault  string      // why the frame fails although its length is known; empty if it does not
}

// parse reads the header in line. An error says why the frame is damaged: the line does not tell
// the length of the content.
func (h *header) parse(line []byte) error {
	*h = header{length: -1, id: h.id[:0]}
	if !json.Valid(line) {
		return errors.New("its first line is not JSON")
	}
	line = bytes.TrimSpace(line)
	if line[0] != '{' {
		return errors.New("its first line is not a JSON object")
	}
	var seen [8]bool // by the index of the key
	for key, value := range members(line) {
		i := slices.Index(keys, key)
		switch {
		case i < 0:
			h.fail("%s", unknownKey(key))
			continue
		case seen[i] && key == "length":
			return errors.New("its length stands twice")
		case seen[i]:
			h.fail("%q stands twice: leave one of them out", key)
			continue
		}
		seen[i] = true
		if err := h.set(key, value); err != nil {
			return err
		}
	}
	if h.length < 0 {
		return errors.New(`it has no "length"`)
	}
	if !h.given.Typed {
		h.given.Kind = h.field
	}
	return nil
}

// unknownKey describes a key that headers do not have.
func unknownKey(key string) string {
	if near := flag.Nearest(key, slices.Values(keys)); near != "" {
		return fmt.Sprintf("the frame has the unknown key %q; did you mean %q?", key, near)
	}
	return fmt.Sprintf("the frame has the unknown key %q; the keys are %s", key, strings.Join(keys, ", "))
}

// fail sets the fault of the frame, unless it has one.
func (h *header) fail(format string, a ...any) {
	if h.fault == "" {
		h.fault = fmt.Sprintf(format, a...)
	}
}

// set sets the value of a key. A null means that the key is missing, except for the id and the
// length. An error says why the frame is damaged.
func (h *header) set(key string, value []byte) error {
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
		h.setHeading(value)
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
	for _, k := range input.Kinds {
		if k.String() == text {
			g.Kind = k
			return
		}
	}
	if text == "eml" { // as the ending of a file
		g.Kind = input.Message
		return
	}
	h.fail("the type %q of the frame is neither a media type nor a kind: %v", text, flag.Choose(text, input.Names()))
}

// mediaKinds are the kinds of containers and messages by their media type. The media types of
// documents are known to package input.
var mediaKinds = map[string]input.Kind{
	"message/rfc822": input.Message, "message/global": input.Message, "multipart/related": input.MHTML,
	"application/mbox": input.Mbox, "application/warc": input.WARC, "message/http": input.HTTP,
}

// kindOf returns the kind of a container or message from its media type, or Other.
func kindOf(contentType string) input.Kind {
	media, _, _ := strings.Cut(contentType, ";")
	return mediaKinds[strings.ToLower(strings.TrimSpace(media))]
}

// setHeading sets the HTTP header fields with which the client got the document. A line end in a
// value would begin another field, so it becomes a blank. A field without a valid name is left out.
func (h *header) setHeading(value []byte) {
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
		text := strings.TrimSpace(lineEnds.Replace(f[1]))
		if strings.EqualFold(name, "Content-Type") {
			h.field = kindOf(text)
		}
		g.Heading = append(append(append(append(g.Heading, name...), ": "...), text...), "\r\n"...)
	}
}

func notPair(f []string) bool { return len(f) != 2 }

var lineEnds = strings.NewReplacer("\r", " ", "\n", " ", "\x00", " ")

// unquote returns the text of a JSON string. It returns false for any other value.
func unquote(value []byte) (text string, ok bool) {
	if value[0] != '"' {
		return "", false
	}
	if inner := value[1 : len(value)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), true
	}
	return text, json.Unmarshal(value, &text) == nil
}

// members yields the members of object, a valid JSON object without blanks around it. Values are as
// written, without blanks around them.
func members(object []byte) func(yield func(key string, value []byte) bool) {
	return func(yield func(string, []byte) bool) {
		rest := object[1:]
		for {
			rest = skip(rest, ',')
			if rest[0] == '}' {
				return
			}
			n := valueSize(rest)
			key, _ := unquote(rest[:n])
			rest = skip(rest[n:], ':')
			n = valueSize(rest)
			if !yield(key, rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// skip returns b without the blanks and separators at its beginning.
func skip(b []byte, separator byte) []byte {
	for isBlank(b[0]) || b[0] == separator {
		b = b[1:]
	}
	return b
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// valueSize returns the size of the JSON value at the beginning of b, which is part of a valid
// object.
func valueSize(b []byte) int {
	depth := 0
	for i := 0; ; {
		switch b[i] {
		case '"':
			i += stringSize(b[i:])
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		default:
			i++
			for depth == 0 && !isBlank(b[i]) && b[i] != ',' && b[i] != '}' {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

// stringSize returns the size of the JSON string at the beginning of b.
func stringSize(b []byte) int {
	for i := 1; ; i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

// excess returns the fault of a frame whose content is too large.
func (h *header) excess() string {
	if h.length > maxLength {
		return fmt.Sprintf("%d bytes are more than a frame may have, 1 GiB: not read", h.length)
	}
	return fmt.Sprintf("%d bytes are more than --max-size allows: not read", h.length)
}
