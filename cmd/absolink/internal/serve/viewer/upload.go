package viewer

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/serve/sheet"
)

// The limits of a form. A form has one document, as a file or as text, and options.
const (
	maxOption = 8 << 10 // bytes of one option: options become part of the address of a page
	maxFields = 100
)

// given is the content of a form.
type given struct {
	file, text *upload       // the file has priority; nil if missing
	sample     *sheet.Sample // or nil; it counts only if there is no other document
	flags      url.Values
	fields     int
}

// refusal is an error that says why a form is refused.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

// upload stores the document of a form, and redirects to its page.
func (p *Pages) upload(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, p.o.MaxSize+(1<<20))
	g := &given{flags: make(url.Values)}
	if err := p.receive(g, r); err != nil {
		g.close()
		refused := p.refusalOf(err)
		p.fail(w, refused.status, refused.text)
		return
	}
	kept := g.text
	if g.file != nil {
		kept = g.file
		g.file = nil
	} else {
		g.text = nil
	}
	g.close()
	http.Redirect(w, r, "/document/"+p.store.add(kept)+"/?"+g.flags.Encode(), http.StatusSeeOther)
}

// close closes the uploads of g.
func (g *given) close() {
	for _, u := range []*upload{g.file, g.text} {
		if u != nil {
			u.file.Close()
		}
	}
}

// receive reads the form in the body of r.
func (p *Pages) receive(g *given, r *http.Request) error {
	form, err := r.MultipartReader()
	if err != nil {
		return &refusal{http.StatusBadRequest, "The form could not be read."}
	}
	for {
		part, err := form.NextPart()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = p.readField(g, part)
		}
		if err != nil {
			return err
		}
	}
	if g.file == nil && g.text == nil && g.sample != nil {
		g.flags = maps.Clone(g.sample.Flags)
		g.file, err = newUpload(bytes.NewReader(g.sample.Data()), g.sample.File, p.o.MaxSize)
		if err != nil {
			return err
		}
	}
	if g.file == nil && g.text == nil {
		return &refusal{http.StatusUnprocessableEntity,
			"Choose a file, drop one, paste the text of a document, or show a sample."}
	}
	io.Copy(io.Discard, r.Body) // skip the bytes after the form
	return nil
}

// readField reads one field of a form.
func (p *Pages) readField(g *given, part *multipart.Part) (err error) {
	g.fields++
	if g.fields > maxFields {
		return &refusal{http.StatusBadRequest, "The form has too many fields."}
	}
	switch name := part.FormName(); {
	case name == "file" && part.FileName() == "":
	case name == "file" && g.file != nil, name == "text" && g.text != nil:
		return &refusal{http.StatusBadRequest, "The form has more than one document: give one."}
	case name == "file":
		g.file, err = newUpload(part, part.FileName(), p.o.MaxSize)
	case name == "text":
		if g.text, err = newUpload(part, "pasted text", p.o.MaxSize); err == nil && g.text.Size == 0 {
			g.text.file.Close()
			g.text = nil
		}
	case name == "sample":
		text, failed := io.ReadAll(io.LimitReader(part, maxOption))
		g.sample = sheet.SampleNamed(string(text))
		return failed
	case slices.Contains(sheet.FlagNames, name):
		text, failed := io.ReadAll(io.LimitReader(part, maxOption+1))
		if len(text) > maxOption {
			return &refusal{http.StatusBadRequest, "An option has more than 8,192 bytes."}
		}
		if v := strings.TrimSpace(string(text)); v != "" {
			g.flags.Add(name, v)
		}
		return failed
	}
	return err
}

// refusalOf returns the refusal for an error of receive.
func (p *Pages) refusalOf(err error) *refusal {
	var refused *refusal
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.Is(err, errLarge), errors.As(err, &large):
		return &refusal{http.StatusRequestEntityTooLarge,
			"The document has more than the " + sheet.Size(p.o.MaxSize) + " that --max-size allows."}
	case os.IsTimeout(err), errors.Is(err, os.ErrDeadlineExceeded):
		return &refusal{http.StatusRequestTimeout, "The upload comes too slowly."}
	}
	if refused := unstored(err); refused != nil {
		return refused
	}
	return &refusal{http.StatusBadRequest, "The upload ended too early."}
}

// unstored returns the refusal for an error of a temporary file, such as a full disk, or nil. The
// refusal does not name the directory.
func unstored(err error) *refusal {
	var failed *fs.PathError
	var missing *files.TemporaryError
	var reason error
	switch {
	case errors.As(err, &failed):
		reason = failed.Err
	case errors.As(err, &missing):
		reason = missing.Err
	default:
		return nil
	}
	return &refusal{http.StatusInternalServerError,
		"The service cannot use its temporary files: " + reason.Error() + "."}
}
