package rewrite

import (
	"strings"

	"absolink/mime"
)

// signedBeside reports whether a part of the same multipart signs the file e, as x.txt.asc or
// x.txt.sig signs x.txt. e may be nil.
func (p *Plan) signedBeside(e *mime.Entity) bool {
	if e == nil || e.Parent == nil {
		return false
	}
	_, name := e.Disposition()
	return name != "" && p.signedIn(e.Parent)[name]
}

// signedIn returns the names of the files that parts of a multipart sign. It caches them, so the
// time stays linear in the number of parts.
func (p *Plan) signedIn(multipart *mime.Entity) map[string]bool {
	names, ok := p.signed[multipart]
	if ok {
		return names
	}
	names = make(map[string]bool)
	for _, part := range multipart.Parts {
		_, name := part.Disposition()
		for _, ending := range []string{".asc", ".sig"} {
			if file, ok := strings.CutSuffix(name, ending); ok {
				names[file] = true
			}
		}
	}
	if p.signed == nil {
		p.signed = make(map[*mime.Entity]map[string]bool)
	}
	p.signed[multipart] = names
	return names
}
