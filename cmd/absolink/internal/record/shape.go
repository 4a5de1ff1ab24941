package record

import (
	"bytes"
	"encoding/json"
	"slices"
)

// shape describes the JSON objects of one category.
type shape struct {
	name     string
	meaning  string
	keys     []Key
	required []string // keys that each object has, whatever keys the user has chosen
}

// shapes returns all shapes.
func shapes() []shape {
	document := selectKeys(func(k *Key) bool { return k.ofDocument })
	dead := keysNamed("record", "source", "item", "page", "message_id", "record_id", "record_offset")
	return []shape{
		{"link", "a link, from extract", selectKeys(func(k *Key) bool { return !k.ofPages() }), nil},
		{"page", "a document, from extract --pages, before its links",
			append(document, keysNamed("base", "base_layer", "error", "host", "domain", "robots", "links", "kinds",
				"hosts", "domains")...), []string{"record"}},
		{"dead", "a failure, from extract --stream", append(dead,
			Key{Name: "unit", Type: "string", Meaning: "The unit that reads only the failed input or item again.",
				Example: `"crawl/a.warc.gz\t1000183\t512\t7\t0"`},
			Key{Name: "error", Type: "string", Meaning: "The reason of the failure, in words.",
				Example: `"truncated base64"`}), []string{"record", "source", "unit", "error"}},
		{"unit", "the end of a unit, from extract --stream", append(keysNamed("record"),
			Key{Name: "unit", Type: "string", Meaning: "The line of --units, unchanged.",
				Example: `"crawl/a.warc.gz\t0\t67108864\t1\t0"`},
			Key{Name: "status", Type: "string", Meaning: "Whether the unit was read completely.",
				Example: `"done"`, values: []Value{
					{"done", "All records of the unit come before this one.", "a mailbox with a damaged message"},
					{"failed", "The unit could not be opened or read completely: another machine may succeed.",
						"a file that is not there"}}},
			Key{Name: "error", Type: "string", Meaning: "Why the unit failed, in words.",
				Example: `"no such file or directory"`},
			Key{Name: "page_count", Type: "integer", Meaning: "Number of its pages, printed or not.", Example: "12"},
			Key{Name: "link_count", Type: "integer", Meaning: "Number of its records of links.", Example: "340"},
			Key{Name: "dead_count", Type: "integer", Meaning: "Number of its records of failures.",
				Example: "0"},
			Key{Name: "edge_count", Type: "integer", Example: "57",
				Meaning: "Number of its records of hosts and domains, with --edges."}),
			[]string{"record", "unit", "status", "page_count", "link_count", "dead_count"}},
		edgeShape("host", "links from a host to a host, from extract --edges", "host"),
		edgeShape("domain", "links between registrable domains, from extract --edges", "registrable domain"),
		{"base", "a document, from base --format jsonl",
			append(document[1:], append(keysNamed("base", "base_layer", "base_source", "base_part"),
				Key{Name: "layers", Type: "layers",
					Meaning: "The layers around the document, innermost first. layer and source have the values of " +
						"base_layer and base_source. used says whether the layer gave the base, and reason why it " +
						"did not. cut says that the value is shortened: an earlier line has all of it.",
					Example: `[{"layer":"retrieval","source":"option","value":"http://example.com/",` +
						`"uri":"http://example.com/","used":true}]`})...), []string{"source", "base_layer", "layers"}},
	}
}

// edgeShape returns the shape of edges. noun says what an edge connects.
func edgeShape(name, meaning, noun string) shape {
	keys := append(keysNamed("record"),
		Key{Name: "referrer", Type: "string", Example: `"uk.co.example"`,
			Meaning: "Reversed name of the " + noun + " of the pages with these links."},
		Key{Name: "target", Type: "string", Meaning: "Reversed name of the " + noun + " of the links.",
			Example: `"com.example"`},
		Key{Name: "page_count", Type: "integer", Meaning: "Number of the pages with such links.", Example: "2"},
		Key{Name: "link_count", Type: "integer", Meaning: "Number of the links.", Example: "5"})
	return shape{name, meaning, keys, []string{"record", "referrer", "target", "page_count", "link_count"}}
}

