package serve

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/flag"
)

type object = map[string]any

// operation describes a request below /v1/ that does the work of a command.
type operation struct {
	summary, body, example string
	answer                 object // the content of the answer with status 200
	headers                object
}

func contentOf(list []answerType) object {
	o := object{}
	for _, f := range list {
		o[f.mediaType] = object{"schema": object{"type": "string"}}
	}
	return o
}

func countHeader(description string) object {
	return object{"description": description, "schema": object{"type": "integer", "minimum": 0}}
}

// documentBody describes the body of most requests.
const documentBody = "The document. Its Content-Type states the type and the charset. Without a Content-Type, or " +
	"with application/octet-stream, the content decides. Its Content-Encoding may be gzip, zstd or br."

// examplePage is an example of a document, and exampleURL its URL.
const (
	examplePage = "<a href=\"../next.html\">next</a><img src=picture.png>\n"
	exampleURL  = "http://example.com/dir/page.html"
)

// operations returns the requests whose body is a document or a list of references.
func operations() map[string]operation {
	return map[string]operation{
		"extract": {"List the links of a document, absolute",
			documentBody, examplePage, contentOf(answerTypes["extract"]), nil},
		"base": {"Show which layer gives each document its base, and why",
			documentBody, examplePage, contentOf(answerTypes["base"]), nil},
		"resolve": {"Resolve links against a base",
			"Links, one per line. A line may begin with the base of its link and a tab. With the " +
				"Content-Type application/jsonl: JSON lines {\"base\",\"ref\"}.",
			"g\n../x\n", contentOf(answerTypes["resolve"]), nil},
		// No schema: with one, generated clients would decode the document by its media type.
		"rewrite": {"Write a document with absolute links", documentBody, examplePage, object{"*/*": object{}},
			object{"X-Absolink-Edits": countHeader("Edits that were made"),
				"X-Absolink-Skipped": countHeader("Messages of a mailbox that stay unchanged although they have " +
					"links to edit, or that cannot be read")}},
	}
}

// refusals has a description for each status other than 200.
var refusals = map[string]string{
	"400": "A parameter, or the coding of the body, is wrong",
	"401": "A token is needed", "403": "The Host or Origin is not allowed",
	"405": "Another method is needed", "408": "The body comes too slowly",
	"413": "The body is too large", "415": "The content coding is not known",
	"422": "No document of the body can be read or rewritten (signed, encrypted, damaged)",
	"500": "The server has a fault",
	"503": "All workers are taken and the queue is full, or the work took too long",
}

// Description returns the description of the service (OpenAPI 3.1) as JSON. register adds the flags
// of a command.
func Description(register func(command string, c *cobra.Command), version string) []byte {
	paths := object{
		"/healthz":         object{"get": describeSimple("Readiness", "text/plain", false)},
		"/metrics":         object{"get": describeSimple("Figures for Prometheus", "text/plain", true)},
		"/v1/openapi.json": object{"get": describeSimple("This description", "application/json", true)},
	}
	for name, op := range operations() {
		c := new(cobra.Command)
		register(name, c)
		flag.Group(c)
		paths["/v1/"+name] = object{"post": op.describe(c, Parameters(name))}
	}
	problem := object{"type": "object", "required": []string{"type", "title", "status"}, "properties": object{
		"type": object{"type": "string"}, "title": object{"type": "string"},
		"status": object{"type": "integer"}, "detail": object{"type": "string"},
		"flag": object{"type": "string"}, "offset": object{"type": "integer", "minimum": 0}}}
	text, _ := json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info": object{"title": "absolink", "version": version,
			"description": "Makes the links of documents and messages absolute, by the layers of RFC 2396 Section " +
				"5.1. " +
				"A request answers with the output of the command of the same name."},
		"paths": paths,
		"components": object{"schemas": object{"Problem": problem},
			"securitySchemes": object{"bearer": object{"type": "http", "scheme": "bearer"},
				"basic": object{"type": "http", "scheme": "basic"}}},
		"security": []object{{}, {"bearer": []string{}}, {"basic": []string{}}},
	}, "", "  ")
	return append(text, '\n')
}

// describe returns the description of op. names lists the flags of c that op accepts.
func (op operation) describe(c *cobra.Command, names []string) object {
	success := object{"description": "Done", "content": op.answer}
	headers := object{problemsHeader: countHeader("Problems that were found; in the trailer if the answer is long")}
	for name, h := range op.headers {
		headers[name] = h
	}
	success["headers"] = headers
	answers := object{"200": success}
	for status, why := range refusals {
		answers[status] = refusal(why)
	}
	var parameters []object
	for _, name := range names {
		parameters = append(parameters, parameter(c.Flags().Lookup(name)))
	}
	return object{"summary": op.summary, "parameters": parameters, "responses": answers,
		"requestBody": object{"description": op.body, "required": true,
			"content": object{"*/*": object{"schema": object{"type": "string", "format": "binary"},
				"example": op.example}}}}
}

func refusal(why string) object {
	return object{"description": why,
		"content": object{"application/problem+json": object{"schema": object{"$ref": "#/components/schemas/Problem"}}}}
}

// parameter returns the description of a flag.
func parameter(f *pflag.Flag) object {
	schema := object{"type": typeOf(f)}
	if values := flag.Values(f); values != nil {
		schema["type"], schema["enum"] = "string", values
	}
	o := object{"name": f.Name, "in": "query", "description": strings.ReplaceAll(f.Usage, "`", ""), "schema": schema}
	if strings.HasSuffix(f.Name, "base") && schema["type"] == "string" && schema["enum"] == nil {
		o["example"] = exampleURL
	}
	if slices.Contains(repeatable, f.Value.Type()) {
		o["schema"], o["explode"] = object{"type": "array", "items": schema}, true
	}
	return o
}

// typeOf returns the JSON type for the value of a flag.
func typeOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "boolean"
	case "int":
		return "integer"
	}
	return "string"
}

// describeSimple describes a request without parameters. guarded means that the guard may refuse
// it.
func describeSimple(summary, media string, guarded bool) object {
	answers := object{"200": object{"description": "Done", "content": object{media: object{"schema": object{}}}},
		"405": refusal(refusals["405"])}
	if guarded {
		answers["401"] = refusal(refusals["401"])
		answers["403"] = refusal(refusals["403"])
	}
	return object{"summary": summary, "responses": answers}
}

func (s *Server) handleDescription(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Write(s.o.Description)
}
