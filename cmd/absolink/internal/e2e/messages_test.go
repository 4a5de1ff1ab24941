package e2e

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/cli"
)

// messages lists command lines that cannot be carried out, each with the message of the program:
// the fault, its place, and the text to type instead. They run in a directory with page.html,
// two.html, list.mbox, mail.eml, journal, site/page.html, rules, j and report.
var messages = []struct{ typed, said string }{
	{"exract page.html", `there is no command "exract"; did you mean extract?`},
	{"gone.html", `there is no command "gone.html"; there is no such file either`},
	{"www.example.com/a.html", `there is no command "www.example.com/a.html"; there is no such file either; for a URL type absolink extract http://www.example.com/a.html`},
	{"extract --base www.example.com page.html", `--base "www.example.com" has no scheme; did you mean http://www.example.com/?`},
	{"extract --root site=localhost:8000/a site", `--root "localhost:8000/a" has no scheme; did you mean http://localhost:8000/a?`},
	{"resolve --base example.co.uk b", `--base "example.co.uk" has no scheme; did you mean http://example.co.uk/?`},
	{"layers", `there is no command "layers"; did you mean absolink help base?`},
	{"check site", `there is no command "check"; type absolink extract --check-files --root DIR=URI DIR, which names links to missing files`},
	{"check --help", `there is no command "check"; type absolink extract --check-files --root DIR=URI DIR, which names links to missing files`},
	{"links page.html", `there is no command "links"; type absolink extract FILE; absolink help links is the topic`},
	{"convert page.html", `there is no command "convert"; type absolink rewrite FILE, or absolink unpack for an MHTML page`},
	{"mail --help", `there is no command "mail"; did you mean absolink help mail?`},
	{"frobnicate --help", `there is no command "frobnicate"; see absolink --help`},
	{"--base http://a.test/ page.html",
		`unknown flag: --base; a command comes first: type absolink extract, rewrite or base before the flags`},
	{"-V", `unknown shorthand flag: 'V' in -V; use --version`},
	{"frobnicate", `there is no command "frobnicate"; see absolink --help`},
	{"--help=x", `there is no help on "x"; there is help on start, base, mail, sites, rescue, safety, crawls, pipe, links, units, ` +
		`places, rules, errors, completion, extract, help, man, report, resolve, rewrite, serve, spark, unpack or version`},
	{"extract --help=layer", `there is no help on "layer"; did you mean absolink help layers?`},
	{"rewrite --help=sites", `--help takes no value: type absolink help sites`},
	{"--help=extract", `--help takes no value: type absolink help extract`},
	{"help layer", `there is no help on "layer"; did you mean absolink help layers?`},
	{"help mail --clauses",
		`--clauses prints clauses of the rule sets only: type absolink help rules --clauses`},
	{"help extract --schema", `--schema prints the schema of records only: type absolink help links --schema`},
	{"completion", `a shell is missing: use bash, zsh, fish or powershell`},
	{"completion bsh",
		`there is no completion for the shell "bsh": did you mean bash? Use bash, zsh, fish or powershell`},
	{"version now", `absolink version takes no arguments`},
	{"man", `absolink man takes one argument, the directory that gets the pages`},
	{"extract --pipe page.html", `--pipe reads documents from standard input, each in a frame: leave page.html out`},
	{"extract --pipe --format csv",
		`--pipe cannot be used with --format csv, in which a value with a line end could look like the end of an answer: use --format jsonl, tsv or arrow`},
	{"extract --pipe --format text", `--pipe cannot be used with --format text: use --format jsonl, tsv or arrow`},
	{"base --pipe --format arrow", `--format "arrow": use text, jsonl, csv or tsv`},
	{"base --pipe --summary",
		`--pipe cannot be used with --summary: leave --summary out; it is not for documents in memory`},
	{"extract --pipe --base http://e.test/",
		`--pipe cannot be used with --base: leave --base out; give the URI of each document as "url" in its frame`},
	{"extract --pipe --files-from rules",
		`--pipe cannot be used with --files-from: leave --files-from out; send each document in a frame`},
	{"rewrite --pipe --report r",
		`--pipe cannot be used with --report: leave --report out; the end record of each answer has the outcome`},
	{"rewrite --pipe -o new",
		`--pipe cannot be used with --output: leave --output out; each answer holds its document`},
	{"rewrite --pipe --dry-run",
		`--pipe cannot be used with --dry-run: leave --dry-run out; "absolink extract --pipe" lists the links`},
	{"extract --formt jsonl page.html", `unknown flag: --formt; did you mean --format?`},
	{"extract --json page.html", `unknown flag: --json; use --format jsonl`},
	{"extract --csv page.html", `unknown flag: --csv; use --format csv`},
	{"extract -f json page.html",
		`unknown shorthand flag: 'f' in -f; use --format, such as --format jsonl or --format csv`},
	{"extract -o f page.html", `unknown shorthand flag: 'o' in -o; results go to standard output: use > FILE`},
	{"extract --ouput f page.html", `unknown flag: --ouput; results go to standard output: use > FILE`},
	{"rewrite --ouput f page.html", `unknown flag: --ouput; did you mean --output?`},
	{"rewrite --dry page.html", `unknown flag: --dry; did you mean --dry-run?`},
	{"extract -r site", `unknown shorthand flag: 'r' in -r; a directory is read with all below it: leave this flag out`},
	{"extract --map a page.html", `unknown flag: --map; absolink rewrite has this flag`},
	{"rewrite --map http://a.test/ http://b.test/ site", `--map takes OLD=NEW: type --map http://a.test/=http://b.test/`},
	{"rewrite --map old.example new.example page.html",
		`--map takes OLD=NEW: type --map //old.example/=//new.example/`},
	{"rewrite --map http://old.example/ gone.html",
		`--map "http://old.example/": OLD=NEW is needed, such as http://old.example/=http://new.example/`},
	{"rewrite --map http://old.example/ README.md mail.mbox site.zip -o new",
		`--map "http://old.example/": OLD=NEW is needed, such as http://old.example/=http://new.example/`},
	{"rewrite --map http://old.example/=index.html page.html",
		`--map "http://old.example/=index.html": OLD=NEW is needed, such as http://old.example/=http://new.example/`},
	{"rewrite --map old.example=new.example page.html",
		`--map "old.example=new.example": an address without a scheme; type //old.example/=//new.example/`},
	{"rewrite --map /news/=https://new.example/ page.html",
		`--map "/news/=https://new.example/": OLD is a path; type it with its host, such as //old.example/news/`},
	{"--html page.html", `unknown flag: --html; a command comes first, such as absolink extract; ` +
		`use --type for the kind of the inputs, such as --type html`},
	{"--frob", `unknown flag: --frob; a command comes first: type absolink extract, rewrite or base before the flags`},
	{"extract --html page.html",
		`unknown flag: --html; use --type for the kind of the inputs, such as --type html`},
	{"rewrite --html page.html",
		`unknown flag: --html; use --type for the kind of the inputs, such as --type html`},
	{"extract --input page.html", `unknown flag: --input; inputs need no flag: type their names`},
	{"extract --base-url http://a.test/ page.html", `unknown flag: --base-url; use --base URI`},
	{"extract --depth 2 site",
		`unknown flag: --depth; absolink follows no links, and reads a directory with all below it: leave this flag out`},
	{"rewrite -i.orig page.html",
		`unknown shorthand flag: '.' in -.orig; use --in-place --backup SUFFIX, such as --backup .orig`},
	{"rewrite --in-place=.orig page.html", `--in-place takes no value: leave "=.orig" out`},
	{"serve --port 8080", `unknown flag: --port; use --listen 127.0.0.1:PORT`},
	{"unpack --html page.mht", `unknown flag: --html; use --single -o PAGE.html`},
	{"extract -t html page.html",
		`unknown shorthand flag: 't' in -t; use --type for the kind of the inputs, such as --type html`},
	{"rewrite --replace a b page.html", `unknown flag: --replace; use --map OLD=NEW`},
	{"rewrite --force -o new site", `unknown flag: --force; use --overwrite if -o names a directory that exists`},
	{"extract --absolute page.html",
		`unknown flag: --absolute; links are printed as absolute URLs: leave this flag out`},
	{"extract --count page.html", `unknown flag: --count; use | wc -l`},
	{"extract --external site",
		`unknown flag: --external; use --host '!HOST', such as --host '!www.example.org'`},
	{"extract --base //www.example.com/ page.html",
		`--base "//www.example.com/" has no scheme; did you mean http://www.example.com/?`},
	{"extract --root http://a.test/=site site", `--root "http://a.test/=site" is swapped: type --root site=http://a.test/`},
	{"extract --kind link page.html", `--kind "link": use nav (leads to another document), res (is loaded as a part of the ` +
		`document), form (receives the data of a form), meta (says something about the document), ping (gets a request ` +
		`when the link is followed), hint (names a host to connect to), service (is an endpoint for programs), identifier ` +
		`(names something by a URI that is not meant to be opened), frame (is shown in a frame), plugin (is loaded by a ` +
		`plug-in) or script (is a script, or is in one)`},
	{"extract --nothing-like-it page.html", `unknown flag: --nothing-like-it; see absolink extract --help`},
	{"extract --base",
		`--base URI: a value is missing: address of the page, such as https://example.org/a.html (one input; directories: --root)`},
	{"extract --base= page.html", `--base is empty: give a value or leave it out`},
	{"extract --rules rfc2369 page.html",
		`--rules "rfc2369": did you mean rfc2396? Use whatwg, rfc3986, rfc2396, draft-02 or draft-00e`},
	{"extract --rules new page.html", `--rules "new": use whatwg, rfc3986, rfc2396, draft-02 or draft-00e`},
	{"extract --kind nva page.html",
		`--kind "nva": did you mean nav? Use nav, res, form, meta, ping, hint, service, identifier, frame, plugin or script`},
	{"extract --scheme http:// page.html", `--scheme "http://" is more than a scheme; type http`},
	{"extract --host http://a.test/ page.html", `--host "http://a.test/" is a URL; type its host, a.test`},
	{"extract --host a.test:80 page.html",
		`--host "a.test:80" is not a host; type www.example.org, without a port, or .example.org for example.org and all hosts below it`},
	{"extract --host *.a.test page.html",
		`--host "*.a.test": * is not a wildcard here; type .a.test for that host and all hosts below it`},
	{"extract --element a,,b page.html", `--element "a,,b": a value is missing`},
	{"extract --robot-name googlebot page.html", `--robot-name needs --rel or --pages: add one`},
	{"rewrite --robot-name googlebot page.html", `--robot-name needs --rel: add it`},
	{"extract --rel next --robot-name Googlebot/2.1 page.html",
		`--robot-name "Googlebot/2.1": give only the name, such as googlebot`},
	{"extract --select [ page.html",
		`--select "[" is not a CSS selector such as 'nav a' or 'a[rel=next]': expected identifier, found EOF instead`},
	{"extract --match ( page.html", "--match \"(\": error parsing regexp: missing closing ): `(`"},
	{"extract --format cvs page.html", `--format "cvs": did you mean csv? Use text, jsonl, csv, tsv or arrow`},
	{"extract -z page.html", `unknown shorthand flag: 'z' in -z; see absolink extract --help`},
	{"extract --jobs two page.html", `--jobs "two": a number is needed`},
	{"extract --jobs 0 page.html", `--jobs 0: at least 1 is needed`},
	{"extract --max-size 1T page.html", `--max-size "1T" is not a size such as 1000, 512K, 64M or 1G`},
	{"extract --max-depth 0 page.html", `--max-depth 0: at least 1 is needed`},
	{"extract --timeout soon page.html", `--timeout "soon" is not a time such as 30 (seconds), 30s or 2m`},
	{"extract --timeout 0 page.html", `--timeout 0s: more is needed, such as 30 (seconds) or 2m`},
	{"extract --max-redirects -1 page.html", `--max-redirects -1: 0 or more are needed`},
	{"extract --type script page.html", `--type script: string literals are read with --scripts only; add it`},
	{"extract -q -v page.html", `-q and -v exclude each other: give one of them`},
	{"extract --header Host page.html", `--header "Host": 'NAME: VALUE' is needed, such as 'Accept-Language: de'`},
	{"extract --user-agent a\nb page.html",
		`--user-agent "a\nb": it holds a line end, which cannot be sent: leave it out`},
	{"extract --proxy http://a.test/",
		`--proxy: neither HTTP_PROXY nor HTTPS_PROXY is set in the environment: set one, or leave --proxy out`},
	{"extract --base a page.html",
		`--base "a": not an absolute URI such as http://example.com/dir/page.html (a base URI must be absolute)`},
	{"extract --base http://a.test/" + strings.Repeat("a", 9000) + "/ page.html",
		`--base "http://a.test/` + strings.Repeat("a", 186) +
			`": base-too-long: each relative link would repeat 9015 bytes of the base, and the limit is 8192`},
	{"extract --base http://a.test/ page.html two.html",
		`--base is the retrieval URI of one input, but 2 are given: --root DIR=http://a.test/ gives each file its own URI; --default-base http://a.test/ is for documents without a base`},
	{"extract --base http://a.test/ --urls list",
		`--base is the retrieval URI of one input, but each URL of --urls has its own: leave --base out, or give --default-base http://a.test/ for documents without a base`},
	{"extract --charset utf-9 page.html",
		`--charset "utf-9": did you mean utf-8? Names are those of the Encoding Standard`},
	{"extract --charset HZ-GB-2312 page.html",
		`--charset "HZ-GB-2312" names the replacement encoding of the Encoding Standard. Browsers and absolink read nothing in it: convert the document to utf-8, and leave --charset out`},
	{"rewrite --charset iso-2022-cn-ext page.html",
		`--charset "iso-2022-cn-ext" names the replacement encoding of the Encoding Standard. Browsers and absolink read nothing in it: convert the document to utf-8, and leave --charset out`},
	{"extract --charset replacement page.html",
		`--charset "replacement" names the replacement encoding of the Encoding Standard. Browsers and absolink read nothing in it: convert the document to utf-8, and leave --charset out`},
	{"extract --charset nothing page.html",
		`--charset "nothing" is no name of the Encoding Standard, such as utf-8 or windows-1252`},
	{"extract --root site site", `--root "site": DIR=URI is needed, such as --root site=http://example.com/`},
	{"extract --root http://a.test/ site",
		`--root "http://a.test/": DIR=URI is needed, such as --root DIR=http://a.test/`},
	{"extract --root site=http://a.test/?q site",
		`--root "site=http://a.test/?q": "http://a.test/?q" has a "?": the URI of a directory has no query and no fragment`},
	{"extract --root site=old.example site",
		`--root "site=old.example": an address without a scheme; type --root site=http://old.example/`},
	{"extract --root site=old.example:8080/x site",
		`--root "site=old.example:8080/x": an address without a scheme; type --root site=http://old.example:8080/x`},
	{"extract --root //old.example site",
		`--root "//old.example": an address without a scheme; type --root DIR=http://old.example/`},
	{"extract --root site=x site", `--root "site=x": DIR=URI is needed, such as --root site=http://example.com/`},
	{"extract --root site=http://a.test/b/index.html site",
		`--root "site=http://a.test/b/index.html": index.html looks like a file: type the URI of the directory, --root site=http://a.test/b/, or end the URI with a slash if index.html is a directory`},
	{"extract --check-files site", `--check-files needs --root DIR=URI, which says where the files are`},
	{"extract --context page.html", `--context needs --format jsonl, csv, tsv or arrow`},
	{"extract --status unresolved page.html",
		`--status unresolved: these links have no absolute URI to print: add --format jsonl`},
	{"extract --fields uri page.html --format text", `--fields needs --format jsonl, csv, tsv or arrow`},
	{"extract --fields urls --format csv page.html", `--fields: records have no "urls"; did you mean uri?`},
	{"extract --fields uri,uri --format csv page.html", `--fields: uri is given twice: give it once`},
	{"extract --check-fragments never page.html", `--check-fragments needs --check-files: add it`},
	{"rewrite --check-fragments some --check-files page.html", `--check-fragments "some": use auto or never`},
	{"extract --fields found --format csv page.html", `--fields: found needs --check-files: add it`},
	{"extract --fields record --format csv page.html", `--fields: record needs --pages or --stream: add one`},
	{"extract --fields links --format csv page.html", `--fields: links needs --pages: add it`},
	{"extract --pages page.html", `--pages needs --format jsonl, csv, tsv or arrow`},
	{"extract --pages --unique --format csv page.html",
		`--pages counts all links of a page, and --unique drops some: leave one of them out`},
	{"extract --stream --edges --units u --format jsonl", `--edges counts the links of the pages of units: add --stream and --pages`},
	{"extract --stream page.html", `--stream needs --units FILE: it prints records about units`},
	{"extract --stream --units u --format csv", `--stream needs --format jsonl or arrow`},
	{"extract --stream --unique --units u",
		`--stream gives each unit its own records, and --unique drops some: leave one of them out`},
	{"extract --seen j --pages --format csv page.html",
		`--pages counts all links of a page, and --seen drops some: leave one of them out`},
	{"extract --seen j --stream --units u",
		`--stream gives each unit its own records, and --seen drops some: leave one of them out`},
	{"extract --seen j --pipe",
		`--pipe cannot be used with --seen: leave --seen out; keep the URIs that you have seen`},
	{"extract --seen - page.html",
		`--seen -: the list is read and written, so give a file (./- for a file named -)`},
	{"extract --seen page.html page.html", `--seen page.html is the input page.html; give another name`},
	{"extract --seen site/list site",
		`--seen site/list is a file of the input site; give a name outside of it`},
	{"extract --seen two.html page.html",
		`--seen two.html: line 1 is not an absolute URI ("<html><a href=x>"): give a list of URIs, or the name of a new file`},
	{"extract --seen site page.html",
		`--seen site: is not a file that can be read and written: give another name`},
	{"extract --format arrow --report - page.html", `--format arrow cannot hold the report of --report -: give --format jsonl`},
	{"extract --report - page.html",
		`--report -: standard output is for results; give a file (./- for a file named -)`},
	{"extract --report - --units u",
		`--report -: standard output is for results; add --stream, or give a file (./- for a file named -)`},
	{"base --summary --figure page.html", `--summary and --figure exclude each other: give one of them`},
	{"base --figure --format csv page.html", `--figure needs --format text`},
	{"base --summary --format jsonl page.html", `--summary needs --format text, csv or tsv`},
	{"extract --index a/b --check-files --root site=http://a.test/ site",
		`--index "a/b": give a file name without a directory, such as index.html`},
	{"extract --index sub --check-files --root site=http://a.test/ site",
		`--index sub: DIR/site/sub is a directory; give the name of a file, such as index.html`},
	{"rewrite --to disk --root site=http://a.test/ --any-depth [ -o new site",
		`--any-depth: "[" is not a pattern such as *.html, /drafts or **/old/*.htm`},
	{"rewrite --to disk --root site=http://a.test/ --urls list -o new",
		`--to disk is for files, not for --urls: save the pages first, and give their directory`},
	{"rewrite --map-regex a page.html",
		`--map-regex "a": RE=REPLACEMENT is needed, such as '^http://(old|older)\.example/=https://$1.example/'; the replacement begins with a scheme or a slash`},
	{"rewrite --map-file page.html two.html",
		`--map-file page.html: line 1: "<html><a href=x>": OLD=NEW is needed, such as http://old.example/=http://new.example/`},
	{"extract --report none/r page.html", `--report none/r: there is no directory none: make it, or give another name`},
	{"rewrite -o page.html site", `page.html is a file: -o takes a directory; one file is written with > page.html`},
	{"rewrite --to relative --root site=http://a.test/ --base-element absolutize -o new site",
		`--to relative drops BASE; leave --base-element out`},
	{"extract --kind scirpt page.html",
		`--kind "scirpt": did you mean script? Use nav, res, form, meta, ping, hint, service, identifier, frame, plugin or script`},
	{"base --report - page.html", `--report -: standard output is for results; give a file (./- for a file named -)`},
	{"extract --dead-letter - page.html",
		`--dead-letter -: standard output is for results; add --stream, or give a file (./- for a file named -)`},
	{"extract --report page.html page.html", `--report page.html is the input page.html; give another name`},
	{"extract --report site/page.html site",
		`--report site/page.html is a file of the input site, which would be lost; give another name`},
	{"extract --dead-letter page.html page.html",
		`--dead-letter page.html is page.html, which is read or written too; give another name`},
	{"extract --units u page.html", `--units names all inputs: leave the others out, or add them to the list`},
	{"extract --units u --files-from list", `--units names all inputs: leave --files-from out`},
	{"extract --units u --prefix a",
		`--prefix needs --units-format cdx, cdxj, csv or json: other units have whole paths`},
	{"extract --units u --units-format csv",
		`--units-format csv: add --prefix with the URL or directory that its files are below, such as https://data.commoncrawl.org/`},
	{"extract --units u --units-format csv --prefix http://a.test/get?file=",
		`--prefix http://a.test/get: file names are added to its path, before its query: leave out a fragment, and a query that ends with "="`},
	{"extract --prefix a page.html", `--units-format and --prefix need --units FILE: add it`},
	{"extract --shard 3/2 page.html", `--shard "3/2" is not I/N with I from 1 to N, such as 2/8`},
	{"extract - -", `standard input (-) is given twice, and can be read only once: leave one out`},
	{"extract \x00", `an INPUT is an empty text: give a name, or - for standard input`},
	{"units", `an input is missing: give a file or a directory`},
	{"units -", `- cannot be cut into units: give a file or a directory`},
	{"rewrite page.html two.html",
		`standard output takes one document, and 2 inputs are given: use -o DIR or --in-place`},
	{"rewrite site", `standard output takes one document, and site is a directory: use -o DIR or --in-place`},
	{"rewrite --urls list", `standard output takes one document, and --urls is a list: use -o DIR`},
	{"rewrite --in-place -o new site", `-o and --in-place exclude each other: give one of them`},
	{"rewrite --journal k page.html", `--journal needs --in-place: add it`},
	{"rewrite --resume page.html", `--resume needs --in-place --journal FILE, or -o DIR: add them`},
	{"rewrite --overwrite page.html", `--overwrite needs -o DIR: add it`},
	{"rewrite --overwrite --resume -o new site",
		`--overwrite writes each output again, but --resume does not write finished outputs again: leave one of them out`},
	{"rewrite --backup .orig page.html", `--backup needs --in-place: add it`},
	{"rewrite -i --backup a/b page.html", `--backup "a/b": a suffix such as .orig is needed`},
	{"rewrite -i --follow site",
		`--follow cannot be used with --in-place; name the files outside of a directory as inputs`},
	{"rewrite -i http://a.test/", `a URL cannot be replaced in place; use -o DIR`},
	{"rewrite -i -", `standard input cannot be replaced in place; leave --in-place out`},
	{"rewrite -o new -", `standard input has no name to write below new; use > FILE`},
	{"rewrite -i --journal k --report k page.html", `--report k is the journal; give another name`},
	{"rewrite --to relative page.html", `--to relative needs --root or --map, which say what belongs to the site`},
	{"rewrite --to relative --root site=http://a.test/ --image-base http://b.test/ -o new site",
		`--image-base and --root-base make links absolute; leave --to relative out`},
	{"extract --image-base i.png page.html",
		`--image-base "i.png": not an absolute URI such as http://example.com/dir/page.html (a base URI must be absolute)`},
	{"extract --root-base main page.html",
		`--root-base "main": not an absolute URI such as http://example.com/dir/page.html (a base URI must be absolute)`},
	{"extract --force-base http://a.test/ --image-base http://b.test/ page.html",
		`--force-base is the base of all links: leave out --image-base and --root-base, or give --base instead`},
	{"rewrite --to relative --root site=http://a.test/ --force-base http://b.test/ -o new site",
		`--to relative writes links relative to where documents are; leave --force-base out`},
	{"rewrite --to disk -o new site",
		`--to disk needs --root DIR=URI, which says what addresses the files of DIR had, such as --root site=http://example.com/`},
	{"rewrite --redirects-format csv page.html", `--redirects-format needs --redirects FILE: add it`},
	{"rewrite --redirects r -o new site", `--redirects needs --map, which says where documents move to`},
	{"rewrite --redirects r --map http://a.test/=http://b.test/ -o new site",
		`--redirects needs --root DIR=URI, which says where documents were`},
	{"rewrite --redirects r -n --root site=http://a.test/ --map http://a.test/=http://b.test/ -o new site",
		`--redirects needs a run that writes its output: leave --dry-run and --diff out`},
	{"rewrite --redirects r --redirects-format nginx --root two=http://c.test/ --root site=http://a.test/ --map " +
		"http://a.test/=http://b.test/ -o new site two",
		`--redirects-format nginx is for one host, and documents were at a.test and c.test: run it for each`},
	{"rewrite --redirects site/r --root site=http://a.test/ --map http://a.test/=http://b.test/ -o new site",
		`--redirects site/r is site, or lies in it; give another name`},
	{"rewrite --redirects new/r --root site=http://a.test/ --map http://a.test/=http://b.test/ -o new site",
		`--redirects new/r lies in the output: it is for the server at the old addresses; give another name`},
	{"rewrite --redirects two --root site=http://a.test/ --map http://a.test/=http://b.test/ -o new site",
		`--redirects two is a directory; give the name of a file`},
	{"rewrite --redirects none/r --root site=http://a.test/ --map http://a.test/=http://b.test/ -o new site",
		`--redirects none/r: there is no directory none: make it, or give another name`},
	{"rewrite --unwayback page page.html", `page is not a file; if it is the value of --unwayback, type --unwayback=page`},
	{"rewrite --find-old page.html", `--find-old needs --map, --map-file or --unwayback, which say what is old`},
	{"rewrite --default-base thismessage:/ page.html",
		`--default-base thismessage:/ means nothing outside of a message: it is for the commands extract and base`},
	{"unpack -o new http://a.test/", `http://a.test/ is a URL; save the page, and give the file`},
	{"report -o list list", `-o list is the input list; give another name`},
	{"serve --token-file none", `--token-file: stat none: no such file or directory`},
	{"serve --token-file list --no-token", `--token-file and --no-token exclude each other: give one of them`},
	{"serve --allow-origin a", `--allow-origin "a": scheme and host are needed, such as https://example.org`},
	{"serve --listen 0.0.0.0:0",
		`--listen 0.0.0.0:0: others reach this address; add --token-file FILE, or --no-token to let everyone in`},
	{"serve --listen 0.0.0.0:0 --no-token",
		`--listen 0.0.0.0:0: add --allow-host NAME with the host name in the URLs of your clients`},
	{"serve --jobs 0", `--jobs 0: at least 1 is needed`},
	{"serve --listen 127.0.0.1:PORT",
		`--listen 127.0.0.1:PORT: the port is in use; give another one, or 0 for any free port`},
	{"serve --listen nowhere", `--listen nowhere: listen tcp: address nowhere: missing port in address`},
	{"serve --token-file list", `--token-file list: others can read or write it (mode 0644); chmod 600 list`},
	{"serve --token-file longest", `--token-file longest: 5000 bytes are too many for a token`},
	{"serve --token-file shortest",
		`--token-file shortest: one line of at least 16 ASCII characters without blanks is needed, as head -c 24 /dev/urandom | base64 gives`},
	{"unpack -o new list.mbox", `list.mbox is a mailbox: add --message N with the number of one of its messages`},
	{"unpack --message 1 -o new mail.eml", `--message is for mailboxes, and mail.eml is one message: leave it out`},
	{"unpack --message 0 -o new list.mbox", `--message 0: messages are numbered from 1`},
	{"unpack page.html", `-o DIR is missing: give the directory to write to, or type --single -o PAGE.html for one file`},
	{"unpack", `an input is missing: give an MHTML page or a message`},
	{"unpack -o new page.html two.html", `unpack takes one page, and 2 are given: run it for each`},
	{"rewrite --keep none page.html",
		`--keep and --any-depth need --to root-relative, relative or disk: without --to all links are absolute`},
	{"rewrite --to as-written --map http://a.test/=http://b.test/ --keep og page.html",
		`--keep and --any-depth need --to root-relative, relative or disk: with as-written each link keeps its form`},
	{"rewrite --to as-written --root site=http://a.test/ page.html",
		`--to as-written changes only links that a rule moves: add --map OLD=NEW, or leave --to out`},
	{"rewrite --to as-written --map http://a.test/=http://b.test/ --force-base http://a.test/ page.html",
		`--to as-written keeps links relative to where documents are; leave --force-base out`},
	{"rewrite --skip-footers page.html",
		`--skip-footers needs a rule, such as --map, --map-regex, --unwayback or --unwrap: only rules change running text`},
	{"rewrite --no-text --base http://a.test/ page.html",
		`--no-text needs a rule, such as --map, --map-regex, --unwayback or --unwrap: only rules change running text`},
	{"rewrite --no-text --skip-footers --unwayback page.html",
		`--no-text leaves all running text as it is; leave --skip-footers out`},
	{"rewrite --visible-text --to relative --root .=http://a.test/ page.html",
		`--visible-text needs a rule, such as --map, --map-regex, --unwayback or --unwrap: only rules change running text`},
	{"rewrite --no-text --visible-text --unwayback page.html",
		`--no-text leaves all running text as it is; leave --visible-text out`},
	{"rewrite --base-element drop --kind nav page.html",
		`--base-element drop rewrites all links that use the BASE: leave out --kind, --select and all other flags that choose links`},
	{"rewrite --map a page.html", `--map "a": OLD=NEW is needed, such as http://old.example/=http://new.example/`},
	{"rewrite --map http://a.test/*=http://b.test/ page.html",
		`--map "http://a.test/*=http://b.test/": a * in OLD is not a wildcard: type %2A for the character, or give a pattern to --map-regex`},
	{"rewrite --keep canonicl --to relative --root site=http://a.test/ -o new site",
		`--keep "canonicl": did you mean canonical? Use canonical, hreflang, og, amp, oembed, self or none`},
	{"rewrite --in-place --journal none/j page.html",
		`--journal none/j: there is no directory none: make it, or give another name`},
	{"rewrite --undo none", `--undo none: no such file or directory`},
	{"extract --dead-letter none/d page.html",
		`--dead-letter none/d: there is no directory none: make it, or give another name`},
	{"extract --include [ site", `--include: "[" is not a pattern such as *.html, /drafts or **/old/*.htm`},
	{"extract --root page.html=http://a.test/ page.html",
		`--root "page.html=http://a.test/": page.html is not a directory: type --root DIR=URI for its directory, or --base http://a.test/ for this file alone`},
	{"rewrite --map-file none page.html", `--map-file none: no such file or directory`},
	{"rewrite --map-file rules --report rules page.html",
		`--report rules is the file of --map-file; give another name`},
	{"rewrite --status unresolved page.html",
		`--status unresolved: these links have no absolute URI to write: absolink extract --format jsonl lists them`},
	{"rewrite --undo journal page.html",
		`--undo journal: the run replaced no file at or below page.html; --dry-run without names lists the files that can be restored`},
	{"rewrite --base http://a.test/ -o new.html page.html.gz",
		`-o new.html: the output is compressed like the input: type -o new.html.gz`},
	{"rewrite --undo j -", `--undo restores files and directories that the run has replaced; leave - out`},
	{"rewrite --undo j --base http://a.test/", `--undo needs only the journal; leave --base out`},
	{"rewrite --undo page.html",
		`--undo page.html: is not a journal of absolink: give the file that --journal named`},
	{"rewrite -i --journal page.html two.html",
		`--journal page.html: is not a journal of absolink: give the name of a new file`},
	{"resolve --compare --check a", `--compare and --check exclude each other: give one of them`},
	{"resolve --no-parent a", `--no-parent restricts what --relative shows: add --relative`},
	{"resolve --relative a", `--relative needs a base that the result is relative to: add --base URI`},
	{"resolve --keep / a", `--keep restricts --escape-component: add --escape-component`},
	{"resolve --base http://a/ --delimiters strip b",
		`--delimiters strip has no meaning under whatwg: add --rules rfc3986, rfc2396, draft-02 or draft-00e`},
	{"resolve --base http://a/ --delimiters kep b", `--delimiters "kep": did you mean keep? Use strip or keep`},
	{"resolve --check --delimiters keep b",
		`--delimiters has no meaning with --check, which asks grammars about the link as it stands: leave it out`},
	{"resolve --unescape --delimiters keep a",
		`--delimiters has no meaning with --unescape, which resolves nothing: leave it out`},
	{"resolve --base <http://a/> b",
		`--base "<http://a/>": not an absolute URI such as http://example.com/dir/page.html (a base URI must be absolute)`},
	{"resolve --unescape --base http://a/ a",
		`--base has no meaning with --unescape, which resolves nothing: leave it out`},
	{"resolve --components --format csv a",
		`--components: a cell cannot tell an undefined component from an empty one: use --format jsonl`},
	{"resolve --rules rfc1738 a",
		`--rules rfc1738: RFC 1738 has no relative links, only a grammar: add --check, or give another rule set`},
	{"resolve --rules whatwg --normalize case a",
		`--rules whatwg: the URL Standard has one form of each URL, which resolve prints; leave out --normalize and --equivalent, or --rules`},
	{"resolve --equivalent a",
		`--equivalent compares two URIs: give two arguments, or lines of two URIs with a tab between them`},
	{"resolve --excess-dots remove --base http://a/ b",
		`--excess-dots has no meaning under whatwg: add --rules rfc2396`},
	{"resolve --base a b",
		`--base "a": not an absolute URI such as http://example.com/dir/page.html (a base URI must be absolute)`},
	{"resolve --rules rfc2396 --document a b",
		`--document "a": not an absolute URI such as http://example.com/dir/page.html (a base URI must be absolute)`},
}

// Every message about a command line says what to type instead, and is in the table.
func TestUsageMessages(t *testing.T) {
	t.Setenv("HTTP_PROXY", "")
	t.Setenv("HTTPS_PROXY", "")
	t.Setenv("http_proxy", "")
	t.Setenv("https_proxy", "")
	sources := commandFolder
	dir := quickDir(t)
	t.Chdir(dir)
	for _, name := range []string{"page.html", "two.html", "site/page.html"} {
		save(t, name, []byte("<html><a href=x>"))
	}
	save(t, "site/sub/page.html", []byte("<html>"))
	save(t, "two/page.html", []byte("<html>"))
	save(t, "list.mbox", []byte("From a Thu Jan  1 00:00:00 1970\nSubject: x\n\nx\n"))
	save(t, "mail.eml", []byte("Subject: x\nContent-Type: text/html\n\nx\n"))
	journal := fmt.Sprintf(`{"absolink":"journal","version":2,"roots":[{"path":%q}]}`, dir)
	save(t, "journal", []byte(journal+"\n"))
	save(t, "u", []byte("page.html\n"))
	save(t, "list", []byte("http://a.test/\n"))
	save(t, "rules", []byte("http://a.test/=http://b.test/\n"))
	for name, size := range map[string]int{"shortest": 15, "longest": 5000} {
		if err := os.WriteFile(name, bytes.Repeat([]byte("x"), size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	for _, tt := range messages {
		args := strings.Split(tt.typed, " ")
		for i, a := range args {
			args[i] = strings.NewReplacer("\x00", "", "PORT", port).Replace(a)
		}
		code, out, err := runs(t, "", args...)
		lines := strings.Split(strings.TrimSuffix(err, "\n"), "\n")
		got := strings.ReplaceAll(strings.TrimPrefix(lines[len(lines)-1], "absolink: "), dir, "DIR")
		got = strings.ReplaceAll(got, ":"+port, ":PORT")
		if code != cli.ExitUsage || out != "" || got != tt.said {
			t.Errorf("absolink %q: got exit status %d and\n%s, want %d and\n%s",
				tt.typed, code, got, cli.ExitUsage, tt.said)
		}
	}
	said, missing := make(map[string]bool), 0
	for format, place := range usageFormats(t, sources) {
		pattern := regexp.MustCompile("^" +
			regexp.MustCompile(`%(\\\[[0-9]+\\\])?[0-9]*(\\\.[0-9]+)?[a-z]`).ReplaceAllString(regexp.QuoteMeta(format),
				".*") + "$")
		for _, tt := range messages {
			said[format] = said[format] || pattern.MatchString(tt.said)
		}
		if !said[format] && unreached[format] == "" {
			t.Logf("%s: no row of messages has %q: add one with what was typed", place, format)
			missing++
		}
	}
	if missing > rowless {
		t.Errorf("%d messages have no row in the table, at most %d may be without", missing, rowless)
	}
	for format := range unreached {
		if said[format] {
			t.Errorf("%q is said to be reached by no row of messages, and one has it", format)
		}
	}
}

// rowless is the number of messages that may lack a row. It may only decrease.
const rowless = 0

// unreached lists messages that no command line of a test causes, with the reason, or with the test
// that causes them.
var unreached = map[string]string{
	"the output is the input %s; give another file, or use rewrite " +
		"--in-place": "script refuse",
	"the output is the list of inputs %s; give another file": "TestListIsNoOutput in account",
	"--journal %s is the journal of an earlier run: add --resume to continue that run, or give the name of a new " +
		"file": "script journal",
	"--resume: %s was begun with other options: %s; give those options, or another " +
		"journal": "script journal",
	"--resume: %s is not an input of the run that began %s; give inputs of that run (%s), or another " +
		"journal": "script journal",
	"--format arrow is for programs: send it to a file or a pipe": "script terminal",
	"--pipe: frame %d is damaged: %v%s":                           "script pipe: a frame on standard input",
	"--%.100s is not a parameter of %s; %s":                       "TestServiceProblems: a parameter of a request",
	"--%s is given %d times: give it once":                        "TestServiceProblems: a parameter of a request",
	"--%s: the expressions of a request may have %d instructions, and these have more: use fewer, or smaller numbers " +
		"in {n}": "TestServiceExpressions: a parameter of a request",
	"--select: the service takes no selector with a regular expression (#= and :matches): use " +
		"--match": "TestServiceExpressions: a parameter of a request",
	"--pipe answers a program that writes frames, and standard input is a terminal; see \"absolink " +
		"help pipe\"": "script terminal",
	"an INPUT is missing: name one, or give - to type a document here, up to %s": "script terminal",
	"no file has the name %v":                             "a pattern, only on Windows: package source",
	"%s matches no file: give a name, or another pattern": "a pattern, only on Windows: package source",
}

// usageFormats returns the formats of the errors about command lines in all files below a
// directory, and their places.
func usageFormats(t *testing.T, dir string) map[string]string {
	t.Helper()
	formats := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") ||
			strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_windows.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			var name string
			switch f := call.Fun.(type) {
			case *ast.Ident:
				name = f.Name
			case *ast.SelectorExpr:
				if x, ok := f.X.(*ast.Ident); ok {
					name = x.Name + "." + f.Sel.Name
				}
			}
			lit, ok := call.Args[0].(*ast.BasicLit)
			if ok && (name == "usagef" || name == "flag.Errorf") {
				if format, err := strconv.Unquote(lit.Value); err == nil {
					formats[format] = files.Position(lit.Pos()).String()
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(formats) < 90 {
		t.Errorf("%d messages were found, want at least 90", len(formats))
	}
	return formats
}
