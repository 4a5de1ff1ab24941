package flag

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// unknownHint says what to type instead of a flag that c does not have. If nothing is known, it
// returns other.
func unknownHint(c *cobra.Command, name, other string) string {
	if c.HasSubCommands() {
		return rootHint(c, name)
	}
	for _, i := range instead {
		if slices.Contains(strings.Fields(i.names), name) && (i.needs == "" || hasOneOf(c, i.needs)) &&
			!hasOneOf(c, i.lacks) && possible(c, i.hint) {
			return i.hint
		}
	}
	if slices.Contains(strings.Fields(rewriting), name) {
		return "absolink rewrite has this flag"
	}
	if near := nearestFlag(c, name); near != "" {
		return "did you mean --" + near + "?"
	}
	if len(name) > 2 {
		if longer := flagsWith(c, name); len(longer) > 0 && len(longer) <= 3 {
			return "did you mean " + Or(longer) + "?"
		}
	}
	return other
}

// rootHint says what to type instead of a flag of the program itself. A flag that no command has is
// explained as a flag of extract.
func rootHint(root *cobra.Command, name string) string {
	const first = "a command comes first: type absolink extract, rewrite or base before the flags"
	if name == "V" {
		return "use --version"
	}
	var extract *cobra.Command
	for _, c := range root.Commands() {
		if c.Flags().Lookup(name) != nil || len(name) == 1 && c.Flags().ShorthandLookup(name) != nil {
			return first
		}
		if c.Name() == "extract" {
			extract = c
		}
	}
	if extract == nil {
		return first
	}
	hint := unknownHint(extract, name, "")
	if hint == "" {
		return first
	}
	return "a command comes first, such as absolink extract; " + hint
}

// rewriting has the names of all flags that the command rewrite has and extract does not have.
const rewriting = "any-depth backup base-element break-signatures diff dkim dry-run n find-old in-place i " +
	"journal keep map map-file map-regex no-text normalize output o overwrite redirects redirects-format resume " +
	"skip-footers to undo unwayback verify visible-text"

// hasOneOf reports whether c has one of the flags in names, and help shows it.
func hasOneOf(c *cobra.Command, names string) bool {
	return slices.ContainsFunc(strings.Fields(names), func(name string) bool {
		f := c.Flags().Lookup(name)
		return f != nil && !f.Hidden
	})
}

// possible reports whether c accepts a hint: it has all flags that the hint names, and its --format
// has the values that the hint names.
func possible(c *cobra.Command, hint string) bool {
	words := strings.FieldsFunc(hint, func(r rune) bool { return r == ' ' || r == ',' || r == ':' })
	for i, word := range words {
		name, long := strings.CutPrefix(word, "--")
		if !long {
			continue
		}
		if !hasOneOf(c, name) {
			return false
		}
		if name != "format" || i+1 == len(words) || words[i+1] == "such" {
			continue
		}
		if !slices.Contains(Values(c.Flags().Lookup(name)), words[i+1]) {
			return false
		}
	}
	return true
}

