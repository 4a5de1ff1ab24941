package extract

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"absolink/base"
	"absolink/testdata/corpus"
)

// The tests of other extractors name the URIs in a document as a set; a crawler that does not
// follow data: URIs does not list them. A case with another set here is listed with the reason.

// suiteCase is a case of any of the suites, which use different names for the expected result.
type suiteCase struct {
	HTML                   string
	Retrieval, Base        string
	Expected               []string
	Expected_Sorted        []string
	Expected_A_Area_Unique []string
	Raw                    []string
	Expected_Count         int
	Expected_HTML          string
}

// otherCase is a case with another result here.
type otherCase struct {
	reason     string
	more, less []string // in the set; both nil if the result is not a set
}

const (
	dataListed  = "URIs of all schemes are listed"
	formsListed = "the targets of forms are listed, whatever their method"
	basesListed = "BASE is a reference too"
	relsListed  = "links of any relation are listed, and of none"
)

var otherCases = map[string]otherCase{
	"heritrix-extractorhtml 0": {dataListed,
		[]string{"data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"}, nil},
	"heritrix-extractorhtml " +
		"12": {"data-src-small and -medium are names of one library, and data-src is one URL: the comma may be part " +
		"of it", []string{
		"data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==",
		"http://www.104.fr/cache/media/visuels-generaux/bandeau-home/c8f5db0.jpg,%20http://www.104.fr/cache/media/" +
			"visuels-generaux/bandeau-home/c84eebf.jpg",
	}, []string{
		"http://www.104.fr/cache/media/visuels-generaux/bandeau-home/c18029b.jpg",
		"http://www.104.fr/cache/media/visuels-generaux/bandeau-home/c233-f551d3.jpg",
		"http://www.104.fr/cache/media/visuels-generaux/bandeau-home/c80-468ffd.jpg",
		"http://www.104.fr/cache/media/visuels-generaux/bandeau-home/c80-af15f9.jpg",
		"http://www.104.fr/cache/media/visuels-generaux/bandeau-home/c84eebf.jpg",
		"http://www.104.fr/cache/media/visuels-generaux/bandeau-home/c8f5db0.jpg",
	}},
	"heritrix-extractorhtml 15": {formsListed, []string{"http://www.example.com/notok"}, nil},
	"heritrix-extractorhtml 18": {basesListed, []string{"https://www.schmid-gartenpflanzen.de/forum/"}, nil},
	"heritrix-extractorhtml 19": {basesListed,
		[]string{"https://www.schmid-gartenpflanzen.de/first/", "https://www.schmid-gartenpflanzen.de/forum/"}, nil},
	"heritrix-extractorhtml 20": {basesListed, []string{"https://www.schmid-gartenpflanzen.de/forum/"}, nil},
	"heritrix-extractorhtml 23": {relsListed, []string{
		"http://dns-prefetch.example.com/", "https://www.example.org/empty-rel", "https://www.example.org/just-spaces",
		"https://www.example.org/pingback", "https://www.example.org/without-rel",
	}, nil},
	"heritrix-extractorhtml 24": {dataListed,
		[]string{"data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="}, nil},
	"nutch-domcontent 0": {"the URL Standard writes the path",
		[]string{"http://www.nutch.org/"}, []string{"http://www.nutch.org"}},
	"nutch-domcontent 5": {"usemap is a reference too", []string{"http://www.nutch.org/maps/#green"}, nil},
	"nutch-domcontent 7": {relsListed, []string{"http://www.nutch.org/"}, nil},
	"nutch-domcontent 8": {relsListed, []string{"http://www.nutch.org/"}, nil},
	"nutch-domcontent 9": {formsListed,
		[]string{"http://www.nutch.org/dummy.jsp", "http://www.nutch.org/search.jsp"}, nil},
	"nutch-domcontent 10": {formsListed,
		[]string{"http://www.nutch.org/dummy.jsp", "http://www.nutch.org/search.jsp"}, nil},
	"nutch-domcontent 13": {"media are listed", []string{"http://www.nutch.org/movie.mp4"}, nil},
	"perl-linkextor 3": {"the first BASE counts for the whole document, the suite takes the last one before a link",
		nil, nil},
}

func TestSuites(t *testing.T) {
	for _, suite := range []struct {
		name  string
		least int
		own   bool // the project has a copy, since its licence allows it
	}{{"heritrix-extractorhtml", 25, false}, {"nutch-domcontent", 14,
		false}, {"perl-linkextor", 5, false}, {"scrapy-linkextractor", 1, true}} {
		if corpus.Own() && !suite.own {
			continue
		}
		data, err := os.ReadFile(corpus.Path("html/" + suite.name + ".json"))
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Cases []suiteCase }
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatalf("%s: %v", suite.name, err)
		}
		if len(file.Cases) < suite.least {
			t.Fatalf("%s: %d cases, want at least %d", suite.name, len(file.Cases), suite.least)
		}
		for i, c := range file.Cases {
			name := fmt.Sprintf("%s %d", suite.name, i)
			other := otherCases[name]
			noSet := other.reason != "" && other.more == nil
			if failure := c.check(&other); (failure != "") != noSet {
				t.Errorf("%s: %q: %s; listed as different: %q", name, c.HTML, failure, other.reason)
			}
		}
	}
}

func (c *suiteCase) doc() *Doc {
	return &Doc{
		Format: HTML, Data: []byte(c.HTML), Charset: "utf-8", Options: Options{Lazy: true, Comments: true},
		Layer: &base.Layer{Source: base.URL, Value: c.Retrieval + c.Base}, // a case has one of them
	}
}

// check describes what is wrong with the links of the case, except what o explains, or returns "".
func (c *suiteCase) check(o *otherCase) string {
	var values, uris, links []string
	var r Resolver
	for l := range r.Links(c.doc()) {
		values, uris = append(values, string(l.Value)), append(uris, string(l.URI))
		if l.Element == "a" || l.Element == "area" {
			links = append(links, string(l.URI))
		}
	}
	switch {
	case c.Expected_HTML != "":
		return differ(string(rewritten(c.doc())), c.Expected_HTML)
	case c.Raw != nil:
		return differ(values, c.Raw)
	case c.Expected_Count > 0:
		return differ(len(uris), c.Expected_Count)
	case c.Expected_A_Area_Unique != nil:
		return differ(set(links), set(c.Expected_A_Area_Unique))
	}
	want := set(slices.Concat(c.Expected, c.Expected_Sorted, o.more))
	return differ(set(uris), slices.DeleteFunc(want, func(uri string) bool { return slices.Contains(o.less, uri) }))
}

// differ compares the printed forms of got and want, and describes a difference.
func differ(got, want any) string {
	if g, w := fmt.Sprintf("%q", got), fmt.Sprintf("%q", want); g != w {
		return fmt.Sprintf("%s, want %s", g, w)
	}
	return ""
}

func set(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }
