package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"absolink/cmd/absolink/internal/record"
	"absolink/mime/rewrite"
)

// Edits counts the edits of an input or item, and the links that stay as written.
type Edits struct {
	Links  int // number of edited links
	Old    int // number of old addresses that --find-old finds in the output
	DKIM   int // number of messages whose DKIM signature breaks, or would break without --dkim skip; 0 or 1 in an entry
	Signed int // number of parts that stay unchanged because they are signed or encrypted
	Broken int // number of signed parts that are edited, which breaks their signatures
	// Stays[reason][rule] is the number of links that stay as written for this reason, although
	// this rule of the move (such as a --map) applies to them: see [rewrite.Plan]. The plan shares
	// the maps with an entry: do not modify them.
	Stays map[string]map[string]int
}

// SetPlan sets all counts except Old to the counts of the plan p.
func (e *Edits) SetPlan(p *rewrite.Plan) {
	e.Links = p.References
	e.DKIM = 0
	if p.DKIM {
		e.DKIM = 1
	}
	e.Signed = p.Protected
	e.Broken = p.Broken
	e.Stays = p.Stays
}

// Add adds the counts of o to e.
func (e *Edits) Add(o *Edits) {
	e.Links += o.Links
	e.Old += o.Old
	e.DKIM += o.DKIM
	e.Signed += o.Signed
	e.Broken += o.Broken
	for reason, rules := range o.Stays {
		for rule, n := range rules {
			e.addStays(reason, rule, n)
		}
	}
}

// addStays adds n to the count of Stays for a reason and a rule.
func (e *Edits) addStays(reason, rule string, n int) {
	if e.Stays == nil {
		e.Stays = make(map[string]map[string]int)
	}
	if e.Stays[reason] == nil {
		e.Stays[reason] = make(map[string]int)
	}
	e.Stays[reason][rule] += n
}

// staysByReason returns the number of links in Stays for each reason. If rule is not empty, it
// counts only the links of this rule.
func (e *Edits) staysByReason(rule string) map[string]int {
	sums := make(map[string]int)
	for reason, rules := range e.Stays {
		for r, n := range rules {
			if rule == "" || r == rule {
				sums[reason] += n
			}
		}
	}
	return sums
}

// staysTexts has texts for the reasons in Stays. DescribeStays lists the reasons in this order.
var staysTexts = []struct{ reason, text string }{
	{"signed", "in signed text"},
	{"encrypted", "in encrypted text"},
	{"patch", "in patches"},
	{"encoded", "in encoded blocks"},
	{"header", "in header fields"},
	{"calendar", "in calendars"},
	{"vcard", "in vCards"},
	{"linkset", "in linksets"},
	{"footer", "in footers"},
	{"folded", "folded over two lines"},
	{"unclear-end", "with an unclear end"},
	{"long-line", "on lines that would be too long"},
	{"charset", "in charsets that absolink cannot write"},
	{"unmoved", "for which the rule gives no URI"},
	{"unedited", "in parts that are not edited"},
	{"unsafe", "where an edit is not safe"},
}

// staysRank returns the index of a reason in staysTexts, or the length of staysTexts if the reason
// has no text there.
func staysRank(reason string) int {
	for i, known := range staysTexts {
		if known.reason == reason {
			return i
		}
	}
	return len(staysTexts)
}

// staysText returns the text for a reason. If staysTexts has no text for the reason, staysText
// returns a text that quotes it.
func staysText(reason string) string {
	i := staysRank(reason)
	if i == len(staysTexts) {
		return fmt.Sprintf("for the reason %q", reason)
	}
	return staysTexts[i].text
}

// DescribeStays returns the number of links in Stays, and a text about them such as "3 in signed
// text, 1 in patches". If all links have the same reason, the text has no number. If rule is not
// empty, DescribeStays counts only the links of this rule. Without links the text is empty.
func (e *Edits) DescribeStays(rule string) (n int, text string) {
	sums := e.staysByReason(rule)
	reasons := slices.SortedFunc(maps.Keys(sums), func(a, b string) int {
		return cmp.Or(cmp.Compare(staysRank(a), staysRank(b)), strings.Compare(a, b))
	})
	var list []string
	for _, reason := range reasons {
		n += sums[reason]
		text := staysText(reason)
		if len(reasons) > 1 {
			text = strconv.Itoa(sums[reason]) + " " + text
		}
		list = append(list, text)
	}
	return n, strings.Join(list, ", ")
}

// appendMembers appends the members of e to an object of JSON.
func (e *Edits) appendMembers(o record.Object) record.Object {
	o = o.Int("edits", int64(e.Links)).Int("signed", int64(e.Signed))
	if e.Broken > 0 {
		o = o.Int("broken", int64(e.Broken))
	}
	if e.DKIM > 0 {
		o = o.Raw("dkim", []byte("true"))
	}
	if len(e.Stays) > 0 {
		sums := e.staysByReason("")
		stays := record.Object{'{'}
		for _, reason := range slices.Sorted(maps.Keys(sums)) {
			stays = stays.Int(reason, int64(sums[reason]))
		}
		o = o.Raw("stays", append(stays, '}'))
	}
	return o
}