// instead has the flags of other programs, in names, and a hint. The first row that holds for a
// command counts. A row holds for commands that have one of the flags needs, if needs is not empty,
// and none of the flags lacks. The hint must be possible for them.
var instead = []struct{ names, needs, lacks, hint string }{
	{"json jsonl ndjson", "format", "", "use --format jsonl"},
	{"json", "format", "", "use --format json"},
	{"csv", "format", "", "use --format csv"},
	{"tsv", "format", "", "use --format tsv"},
	{"arrow parquet", "format", "", "use --format arrow"},
	{"f", "format", "", "use --format, such as --format jsonl or --format csv"},
	{"f", "format", "", "use --format, such as --format json"},
	{"html", "single", "", "use --single -o PAGE.html"},
	{"html htm", "format", "type", "use --format html"},
	{"port p P", "listen", "", "use --listen 127.0.0.1:PORT"},
	{"t html htm xhtml xml markdown md css text txt mail eml mbox mhtml warc", "type", "",
		"use --type for the kind of the inputs, such as --type html"},
	{"o output ouput outptu ouptut out outfile output-document O", "format size", "output",
		"results go to standard output: use > FILE"},
	{"output-dir outdir dest O", "overwrite single", "", "use -o DIR"},
	{"O", "records", "", "use --output FILE"},
	{"r R recursive", "root", "", "a directory is read with all below it: leave this flag out"},
	{"depth level l crawl mirror", "root", "",
		"absolink follows no links, and reads a directory with all below it: leave this flag out"},
	{"w write inplace edit I", "in-place", "", "use --in-place"},
	{".", "in-place", "", "use --in-place --backup SUFFIX, such as --backup .orig"},
	{"force F", "overwrite", "", "use --overwrite if -o names a directory that exists"},
	{"force F", "single", "", "-o must be new: give another name"},
	{"force F", "records", "", "the file of --output is replaced: leave this flag out"},
	{"force F", "format size", "output", "there is nothing to force: leave this flag out"},
	{"preview simulate check", "dry-run", "", "use --dry-run"},
	{"from old new replace s substitute", "map", "", "use --map OLD=NEW"},
	{"relative", "to", "", "use --to relative"},
	{"absolute absolutize convert-links k", "to", "", "links become absolute without --to: leave this flag out"},
	{"absolute absolutize", "unique compare", "", "links are printed as absolute URLs: leave this flag out"},
	{"absolutize", "size", "", "use --absolute for absolute paths"},
	{"links list listonly dump print only-matching", "unique", "",
		"each link is printed on a line: leave this flag out"},
	{"count c", "unique", "", "use | wc -l"},
	{"sort", "unique", "", "use | sort"},
	{"uniq u distinct dedupe", "unique", "", "use --unique"},
	{"images image img", "element", "", "use --element img"},
	{"filter grep pattern regex regexp e", "match", "", "use --match RE"},
	{"invert-match", "no-match", "", "use --no-match RE"},
	{"domain", "host", "", "use --host .example.org"},
	{"internal local", "same-host", "", "use --same-host"},
	{"external", "same-host", "", "use --host '!HOST', such as --host '!www.example.org'"},
	{"offline root-dir", "check-files", "", "use --check-files --root DIR=URI, which names links to missing files"},
	{"url page-url", "base", "", "use --base URI for the address of a page, --urls FILE for a list of URLs"},
	{"url page-url", "base", "", "use --base URI for the address of a page"},
	{"base-url baseurl base-uri b B", "base", "", "use --base URI"},
	{"input-file urls-file url-file", "files-from", "",
		"use --urls FILE for a list of URLs, --files-from FILE for names"},
	{"input-file urls-file url-file", "files-from", "", "use --files-from FILE for a list of names"},
	{"input in file files path dir directory", "files-from", "", "inputs need no flag: type their names"},
	{"stdin", "urls", "", "use - as the input, or give no input"},
	{"glob g ext extension extensions accept", "include", "", "use --include GLOB, such as --include '*.html'"},
	{"exclude-dir exclude-path ignore reject", "exclude", "", "use --exclude GLOB"},
	{"location L follow-redirects", "max-redirects", "", "redirects are followed: leave this flag out"},
	{"A U agent", "user-agent", "", "use --user-agent TEXT"},
	{"cookie", "header", "", "use --header 'NAME: VALUE'"},
	{"insecure no-check-certificate", "timeout", "", "certificates are always checked: leave this flag out"},
	{"threads workers parallel P", "jobs", "", "use --jobs N"},
	{"silent", "quiet", "", "use --quiet"},
	{"debug", "verbose", "", "use --verbose"},
	{"color colour colors no-color", "format", "", "lists have no colours: leave this flag out"},
	{"V", "version", "", "use --version"},
}

// flagsWith returns the flags of c whose names begin with prefix.
func flagsWith(c *cobra.Command, prefix string) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && strings.HasPrefix(f.Name, prefix) {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// nearestFlag returns the flag of c that is most like name, or "" if no flag is near.
func nearestFlag(c *cobra.Command, name string) string {
	return Nearest(name, func(yield func(string) bool) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				yield(f.Name)
			}
		})
	})
}
