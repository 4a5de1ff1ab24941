package markup

import (
	"cmp"
	"flag"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"absolink/testdata/corpus"
)

// The test breaks documents on purpose and compares the scanner with the tokenizer and the tree for
// each. A mutant is a run of pieces (tags, comments, text) of one document. Pieces are deleted,
// doubled, swapped or taken from other documents, words of the grammar are inserted anywhere, and
// the end is cut off. Mutant n is the same in every run, so a difference can be examined again by
// its number:
//
//	go test ./extract/internal/markup -run TestMutants -mutants 1 -first N
var (
	mutants = flag.Int("mutants", 4000, "how many mutated documents TestMutants compares")
	first   = flag.Int("first", 0, "the number of the first of them")
)

// TestMutants counts the departures by class; a difference without a class fails.
func TestMutants(t *testing.T) {
	m := newMutator(t)
	counts := map[departure]int{}
	for n := *first; n < *first+*mutants; n++ {
		data := m.mutant(n)
		known, err := judged(data)
		if err != nil {
			t.Errorf("mutant %d: %v\nsmallest: %q", n, err, smallest(data))
		}
		counts[known]++
	}
	for _, c := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%d of %d documents: %s", counts[c], *mutants, cmp.Or(c, "no difference"))
	}
	if counts[agree] < *mutants*99/100 {
		t.Errorf("%d of %d documents have no difference, want at least 99 of 100", counts[agree], *mutants)
	}
}

// judged returns the unexplained difference between the scanner and its oracles, or the departure
// that explains it.
func judged(data []byte) (known departure, err error) {
	_, known, err = compareTokens(data)
	if known != agree || err != nil {
		return known, err
	}
	_, known, err = compareTree(data)
	return known, err
}

// smallest removes pieces of a document as long as an unexplained difference remains.
func smallest(data []byte) []byte {
	for size := len(data) / 2; size > 0; size /= 2 {
		for i := 0; i+size <= len(data); {
			less := slices.Concat(data[:i], data[i+size:])
			if _, err := judged(less); err != nil {
				data = less
			} else {
				i += size
			}
		}
	}
	return data
}

// mutator makes mutants.
type mutator struct {
	sources [][][]byte // documents in pieces
	rand    *rand.Rand
}

var piece = regexp.MustCompile(`(?s)<!--.*?-->|<[^>]*>|[^<]+|<`)

// newMutator reads the documents. Half of the sources are short ones; the others are the documents
// of the project and of the corpus, if there is one.
func newMutator(t *testing.T) *mutator {
	m := new(mutator)
	docs := append(ownDocuments(t, "pages", 5), ownDocuments(t, "torture", 10)...)
	if !corpus.Own() {
		docs = append(docs, corpus.Documents(t, "pages")...)
	}
	for _, doc := range docs {
		m.sources = append(m.sources, piece.FindAll(doc.Data, -1))
	}
	fragments := append(slices.Clone(seeds), mutantSeeds...)
	for i := range len(m.sources) {
		m.sources = append(m.sources, piece.FindAll([]byte(fragments[i%len(fragments)]), -1))
	}
	return m
}

// mutantSeeds are fragments for which the tree builder has special rules.
var mutantSeeds = []string{
	`<svg><title>a<p>b</title><desc><svg><a xlink:href=c></desc><style>a{}<b></style><script><!--</script></svg><a href=d>`,
	`<math><mi><mglyph src=a></mglyph><malignmark/><b>c</b></mi><annotation-xml encoding="text/html"><div><svg><p></annotation-xml><mtext><table><tr><td></table></math>`,
	`<table><caption><svg><foreignObject><td><a href=a></caption><tr><td><math><mo></td></tr></table>`,
	`<select><option><svg><option></select><button><p><svg><desc><button></svg></button>`,
	`<head><noscript><link rel=a href=b><style>c</style></noscript><script>d</script></head><body><noscript><a href=e></noscript>`,
	`<textarea><!-- </textarea> --><title></title ><xmp></xmp/><iframe></IFRAME x=y><noembed></noembed><noframes></noframes>`,
	`<script><!--<script>a</script>--></script><script><!-- < b --></script><script><!--<scripts></script><style><!--</style>-->`,
	`<template><svg><template></template></svg><col><base href=a></template><base href=b>`,
	`<frameset><frame src=a><noframes><a href=b></noframes></frameset><noframes><b></noframes>`,
	`<p><a href=a><p><a href=b><b><i><p></b></i></a><font color=x><svg><font size=y></svg>`,
	`<![CDATA[a]]><svg><![CDATA[<b>]]>]]><!DOCTYPE c [<!d>]><?e f?></?></!><//><!-></svg>`,
	`<plaintext><svg></plaintext>`,
}

// words are inserted into mutants.
var words = append([]string{
	"\x00", "\r", "\r\n", "\n", "\f", "\t", " ", `"`, `'`, "`", "=", "/", "<", ">", "</",
	"<!", "<!--", "-->", "--!>", "--", "<?", "]]>", "<![CDATA[", "&", "&#", "&amp", "/>",
	"<svg", "</svg", "<a", "</a", ` href="`, ` href='`, " href=x ", " a=b a=c ",
	" encoding=text/html ", "<script>", "</script>", "<style>", "</style>", "<plaintext>",
	"<title>", "</title>", "<textarea>", "<noscript>", "</noscript>", "<template>",
	"</template>", "<frameset>", "</frameset>", "<noframes>", "\xff", "\u00e9", "A", "-", "!",
}, treeWords...)

// mutant returns mutant n.
func (m *mutator) mutant(n int) []byte {
	m.rand = rand.New(rand.NewPCG(2396, uint64(n)))
	pieces := m.run(3 + m.rand.IntN(60))
	for range 1 + m.rand.IntN(8) {
		pieces = m.move(pieces)
	}
	data := slices.Concat(pieces...)
	for range m.rand.IntN(6) {
		data = m.write(data)
	}
	if m.rand.IntN(8) == 0 {
		data = data[:m.rand.IntN(len(data)+1)]
	}
	return data
}

// run returns up to n consecutive pieces of a document.
func (m *mutator) run(n int) [][]byte {
	source := m.sources[m.rand.IntN(len(m.sources))]
	i := m.rand.IntN(len(source))
	return slices.Clone(source[i:min(i+n, len(source))])
}

// move changes the set and the order of the pieces.
func (m *mutator) move(p [][]byte) [][]byte {
	if len(p) == 0 {
		return m.run(8)
	}
	i, j := m.rand.IntN(len(p)), m.rand.IntN(len(p))
	switch m.rand.IntN(6) {
	case 0:
		return slices.Delete(p, i, min(i+1+m.rand.IntN(3), len(p)))
	case 1:
		return slices.Insert(p, j, p[i])
	case 2:
		p[i], p[j] = p[j], p[i]
		return p
	case 3:
		return slices.Insert(p, i, m.run(1+m.rand.IntN(6))...)
	default:
		return slices.Insert(p, i, m.word())
	}
}

// write changes bytes at any position.
func (m *mutator) write(data []byte) []byte {
	i := m.rand.IntN(len(data) + 1)
	end := min(i+1+m.rand.IntN(4), len(data))
	switch m.rand.IntN(5) {
	case 0:
		return slices.Delete(data, i, end)
	case 1:
		return slices.Insert(data, i, slices.Clone(data[i:min(i+m.rand.IntN(40), len(data))])...)
	default:
		return slices.Insert(data, i, m.word()...)
	}
}

func (m *mutator) word() []byte { return []byte(words[m.rand.IntN(len(words))]) }
