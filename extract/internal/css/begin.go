package css

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Begins reports whether head can only be the beginning of a style sheet: an at-rule, or a rule
// with a known property. White space, comments and the marks that hide a style sheet from old
// browsers may precede it.
func Begins(head []byte) bool {
	head = skipComments(head)
	if atRulePattern().Match(head) {
		return true
	}
	m := firstRulePattern().FindSubmatch(head)
	return m != nil && isProperty(string(m[1]))
}

// skipComments returns head after white space, comments and the marks <!-- and -->.
func skipComments(head []byte) []byte {
	for {
		head = bytes.TrimLeft(head, "\t\n\f\r ")
		rest, comment := bytes.CutPrefix(head, []byte("/*"))
		switch {
		case comment:
			_, head, _ = bytes.Cut(rest, []byte("*/"))
		case bytes.HasPrefix(head, []byte("<!--")):
			head = head[len("<!--"):]
		case bytes.HasPrefix(head, []byte("-->")):
			head = head[len("-->"):]
		default:
			return head
		}
	}
}

// atRulePattern matches an at-rule with the text that must follow its name. It does not match a
// sentence that begins with such a name. firstRulePattern matches selectors, a brace and the name
// of a property.
var (
	atRulePattern = lazyRegexp(`^@(?i:charset "|import\s*(?:"|'|url\()|namespace\s+[^\s;{}]*\s*(?:"|'|url\()|` +
		`font-face\s*\{|page[^;{}<]{0,80}\{|layer\s+[\w.\s,-]+[;{]|` +
		`(?:media|supports|container)\b[^;{}<]{1,400}\{|(?:-\w+-)?keyframes\s+[\w"'-]+\s*\{|` +
		`property\s+--[\w-]+\s*\{)`)
	firstRulePattern = lazyRegexp(`^(?:[^{}<;"%@=:]|::?[\w-]){1,400}\{\s*(?:/\*[^*]*\*/\s*)*([\w-]+)\s*:`)
)

// lazyRegexp returns a function that compiles an expression in its first call.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// isProperty reports whether name is a property that often comes first in the rules of real style
// sheets. It accepts custom properties and properties with a browser prefix.
func isProperty(name string) bool {
	name = strings.ToLower(name)
	stem, _, dashed := strings.Cut(name, "-")
	return stem == "" || hasWord(properties, stem) || dashed && hasWord(compounds, stem)
}

// properties are the first words of property names (CSS snapshot 2024) that are also properties
// themselves; compounds are first words that are not. Words that are common fields in other
// languages are missing: name, type, order, all, content, d, x.
const (
	properties = `animation appearance background border bottom clear clip color columns cursor direction display
		filter flex float font grid height left margin mask opacity outline overflow padding position right rotate scale
		top transform transition visibility width zoom`
	compounds = `align aspect box caption column justify letter line list max min object place scroll table text
		unicode user vertical white word writing z`
)

// hasWord reports whether word is one of words, a list with blanks.
func hasWord(words, word string) bool { return slices.Contains(strings.Fields(words), word) }
