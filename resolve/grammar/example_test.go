package grammar_test

import (
	"fmt"

	"absolink/resolve/grammar"
)

func ExampleGrammar_Check() {
	for _, g := range grammar.All {
		if err := g.Check("file:/home/fred/bio.txt"); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// rfc1738: "file:/home/fred/bio.txt": byte 5: fileurl wants "//" after the colon
}

func ExampleComponents() {
	list, _ := grammar.Components("ftp://myname@host.dom/%2Fetc/motd;type=a")
	for _, c := range list {
		fmt.Println(c.Name, c.Value)
	}
	// Output:
	// scheme ftp
	// user myname
	// host host.dom
	// port 21
	// cwd /etc
	// name motd
	// type a
}
