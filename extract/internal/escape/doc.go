// Package escape writes a URI into the place where a reference stands, so that it is read
// back as it is and can never break out of there.
//
// A [Context] says what is around a reference: the list or the token that it is a part
// of, the quotes of the attribute, the documents and comments around it, the encoding of
// it all. What is appended is ASCII. It is written from the inside out: first what a list
// or refresh would cut is percent-encoded, then come the escapes of CSS or JSON, then
// those of HTML or XML, then those of each document around. Every stage turns bytes into
// bytes, and ASCII into ASCII. What a place cannot hold at all is percent-encoded.
//
// Files in reading order: encoding.go (of the whole document), list.go (what a list or a
// token does), attribute.go (HTML), xml.go, comment.go, context.go, write.go (all of it
// together).
package escape