// selectKeys returns copies of the keys for which want returns true.
func selectKeys(want func(*Key) bool) (list []Key) {
	for i := range Keys {
		if want(&Keys[i]) {
			list = append(list, Keys[i])
		}
	}
	return list
}

// keysNamed returns copies of the keys with these names.
func keysNamed(names ...string) []Key {
	return selectKeys(func(k *Key) bool { return slices.Contains(names, k.Name) })
}

// typeName returns the type of the values: string, integer, list, counts or layers.
func (k *Key) typeName() string {
	switch {
	case k.Type != "":
		return k.Type
	case k.number != nil:
		return "integer"
	case k.list != nil:
		return "list"
	case k.counts != nil:
		return "counts"
	}
	return "string"
}

// valuesIn returns the possible values of the key in a shape, or nil if any value is possible.
func (k *Key) valuesIn(s *shape) []Value {
	switch {
	case k.values != nil:
		return k.values
	case k.Name == "record":
		return []Value{{Name: s.name}}
	}
	return Values()[k.Name]
}

// Schema returns the JSON Schema (draft 2020-12) of a line of --format jsonl.
func Schema() []byte {
	var forms []any
	for _, s := range shapes() {
		forms = append(forms, s.schema())
	}
	forms = append(forms,
		map[string]any{"title": "report", "type": "object", "required": []string{"record", "source", "outcome"},
			"description": "The line of --report for an input, with --stream.",
			"properties":  map[string]any{"record": map[string]any{"const": "report"}}})
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	e.Encode(map[string]any{"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title": "A record of absolink", "anyOf": forms})
	return b.Bytes()
}

// schema returns the schema of a shape.
func (s *shape) schema() map[string]any {
	properties := make(map[string]any)
	for i := range s.keys {
		k := &s.keys[i]
		p := k.schema(k.valuesIn(s))
		p["description"] = k.Meaning
		p["examples"] = []any{json.RawMessage(k.Example)}
		if k.Name == "record" {
			delete(p, "examples")
		}
		properties[k.Name] = p
	}
	form := map[string]any{"title": s.name, "description": s.meaning,
		"type": "object", "properties": properties, "additionalProperties": false}
	if s.required != nil {
		form["required"] = s.required
	}
	return form
}

// schema returns the schema of the values of a key.
func (k *Key) schema(values []Value) map[string]any {
	one := map[string]any{"type": "string"}
	if values != nil {
		var list []any
		for _, v := range values {
			list = append(list, map[string]any{"const": v.Name, "description": v.Meaning})
		}
		one["oneOf"] = list
	}
	switch k.typeName() {
	case "integer":
		return map[string]any{"type": "integer", "minimum": 0}
	case "list":
		return map[string]any{"type": "array", "minItems": 1, "items": one}
	case "counts":
		of := map[string]string{"links": "status", "kinds": "kind"}[k.Name]
		var names []string
		for _, v := range Values()[of] {
			names = append(names, v.Name)
		}
		counts := map[string]any{"type": "object",
			"additionalProperties": map[string]any{"type": "integer", "minimum": 1}}
		if names != nil {
			counts["propertyNames"] = map[string]any{"enum": names}
		}
		return counts
	case "layers":
		return map[string]any{"type": "array", "items": layerSchema()}
	}
	return one
}

// layerSchema returns the schema of an object in the list layers.
func layerSchema() map[string]any {
	text := map[string]any{"type": "string"}
	boolean := map[string]any{"type": "boolean"}
	k := Key{}
	return map[string]any{"type": "object", "additionalProperties": false,
		"required": []string{"layer", "source", "used"}, "properties": map[string]any{
			"layer": k.schema(Values()["base_layer"]), "source": k.schema(Values()["base_source"]),
			"part": text, "value": text, "uri": text,
			"used": boolean, "reason": text, "cut": boolean}}
}
