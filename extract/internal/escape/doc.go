// Package escape writes a URI into the place of a reference. It ensures that the URI is read back
// unchanged and can never break out of its place.
//
// A [Context] describes the surroundings of a reference: the list or token that contains it, the
// quotes of the attribute, the documents and comments around it, and the encoding. The output is
// ASCII. It is made from the inside out. First, characters that a list or refresh would cut are
// percent-encoded. Then come the escapes of CSS or JSON, then the escapes of HTML or XML, then the
// escapes of each outer document. Every stage turns bytes into bytes, and ASCII into ASCII. A
// character that a place cannot hold at all is percent-encoded.
//
// Files in reading order: encoding.go (of the whole document), list.go (lists and tokens),
// markdown.go, attribute.go (HTML), xml.go, comment.go, context.go, write.go (all of it together).
package escape
