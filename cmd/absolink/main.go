// The command absolink lists the references of HTML documents and of messages, absolute, or
// rewrites the documents with absolute links so that every other byte stays as it was.
//
// # The rooms
//
// Imports go one way: cmd/absolink imports mime, mime imports extract, extract imports base, base
// imports resolve, and each may import all that follow it. TestImportTable checks that; a package
// without a row has the row of the folder above.
//
//	cmd/absolink           main, and this map
//	  internal/cli         one file per command: its help, and the call that does its work
//	  help                 the topics of "absolink help"
//	  internal/manual      man pages of them
//	  internal/command     the flags of the commands that read documents
//	  internal/flag        kinds of values of flags
//	  internal/reference   the command resolve, with its flags
//	  internal/source      the inputs that arguments name
//	  internal/unit        the lines of a list of units
//	  internal/input       opens an input and tells its kind
//	  internal/fetch       retrieves an input
//	  internal/coding      undoes gzip, zstd, brotli and bzip2
//	  internal/run         takes inputs to the workers of a command
//	  internal/container   takes the items of mailboxes and web archives to them
//	  internal/batch       the loop of both: goroutines, the order of their results, memory
//	  internal/account     tells the outcome of every input: --report, messages, exit status
//	  internal/console     messages on standard error, and the progress bar
//	  internal/links       finds and chooses links by the flags
//	  internal/site        the files of URIs, the rules of moves, links that stay absolute
//	  internal/list        prints links and bases
//	  internal/record      the keys and values of records; internal/columns the format arrow
//	  internal/write       rewrites inputs
//	  internal/copies      outputs below a directory; internal/inplace where the inputs stand
//	  internal/cut         containers as units of work
//	  internal/unpack      a message as files that open from a disk
//	  internal/report      the entry of an input, and the sum of entries
//	  internal/reportpage  adds reports up and shows them
//	  internal/serve       answers requests with the output of the commands
//	  internal/hypertext   writes pages of HTML
//	  internal/files       makes, replaces and removes files
//	  internal/journal     the files that a run in place changed; internal/lock locks mailboxes
//	  internal/maildir     the names of messages in a Maildir
//	  internal/hidden      characters that a terminal acts on or does not show
//	  internal/secret      hides the passwords of URLs
//	mime/rewrite           plans, writes and verifies the rewriting of a document or message
//	mime/document          the documents of a page, message or response, with their layers
//	mime/mbox              a container of messages
//	mime/warc httpmsg      containers of responses, and responses
//	mime                   a message as a tree of entities over its bytes
//	extract                the references of one document: Doc → Refs, Resolver → Links and Edits
//	  internal/page xml lines   finders: the tags, elements and lines of a format
//	  internal/reading ref      shared by finders: the document, its text, the references found
//	  internal/place            tables: the attributes, properties and fields that hold references
//	  internal/value            cuts the value of a place into references
//	  internal/prose            finds URIs in running text
//	  internal/escape           writes a URI into its place
//	  internal/markup css json  scanners
//	  internal/template         pieces of templates, such as <?php … ?>
//	  internal/charset text     charsets; spans of text, and maps from decoded to stored bytes
//	base                   picks the base out of the layers of RFC 2396 Section 5.1
//	resolve                makes a reference absolute; resolve/move finds its place after a move
//
// The package comments list their files in reading order. The main paths of data:
//
//   - A reference: scanner → finder → place → value → ref; then Resolver.Links has base → resolve.
//   - A listing: run → input → list → links → mime/document → references as above → choice (links)
//     → list → record.
//   - An edit: run → input → write → mime/rewrite → mime/document → references as above → escape →
//     mime → bytes of the file.
//   - A container: list or write gives it to container, which cuts it with mime/mbox or mime/warc
//     and calls their worker for each item.
//   - An outcome: the worker sets it in a report.Entry → account.Tell, for every input and item.
//
// # Where something new goes
//
//   - An attribute, property, member or header field: a row in extract/internal/place (html.go,
//     xml.go, property.go, member.go, field.go), often only a name in an existing row; row.go
//     explains the columns. Most attributes that only scripts read, such as data-*, are Lazy.
//     TestEveryPlace writes each row of html.go, and each attribute there has a value in
//     testdata/torture/constructs.html. The name of a value says base (torture_html_test.go has the
//     letters), kind, and any number that the file does not have yet, as b-res-368. TestListing
//     writes the rows into the help.
//   - A way to write several URLs in one value: a type in extract/internal/place/row.go and its
//     cutter in extract/internal/value; its way back into the value in extract/internal/escape.
//   - A format of documents: the head of extract/format.go lists its needs. A rule set: the head of
//     resolve/rules.go does.
//   - A container: a package below mime that cuts it, and puts edits back unless unwritten in
//     internal/write/write.go names it as only read. Its kind in internal/input (kind.go; stream.go
//     for pipes; WACZ has no package but wacz.go), its items in internal/container (item.go;
//     Range in internal/input for a part of it), its units in internal/cut.
//   - A layer: a Source in package base, and its origin: extract for layers inside a document,
//     mime/document for layers around it, internal/links for flags.
//   - A flag: it sets a field of the options of the package that does the work (links.Options,
//     list.Links, write.Options, run.Options), whose Check or Prepare refuses senseless values.
//     Parts of links.Options and write.Options register their flags; any other flag is registered
//     in the file of its command in internal/command, in common.go there if several commands take
//     it (resolve: internal/reference; units, unpack, report, serve: internal/cli). Choosing by one
//     link belongs to internal/links/choice.go, unless --status or --kind say it; counting and
//     ordering links to internal/list, which walks them in links.go and, for --pages, in page.go.
//     The usage begins with the word of the group (internal/flag/group.go). Add a script in
//     internal/e2e/testdata/script, in internal/e2e a row in flags_test.go, a row in
//     messages_test.go for each refusal, its line in a topic of help; its name in
//     internal/serve/parameters.go if the service takes it.
//   - A topic of help, or an example in one: a file in help; "go test ./cmd/absolink/internal/e2e
//     -run 'TestReadme|TestHelp' -args -update-readme" writes the output of its examples.
//   - A warning: where it is found (resolve or extract), and a row in internal/record/value.go.
//
// # How it is proved
//
// `go test ./...` takes a minute: tests that run long do a part of their work, unless
// ABSOLINK_LONG=1 asks for all of it. `go test ./cmd/absolink/internal/e2e -run TestScripts/choose`
// runs one script. `.ci/run` is every check that a change has to pass, with ABSOLINK_LONG=1. Every
// parser has a fuzz target, tables of cases cite their clause, and independent witnesses answer:
// x/net/html, goquery, go-message, Chromium. ABSOLINK_CORPUS names a larger corpus than
// testdata/corpus.
package main

import (
	"context"
	"io"
	"log"
	"os"

	"absolink/cmd/absolink/internal/cli"
)

func main() {
	log.SetOutput(io.Discard) // net/http logs the faults of servers, which our messages tell
	os.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
