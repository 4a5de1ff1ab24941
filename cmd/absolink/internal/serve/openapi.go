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

// operation describes a request of the service.
type operation struct {
	summary, body, example string
	answer                 object // the content of the answer with status 200
	headers                object
}

func mediaTypes(list []form) object {
	o := object{}
	for _, f := range list {
		o[f.media] = object{"schema": object{"type": "string"}}
	}
	return o
}

func number(description string) object {
	return object{"description": description, "schema": object{"type": "integer", "minimum": 0}}
}

// document describes the body of most requests.
const document = "The document: its Content-Type gives type and charset as the transport's (none and application/" +
	"octet-stream: by content), its Content-Encoding (gzip, zstd or br) is undone."

// page is an example of a document, and address an example of its URL.
const (
	page    = "<a href=\"../next.html\">next</a><img src=picture.png>\n"
	address = "http://example.com/dir/page.html"
)

// operations returns the requests whose body is a document or a list of references.
func operations() map[string]operation {
	return map[string]operation{
		"extract": {"List the references of a document, absolute", document, page, mediaTypes(forms["extract"]), nil},
		"base": {"Show which layer gives each document its base, and why",
			document, page, mediaTypes(forms["base"]), nil},
		"resolve": {"Resolve references against a base",
			"References, one a line, each perhaps behind a base of its own and a tab; or JSON lines {\"base\"," +
				"\"ref\"} as application/jsonl.", "g\n../x\n", mediaTypes(forms["resolve"]), nil},
		// no schema: clients would read the bytes by their media type
		"rewrite": {"Write a document with absolute links", document, page, object{"*/*": object{}},
			object{"X-Absolink-Edits": number("Edits that were made"),
				"X-Absolink-Skipped": number("Messages of a mailbox that stay as they are")}},
	}
}

// refusals has the descriptions of all statuses other than 200.
var refusals = map[string]string{
	"400": "A parameter, or the coding of the body, is wrong",
	"401": "A token is needed", "403": "Host or Origin is not let in",
	"405": "Another method is needed", "408": "The body comes too slowly",
	"413": "The body is too large", "415": "The content coding is not known",
	"422": "No document of the body can be read, or may be rewritten (signed, encrypted, damaged)",
	"503": "All workers are taken and the queue is full",
}

// Description returns the description of the service (OpenAPI 3.1) as JSON. register adds the flags
// of a command.
func Description(register func(command string, c *cobra.Command), version string) []byte {
	paths := object{
		"/healthz":         object{"get": simple("Readiness", "text/plain", false)},
		"/metrics":         object{"get": simple("Figures for Prometheus", "text/plain", true)},
		"/v1/openapi.json": object{"get": simple("This description", "application/json", true)},
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
			"description": "References of documents and messages, by the layers of RFC 2396 Section 5.1. Answers are " +
				"those of the commands of the same names."},
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
	ok := object{"description": "Done", "content": op.answer}
	headers := object{problemsHeader: number("Problems that were found; of a long answer a trailer")}
	for name, h := range op.headers {
		headers[name] = h
	}
	ok["headers"] = headers
	answers := object{"200": ok}
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
		o["example"] = address
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

// simple describes a request without parameters.
func simple(summary, media string, guarded bool) object {
	answers := object{"200": object{"description": "Done", "content": object{media: object{"schema": object{}}}},
		"405": refusal(refusals["405"])}
	if guarded {
		answers["401"] = refusal(refusals["401"])
		answers["403"] = refusal(refusals["403"])
	}
	return object{"summary": summary, "responses": answers}
}

func (s *Server) describe(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Write(s.o.Description)
}
