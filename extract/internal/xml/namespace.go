package xml

import (
	"bytes"

	"absolink/extract/internal/place"
)

// namespaces holds the namespace of each prefix at the current tag (Namespaces in XML 1.0). Some
// documents use a prefix without a declaration; it gets its usual namespace.
type namespaces struct {
	numbers map[string]int     // of prefixes; "" is the default namespace
	usual   []place.Vocabulary // by number: the namespace without a declaration
	bound   []place.Vocabulary // by number: the declaration in force
	saved   []binding          // the bindings that declarations of open elements replaced
}

// binding is the namespace of a prefix before a declaration changed it.
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

// maxPrefixes is the number of prefixes that are kept for the next document.
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

// declare binds a prefix to the namespace with a name, until restore. A nil prefix is the default
// namespace.
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

// restore removes all declarations except the first count of them.
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

// attribute appends the name of an attribute as the tables write it: with the usual prefix of its
// namespace, or without a prefix. It returns nil if no table has the namespace. Declarations of
// namespaces are returned unchanged.
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
