package maildir_test

import (
	"fmt"
	"strings"

	"absolink/cmd/absolink/internal/maildir"
)

// An edit has made a message longer. Its name must state the new sizes, or a server fails to
// deliver the message.
func ExampleName_With() {
	name := maildir.Split("1204680122.M1P2.host,S=20,W=21:2,FS")
	disk, crlf := name.Sizes()
	fmt.Println(name.Unique, disk, crlf)

	longer := "Subject: x\n\nlonger\n"
	disk = int64(len(longer))
	crlf = disk + int64(strings.Count(longer, "\n"))
	fmt.Println(name.Agree(disk, crlf), name.With(disk, crlf))
	// Output:
	// 1204680122.M1P2.host 20 21
	// false 1204680122.M1P2.host,S=19,W=22:2,FS
}
