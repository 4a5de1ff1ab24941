// Wasm is the program of the page without a server. It runs in a browser and defines the object
// absolink, whose functions page.js calls:
//
//	start(problem)             the main element of the first page
//	show(name, bytes, query)   the main element of the page of a document
//	rewrite(name, bytes, query) the rewritten document, or a text: why there is none
//	item(name, bytes, number, query) a message of a mailbox: {name, bytes, query}, or null
//	sample(file)               a sample: {name, bytes, query}, or null
package main

import (
	"fmt"
	"syscall/js"

	"absolink/cmd/absolink/internal/serve/static"
)

func main() {
	js.Global().Set("absolink", map[string]any{
		"start": function(func(args []js.Value) any { return static.Start(args[0].String()) }),
		"show": function(func(args []js.Value) any {
			return documentOf(args).Show(args[2].String())
		}),
		"rewrite": function(func(args []js.Value) any {
			out, err := documentOf(args).Rewrite(args[2].String())
			if err != nil {
				return err.Error()
			}
			return bytesOf(out)
		}),
		"item": function(func(args []js.Value) any {
			return object(documentOf(args).Item(args[2].Int(), args[3].String()))
		}),
		"sample": function(func(args []js.Value) any { return object(static.Sample(args[0].String())) }),
	})
	select {}
}

// function returns f as a function of JavaScript. If f panics, the function returns the page of an
// error.
func function(f func(args []js.Value) any) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) (result any) {
		defer func() {
			if r := recover(); r != nil {
				result = static.Start(fmt.Sprintf("absolink failed: %v", r))
			}
		}()
		return f(args)
	})
}

// documentOf returns the document that the first two arguments describe.
func documentOf(args []js.Value) *static.Document {
	data := make([]byte, args[1].Length())
	js.CopyBytesToGo(data, args[1])
	return &static.Document{Name: args[0].String(), Data: data}
}

// bytesOf returns data as a Uint8Array.
func bytesOf(data []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	return array
}

// object returns a document and the query to show it with, or null.
func object(d *static.Document, query string) any {
	if d == nil {
		return nil
	}
	return map[string]any{"name": d.Name, "bytes": bytesOf(d.Data), "query": query}
}
