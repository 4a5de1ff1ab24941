package document

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"absolink/extract"
	"absolink/mime"
)

// Some parts of messages are not read, although they may hold links that a user looks for. They are
// encrypted, are pieces of another message, or have the format of one mail program. Each such part
// is reported, with the name of a program that can read it.

// Advice for users: programs that read parts that absolink cannot read.
const (
	withTNEF    = "ytnef or tnef unpacks it"
	withOpenSSL = "openssl cms"
	withGPG     = "gpg --decrypt reads it with your key"
	withMunpack = "munpack joins the pieces"
	withOutlook = "msgconvert makes a message of it"
	withGunzip  = "gunzip unpacks it"
	saveMailbox = "save it as a file, and absolink reads it"
)

// noteLeftOut reports e if it may hold links and is not read.
func (s *Set) noteLeftOut(e *mime.Entity) {
	text := sealed(e)
	if text == "" && s.isArmored(e) {
		text = e.MediaType() + ", a PGP message, encrypted: " + withGPG
	}
	if text != "" {
		s.add(Problem{Kind: LeftOut, Part: e.Section, Offset: s.offset(e.Body.Start), Detail: text, Minor: true})
	}
}

// isArmored reports whether e is a file with the ending .asc that holds a PGP message. Other files
// with this ending are keys and signatures.
func (s *Set) isArmored(e *mime.Entity) bool {
	if !e.Generic() {
		return false
	}
	_, name := e.Disposition()
	if !strings.EqualFold(path.Ext(strings.TrimSpace(name)), ".asc") || isInEncrypted(e) {
		return false
	}
	leaf, err := e.Leaf()
	return err == nil && bytes.HasPrefix(bytes.TrimLeft(leaf.Data, " \t\r\n"), beginPGP)
}

// sealed describes e and names a program that reads it, if e may hold links and is of a kind that
// is not read. Otherwise it returns an empty string.
func sealed(e *mime.Entity) string {
	kind := e.MediaType()
	if kind == "multipart/encrypted" {
		return encrypted(e)
	}
	if isInEncrypted(e) {
		return "" // the multipart is reported instead
	}
	switch kind {
	case "application/ms-tnef", "application/vnd.ms-tnef":
		return tnef(kind)
	case "application/pkcs7-mime", "application/x-pkcs7-mime":
		return pkcs7(e)
	case "application/vnd.ms-outlook":
		return kind + ", a message of Outlook: " + withOutlook
	case "application/pgp-encrypted", "application/pgp", "application/x-pgp", "application/x-pgp-message":
		return kind + ", encrypted: " + withGPG
	case "message/partial":
		return partial(e)
	case "application/mbox":
		return kind + ", a mailbox: " + saveMailbox
	}
	gzip := kind == "application/gzip" || kind == "application/x-gzip"
	if !gzip && !e.Generic() {
		return ""
	}
	if e.NamesGzip() {
		return kind + ", by its name a document, compressed: " + withGunzip
	}
	if gzip {
		return ""
	}
	_, name := e.Disposition()
	name = strings.ToLower(strings.TrimSpace(name))
	switch path.Ext(name) {
	case ".mbox":
		return kind + ", by its name a mailbox: " + saveMailbox
	case ".tnef":
		return tnef(name)
	case ".p7m":
		return pkcs7(e)
	case ".pgp", ".gpg":
		return kind + ", by its name encrypted: " + withGPG
	case ".msg":
		return kind + ", by its name a message of Outlook: " + withOutlook
	}
	if name == "winmail.dat" || name == "win.dat" {
		return tnef(kind)
	}
	return ""
}

// isInEncrypted reports whether e is inside a multipart/encrypted.
func isInEncrypted(e *mime.Entity) bool {
	for a := e.Parent; a != nil; a = a.Parent {
		if a.MediaType() == "multipart/encrypted" {
			return true
		}
	}
	return false
}

func tnef(kind string) string {
	return kind + ", a file of Outlook (ms-tnef) in which the text and the attachments of a message may be: " + withTNEF
}

// encrypted describes a multipart/encrypted (RFC 1847 Section 2.2).
func encrypted(e *mime.Entity) string {
	text := "multipart/encrypted, encrypted"
	switch protocol := strings.ToLower(e.Param("protocol")); {
	case strings.HasPrefix(protocol, "application/pgp"):
		text += ": " + withGPG
	case strings.Contains(protocol, "pkcs7"):
		text += ": " + withOpenSSL + " -decrypt reads it with your key"
	}
	return text
}

// pkcs7 describes an opaque part of S/MIME (RFC 8551 Section 3.2). It returns an empty string if
// the part holds only certificates or a signature.
func pkcs7(e *mime.Entity) string {
	kind := e.MediaType()
	_, name := e.Disposition()
	switch strings.ToLower(path.Ext(strings.TrimSpace(name))) {
	case ".p7c", ".p7s":
		return ""
	}
	switch strings.ToLower(e.Param("smime-type")) {
	case "certs-only":
		return ""
	case "signed-data":
		return kind + ", signed and encoded: " + withOpenSSL + " -verify -noverify prints its text"
	case "compressed-data":
		return kind + ", compressed: " + withOpenSSL + " -uncompress prints its text"
	case "enveloped-data", "authenveloped-data":
		return kind + ", encrypted: " + withOpenSSL + " -decrypt reads it with your key"
	}
	return kind + ", encrypted or signed: " + withOpenSSL + " -decrypt reads it with your key, " +
		withOpenSSL + " -verify -noverify if it is signed"
}

// partial describes a message/partial: which piece of a message it is (RFC 2046 Section 5.2.2).
func partial(e *mime.Entity) string {
	text := e.MediaType() + ", a piece of a message"
	if number := e.Param("number"); number != "" {
		text = fmt.Sprintf("%s, piece %.20s", e.MediaType(), number)
		if total := e.Param("total"); total != "" {
			text += fmt.Sprintf(" of %.20s", total)
		}
		text += " of a message"
	}
	return text + ": " + withMunpack
}

// beginPGP begins encrypted text of OpenPGP (RFC 4880 Section 6.2) inside a plain text. namePGP is
// its part without dashes, which are frequent in mail and slow the search down.
var (
	beginPGP = []byte("-----BEGIN PGP MESSAGE-----")
	namePGP  = bytes.Trim(beginPGP, "-")
)

// indexPGP returns the index of the first beginPGP in b, or -1.
func indexPGP(b []byte) int {
	before := bytes.Index(beginPGP, namePGP)
	for at := 0; ; at++ {
		i := bytes.Index(b[at:], namePGP)
		if i < 0 {
			return -1
		}
		at += i
		if at >= before && bytes.HasPrefix(b[at-before:], beginPGP) {
			return at - before
		}
	}
}

// noteSealedText reports the current leaf if it holds encrypted text.
func (s *Set) noteSealedText(l *mime.Leaf) {
	if s.doc.Format != extract.Plain {
		return
	}
	if i := indexPGP(l.Data); i >= 0 {
		at := l.Source(extract.Span{Start: i, End: i + len(beginPGP)}).Start
		text := "a PGP message in the text, encrypted: " + withGPG
		s.add(Problem{Kind: LeftOut, Part: l.Entity.Section, Offset: s.offset(at), Detail: text, Minor: true})
	}
}
