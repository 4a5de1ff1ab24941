package mime

import (
	"strings"

	"absolink/mime/internal/header"
	"absolink/resolve"
)

// Many programs attach pictures as "image001.png" and refer to them by that name in the page. Such
// a reference means the attached part. It can mean something else only if the message gives a base
// for its references.

// PartName returns the function to set as [extract.Resolver.PartName] for the document in e. It
// reports whether a relative reference in e, as written, is the Content-ID or the file name of a
// part. Only parts beside e, and beside the entities around e, count. The function is nil if e has
// no parent, or if e or an entity around it has a Content-Base or a Content-Location. It is safe
// for concurrent use.
func (e *Entity) PartName() func(value []byte) bool {
	for a := e; a != nil; a = a.Parent {
		if a.known[contentBase].n > 0 || a.known[contentLocation].n > 0 {
			return nil
		}
	}
	if e.Parent == nil {
		return nil
	}
	return e.namesPart
}

// namesPart reports whether value is the name of a part beside e or beside an entity around it.
func (e *Entity) namesPart(value []byte) bool {
	name := string(withoutFragment(value))
	decoded := resolve.Unescape(name)
	for a := e.Parent; a != nil; a = a.Parent {
		if names := a.m.partsByName(a); names[name] != nil || names[decoded] != nil {
			return true
		}
	}
	return false
}

// partsByName returns the parts of e by their Content-IDs and file names, or nil if e is not a
// multipart.
func (m *Message) partsByName(e *Entity) map[string]*Entity {
	if !strings.HasPrefix(e.mediaType, "multipart/") {
		return nil
	}
	m.byNameMu.Lock()
	defer m.byNameMu.Unlock()
	if names, ok := m.byName[e]; ok {
		return names
	}
	names := make(map[string]*Entity)
	for _, part := range e.Parts {
		part.addContentIDs(names)
		part.addFileNames(names)
	}
	if m.byName == nil {
		m.byName = make(map[*Entity]map[string]*Entity)
	}
	m.byName[e] = names
	return names
}

// addFileNames adds e to names under its file name and the name in its Content-Type, unless another
// part has that name.
func (e *Entity) addFileNames(names map[string]*Entity) {
	for _, name := range [...]string{header.Param(e.unfolded("Content-Disposition"), "filename"), e.Param("name")} {
		e.addName(names, header.Words(name))
	}
}
