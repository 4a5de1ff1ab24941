// The command absolink lists the links of HTML documents and mail as absolute URIs. It also
// rewrites the documents with absolute links, and keeps every other byte.
//
// # Packages
//
// Imports go one way: cmd/absolink imports mime, mime imports extract, extract imports base, and
// base imports resolve. A package may also import those further down. TestImportTable has a table
// with a row for each package: the packages that it may import. For a package without a row, the
// row of the parent folder holds.
//
//	cmd/absolink               main, and this map
//	  help                     the topics of "absolink help"
//	  python                   the Python package, a client of --pipe
//	  internal/cli             the commands: the help of each, and the call that does its work
//	  internal/command         the flags of the commands that read documents
//	  internal/flag            the types of flag values
//	  internal/manual          the man pages
//	  internal/build           the version of the program
//	  internal/reference       the command resolve, with its flags
//	  internal/source          finds the inputs that the arguments name
//	  internal/unit            the lines of a list of units
//	  internal/glob            selects and finds files by patterns
//	  internal/input           finds and opens inputs
//	  internal/kinds           tells the kinds of files
//	  internal/coding          decompresses gzip, zstd, brotli and bzip2
//	  internal/fetch           retrieves a URL
//	  internal/robots          robots.txt and the directives for crawlers
//	  internal/run             runs a command on its inputs
//	  internal/container       runs a command on the messages or records of one input
//	  internal/batch           the loop of run and container, on many goroutines, in order
//	  internal/fault           the texts of problems of documents and links
//	  internal/authority       the hosts of URIs
//	  internal/report          the entry that describes the outcome of an input, and the totals
//	  internal/account         reports the outcomes: --report, messages, exit status
//	  internal/console         messages on standard error, and the progress bar
//	  internal/links           finds links, and selects them by the flags
//	  internal/site            the files of a web site, rules of moves, links that stay absolute
//	  internal/list            prints links and bases
//	  internal/record          the keys and values of printed records
//	  internal/seen            the list of URIs that earlier runs have printed: --seen
//	  internal/columns         writes records in the format arrow
//	  internal/arrow           writes Arrow IPC streams; arrowtest reads them in tests
//	  internal/write           rewrites inputs
//	  internal/copies          writes the rewritten files below a directory
//	  internal/inplace         replaces inputs in place
//	  internal/journal         the list of files that a run has replaced in place
//	  internal/lock            locks mailboxes
//	  internal/cut             the command units: cuts containers into units of work
//	  internal/unpack          the command unpack: turns a message into files for a browser
//	  internal/reportpage      the command report: adds up reports and shows the sums
//	  internal/pipe            answers documents that another program sends: --pipe
//	  internal/serve           the command serve: answers requests; viewer is its page
//	  internal/serve/sheet     the content of the page
//	  internal/serve/static    the page without a server, in a browser
//	  internal/hypertext       writes pages of HTML
//	  internal/charset         decodes text for pages of HTML and unpacked files
//	  internal/files           creates, replaces and removes files safely
//	  internal/maildir         the names of messages in a Maildir
//	  internal/lines           reads lines of bounded length, and lists as UTF-8
//	  internal/hidden          characters that a terminal obeys or does not show
//	  internal/secret          hides the passwords of URLs
//	  internal/e2e             tests of the whole program
//	mime/rewrite               plans, writes and verifies the rewriting of a document or message
//	mime/document              the documents in a page, message or response, with their layers
//	mime/mbox                  reads and edits mailboxes
//	mime/warc                  reads web archives
//	mime/httpmsg               HTTP responses
//	mime                       a message as a tree of entities over its bytes
//	  internal/header          the lines of header fields
//	  internal/sealed          finds text that an edit would damage, such as patches
//	  internal/coding          transfer encodings
//	  internal/inflate         decompresses gzip members
//	extract                    the links of one document: Doc → Refs, Resolver → Links and Edits
//	  internal/page            finder: HTML and other formats of the web
//	  internal/xml             finder: XML
//	  internal/lines           finder: formats that are read line by line
//	  internal/reading         shared by the finders: the document and its text
//	  internal/ref             shared by the finders: the references that they found
//	  internal/place           tables of attributes, properties and fields that hold references
//	  internal/value           cuts a value into references
//	  internal/prose           finds URIs in running text
//	  internal/escape          writes a URI into a value
//	  internal/markup          scanner of HTML and XML
//	  internal/css             scanner of style sheets
//	  internal/json            scanner of JSON
//	  internal/byteset         finds the next byte of a set, for the scanners
//	  internal/template        pieces of templates, such as <?php … ?>
//	  internal/charset         decodes charsets
//	  internal/text            spans of text, and maps from decoded bytes to stored bytes
//	  internal/readingtest     helpers for the tests of the finders
//	extract/markdown           finder: Markdown; imported for its effect
//	extract/dom                the same for an HTML tree that the caller has parsed
//	base                       chooses the base from the layers of RFC 2396 Section 5.1
//	resolve                    makes a reference absolute
//	resolve/move               maps URIs of a site that has moved
//	resolve/grammar            checks references against the grammars of the RFCs
//	resolve/ascii              classes of characters
//
// The package comment of each package lists its files in reading order. These are the paths of data
// through the packages; R stands for the first of them:
//
//   - A reference (R): scanner → finder → place → value → ref. Then Resolver.Links calls base and
//     resolve.
//   - A listing: run → input → list → links → mime/document → R → the choice in links → list →
//     record.
//   - An edit: run → input → write → mime/rewrite → mime/document → R → escape → mime → the bytes
//     of the file.
//   - A container: list or write passes the input to container. Container cuts it with mime/mbox or
//     mime/warc, and calls the worker of list or write for each item.
//   - An outcome: the worker sets the outcome in a report.Entry, and account.Report reports it.
//     Every input and every item has an entry.
//
// # Additions
//
// To add an attribute, a property, a member or a header field, add a row to the tables of
// extract/internal/place (html.go, xml.go, property.go, member.go, field.go). Often a name in an
// existing row is enough.
//
//   - row.go explains the columns. Most attributes that only scripts read, such as data-*, are
//     Lazy.
//   - TestEveryPlace in package extract tests each row of html.go on documents from that row.
//   - Each attribute of html.go needs a value in testdata/torture/constructs.html. The value has a
//     name such as b-res-368: the letter of its base, its kind, and a new number.
//     torture_html_test.go explains the letters.
//   - TestListing writes the rows into the help.
//
// To add a syntax with several URLs in one value, add a type to extract/internal/place/row.go, its
// cutter to extract/internal/value, and its spelling to extract/internal/escape.
//
// To add a format of documents, follow the head of extract/format.go. To add a rule set, follow the
// head of resolve/rules.go.
//
// To add a container, add
//
//   - a package below mime that cuts the container. The package also edits it, unless the function
//     skipUnwritable (internal/write/write.go) names its kind. WACZ has no package, only wacz.go in
//     internal/input,
//   - its kind to internal/kinds (kind.go) and internal/input (kind.go; also stream.go if it can
//     come from a pipe),
//   - its items to internal/container (item.go). The type Range in internal/input describes a part
//     of a file,
//   - its units to internal/cut.
//
// To add a layer, add a Source to package base, and the code that finds it: in extract for layers
// inside a document, in mime/document for layers around it, in internal/links for flags.
//
// To add a flag, add a field to the options of the package that does the work (links.Options,
// list.Links, write.Options, run.Options). The method Check or Prepare of these options refuses
// invalid values.
//
//   - links.Options and write.Options register some of their flags themselves. All other flags of
//     commands that read documents are registered in internal/command: in the file of the command,
//     or in common.go if several commands have the flag. Flags of resolve are registered in
//     internal/reference, and flags of units, unpack, report and serve in internal/cli.
//   - A flag that chooses single links belongs to internal/links/choice.go. A flag that counts or
//     orders links belongs to internal/list: links.go walks the links, and page.go the pages of
//     --pages.
//   - The help text of the flag begins with the name of a group (internal/flag/group.go).
//   - In internal/e2e, add a script to testdata/script, a row to flags_test.go, and a row to
//     messages_test.go for each refusal. Add a line to a topic of help. If serve takes the flag,
//     add its name to internal/serve/parameters.go.
//
// To add a topic of help, add a file to help, and its name and aliases to help.go. This command
// writes the output of the examples into the topics:
//
//	go test ./cmd/absolink/internal/e2e -run 'TestReadme|TestHelp' -args -update-readme
//
// To add a warning, report it where it is found (resolve or extract), and add a row to
// internal/record/value.go.
//
// # Tests
//
//	go test ./...                                                      takes two to three minutes
//	go test ./cmd/absolink/internal/e2e -run TestScripts/choose        one script
//	.ci/run                                                            every check
//
// Long tests do only a part of their work, unless ABSOLINK_LONG=1 is set; .ci/run sets it. A change
// must pass .ci/run. ABSOLINK_CORPUS names a corpus for the tests, instead of testdata/corpus.
//
// Every parser has a fuzz target. Tables of cases cite the clauses of the specifications.
// Independent programs check the results: x/net/html, goquery, go-message and Chromium.
package main

import (
	"context"
	"io"
	"log"
	"os"

	"absolink/cmd/absolink/internal/cli"
)

func main() {
	log.SetOutput(io.Discard) // net/http logs the faults of servers; our messages report them
	os.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
