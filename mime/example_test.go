package mime_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"absolink/extract"
	"absolink/mime"
)

const message = `Content-Type: multipart/related; boundary=b
Content-Base: http://example.org/issue/

--b
Content-Type: text/html
Content-Transfer-Encoding: quoted-printable

<a href=3D"one.html">One</a> <img src=3D"map.gif">
--b
Content-Type: image/gif
Content-Location: map.gif

GIF
--b--
`

// Make the links of a message absolute, except for those that name its parts.
func Example() {
	in := strings.NewReader(message)
	m, err := mime.Parse(in, in.Size(), mime.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	change, names := m.Change(), m.InMessage(nil, nil)
	for e := range m.Root.All() {
		if !e.HTML() || e.Protected() != "" {
			continue
		}
		leaf, err := e.Leaf()
		if err != nil {
			log.Fatal(err)
		}
		r := extract.Resolver{InMessage: names(e)}
		if err := change.Edit(leaf, r.Edits(nil, leaf.Doc(nil))); err != nil {
			fmt.Println(err)
		}
	}
	edits, err := change.Edits()
	if err != nil {
		log.Fatal(err)
	}
	if err := mime.Write(os.Stdout, in, in.Size(), edits); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Content-Type: multipart/related; boundary=b
	// Content-Base: http://example.org/issue/
	//
	// --b
	// Content-Type: text/html
	// Content-Transfer-Encoding: quoted-printable
	//
	// <a href=3D"http://example.org/issue/one.html">One</a> <img src=3D"map.gif">
	// --b
	// Content-Type: image/gif
	// Content-Location: map.gif
	//
	// GIF
	// --b--
}
