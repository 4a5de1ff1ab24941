package maildir_test

import (
	"fmt"
	"io"
	"strings"

	"absolink/mime/maildir"
)

// A message that an edit has made longer: its name must tell the new sizes, or a server
// fails to give it out.
func ExampleName_With() {
	name := maildir.Split("1204680122.M1P2.host,S=20,W=21:2,FS")
	fmt.Println(name.Unique, name.Sizes())

	var c maildir.Counter
	io.Copy(&c, strings.NewReader("Subject: x\n\nlonger\n"))
	fmt.Println(name.Agree(c.Sizes), name.With(c.Sizes))
	// Output:
	// 1204680122.M1P2.host {20 21}
	// false 1204680122.M1P2.host,S=19,W=22:2,FS
}
