package xml

import (
	"bytes"

	"absolink/extract/internal/place"
)

// namespaces holds which namespace each prefix stands for at the tag being read
// (Namespaces in XML 1.0). A prefix that is not declared stands for the namespace
// that it usually does, since such documents are found.
type namespaces struct {
	numbers map[string]int     // of prefixes, "" is the default namespace
	usual   []place.Vocabulary // by number: what it stands for if it is not declared
	bound   []place.Vocabulary // by number: the declaration in force
	saved   []binding          // what declarations of open elements replaced
}

// binding is what a prefix stood for before it was declared anew.
type binding struct {
	prefix int
	was    place.Vocabulary
}

func (n *namespaces) reset() {
	if n.numbers == nil || len(n.numbers) > maxPrefixes {
		*n = namespaces{numbers: make(map[string]int)}
	}
	n.bound, n.saved = append(n.bound[:0], n.usual...), n.saved[:0]
}

// maxPrefixes is how many prefixes are kept from one document to the next.
const maxPrefixes = 64

// number returns the number of a prefix.
func (n *namespaces) number(prefix []byte) int {
	if i, ok := n.numbers[string(prefix)]; ok {
		return i
	}
	i := len(n.bound)
	n.numbers[string(prefix)] = i
	v := place.Usual(prefix)
	n.usual, n.bound = append(n.usual, v), append(n.bound, v)
	return i
}

// declare lets a prefix, nil for the default namespace, stand for the namespace of
// a name, until restore.
func (n *namespaces) declare(prefix, name []byte) {
	i := n.number(prefix)
	v := place.OtherSpace
	if known, ok := place.VocabularyOf(bytes.TrimSpace(name)); ok {
		v = known
	} else if len(name) == 0 {
		v = place.NoSpace
	}
	if string(prefix) == "xml" {
		v = place.XMLSpace
	}
	n.saved = append(n.saved, binding{i, n.bound[i]})
	n.bound[i] = v
}

// restore takes back all declarations but the first count.
func (n *namespaces) restore(count int) {
	for len(n.saved) > count {
		b := n.saved[len(n.saved)-1]
		n.saved = n.saved[:len(n.saved)-1]
		n.bound[b.prefix] = b.was
	}
}

// element returns the namespace and the local name of an element.
func (n *namespaces) element(name []byte) (v place.Vocabulary, local []byte) {
	prefix, local := split(name)
	return n.bound[n.number(prefix)], local
}

// split cuts a name at its colon, if it has one.
func split(name []byte) (prefix, local []byte) {
	if i := bytes.IndexByte(name, ':'); i > 0 {
		return name[:i], name[i+1:]
	}
	return nil, name
}

// attribute appends the name of an attribute as the tables write it: with the
// usual prefix of its namespace, or without one. It is nil where no table has
// the namespace. Declarations of namespaces stay as they are.
func (n *namespaces) attribute(dst, name []byte) []byte {
	prefix, local := split(name)
	if prefix == nil || string(prefix) == "xmlns" {
		return name
	}
	v := n.bound[n.number(prefix)]
	if v <= place.OtherSpace || len(local) > place.LongestName {
		return nil
	}
	dst = append(append(dst, v.Prefix()...), ':')
	return append(dst, local...)
}
