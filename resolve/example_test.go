package resolve_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"absolink/resolve"
)

func Example() {
	b, err := resolve.NewBase("http://a/b/c/d;p?q", resolve.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	lines := bufio.NewScanner(strings.NewReader("../g\n?y\nhttp://[\n"))
	var uri []byte
	for lines.Scan() {
		uri, err = b.Append(uri[:0], lines.Bytes())
		if err != nil {
			fmt.Println(err)
			continue
		}
		os.Stdout.Write(append(uri, '\n'))
	}
	// Output:
	// http://a/b/g
	// http://a/b/c/d;p?y
	// whatwg: "http://[": byte 7: an IPv6 address without a closing bracket
}

func ExampleNewBase_noBase() {
	b, _ := resolve.NewBase("", resolve.Options{})
	fmt.Println(b.Resolve("HTTP://EXAMPLE.com:80"))
	_, err := b.Resolve("page.html")
	fmt.Println(errors.Is(err, resolve.ErrNoBase))
	// Output:
	// http://example.com/ <nil>
	// true
}

func ExampleOptions() {
	for _, o := range []resolve.Options{
		{Rules: resolve.RFC2396},
		{Rules: resolve.RFC2396, ExcessDots: resolve.RemoveDots},
		{Rules: resolve.RFC3986},
	} {
		b, _ := resolve.NewBase("http://a/b/c/d;p?q", o)
		uri, _ := b.Resolve("../../../g")
		fmt.Println(uri)
	}
	// Output:
	// http://a/../g
	// http://a/g
	// http://a/g
}

func ExampleBase_Form() {
	b, _ := resolve.NewBase("http://a/b", resolve.Options{})
	for _, ref := range []string{"g", "http:g", "mailto:c@d", "#s"} {
		fmt.Println(ref, map[resolve.Form]string{
			resolve.Relative: "relative", resolve.Absolute: "absolute", resolve.SameDocument: "same document",
		}[b.Form([]byte(ref))])
	}
	// Output:
	// g relative
	// http:g relative
	// mailto:c@d absolute
	// #s same document
}

func ExampleSplit() {
	r := resolve.Split("//a/b?#s")
	fmt.Printf("%q %q %q %v %q\n", r.Authority, r.Path, r.Query, r.HasQuery, r.Fragment)
	r.HasQuery = false
	fmt.Println(r)
	// Output:
	// "a" "/b" "" true "s"
	// //a/b#s
}

func ExampleBase_Relative() {
	b, _ := resolve.NewBase("http://a/b/c/d;p?q", resolve.Options{})
	for _, uri := range []string{"http://a/b/c/g", "http://a/b/", "http://a/b/c/d;p?q#s"} {
		ref, _ := b.Relative(uri)
		fmt.Println(ref)
	}
	// Output:
	// g
	// ..
	// #s
}

func ExampleBase_AppendWarnings() {
	b, _ := resolve.NewBase("http://a/", resolve.Options{})
	ref := []byte("//user:secret@127.0.0.1:25/%0D%0A")
	uri, _ := b.Append(nil, ref)
	fmt.Println(b.AppendWarnings(nil, ref, uri))
	// Output:
	// [host-change escaped-control password port reserved-port private-host]
}

func ExampleLevel_Equivalent() {
	a, b := "HTTP://example.com:80/%7Euser/./x", "http://example.com/~user/x"
	fmt.Println(resolve.Escapes.Equivalent(a, b), resolve.Scheme.Equivalent(a, b))
	fmt.Println(resolve.CaseLevel.Normalize(a))
	// Output:
	// false true
	// http://example.com:80/%7Euser/./x
}
