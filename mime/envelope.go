package mime

import (
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"absolink/mime/internal/header"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/mail"
	"github.com/emersion/go-message/textproto"
)

// Envelope holds the fields by which people recognise a message, decoded by go-message. A field
// that the heading lacks is empty. A value longer than 1,000 bytes is cut.
type Envelope struct {
	Subject   string
	From      string    // each author as "name <address>", several with ", " between them
	Date      time.Time // zero if the heading has no date that can be read
	MessageID string    // with its angle brackets
	// Quirks are the names of the fields that go-message cannot read, in lower case. The envelope
	// holds the raw values of these fields, except for a date.
	Quirks []string
}

// Header returns the heading for go-message, which decodes encoded words, addresses and dates. It
// refers to the bytes of the message, which must not change. Lines that are not fields are left
// out. Use [Entity.Get] for values that are URLs: go-message puts a blank where a line was folded.
func (e *Entity) Header() mail.Header {
	var h textproto.Header
	for i := len(e.fields) - 1; i >= 0; i-- { // AddRaw puts each field before the others
		if f := e.fields[i]; f.Colon >= 0 {
			h.AddRaw(e.bytes(Span{f.Start, f.End}))
		}
	}
	return mail.Header{Header: message.Header{Header: h}}
}

// Envelope returns the subject, the authors, the date and the Message-ID in the heading of e. It
// never fails: a value that cannot be decoded stays raw.
func (e *Entity) Envelope() Envelope {
	v := e.DateAndID()
	h := e.firstFields("Subject", "From")
	var err error
	if v.Subject, err = h.Subject(); err != nil {
		v.addQuirk("subject")
	}
	if v.From, err = authors(&h); err != nil {
		v.addQuirk("from")
	}
	v.Subject, v.From = shorten(v.Subject), shorten(v.From)
	return v
}

// DateAndID returns an [Envelope] with only Date, MessageID and their Quirks. It takes much less
// time than [Entity.Envelope], because it decodes no subject and no addresses.
func (e *Entity) DateAndID() Envelope {
	var v Envelope
	var err error
	if v.Date, err = e.date(); err != nil {
		v.addQuirk("date")
	}
	if v.MessageID, err = e.messageID(); err != nil {
		v.addQuirk("message-id")
	}
	v.MessageID = shorten(v.MessageID)
	return v
}

// date returns the value of Date, or the zero time if there is none.
func (e *Entity) date() (time.Time, error) {
	value, n := e.Get("Date")
	if n == 0 {
		return time.Time{}, nil
	}
	if t, ok := plainDate(header.Unfold(value)); ok {
		return t, nil
	}
	h := e.firstFields("Date")
	return h.Date()
}

// messageID returns the Message-ID with its angle brackets. With an error it returns the raw value.
func (e *Entity) messageID() (string, error) {
	value, n := e.Get("Message-ID")
	if n == 0 {
		return "", nil
	}
	if plain := header.Unfold(value); isPlainID(plain) {
		return plain, nil
	}
	h := e.firstFields("Message-ID")
	raw := strings.TrimSpace(h.Get("Message-ID"))
	id, err := h.MessageID()
	if err != nil || id == "" {
		return raw, err
	}
	return "<" + id + ">", nil
}

// firstFields returns a header that holds the first field of each name.
func (e *Entity) firstFields(names ...string) mail.Header {
	var h mail.Header
	for _, name := range names {
		if value, n := e.Get(name); n > 0 {
			h.Set(name, header.Unfold(value))
		}
	}
	return h
}

// shorten returns at most the first 1,000 bytes of text, without splitting a character.
func shorten(text string) string {
	const limit = 1000
	if len(text) <= limit {
		return text
	}
	end := limit
	for end > limit-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

func (v *Envelope) addQuirk(field string) { v.Quirks = append(v.Quirks, field) }

// authors returns the authors of a message. If the From field is not a list of addresses, authors
// returns its text and the error.
func authors(h *mail.Header) (string, error) {
	list, err := h.AddressList("From")
	if err != nil {
		text, other := h.Text("From")
		return text, errors.Join(err, other)
	}
	var names []string
	for _, a := range list {
		if a.Name == "" {
			names = append(names, a.Address)
		} else {
			names = append(names, a.Name+" <"+a.Address+">")
		}
	}
	return strings.Join(names, ", "), nil
}

// By itself, go-message decodes only words in UTF-8. Its package charset would build large tables
// when a program starts, so this reader is used instead.
func init() {
	if message.CharsetReader == nil {
		message.CharsetReader = header.CharsetReader
	}
}
