package mime

import (
	"strings"

	"absolink/mime/internal/sealed"
)

// Protected says why no edit may touch the body of e, or returns an empty string. The reason is
// "signed" or "encrypted" below a multipart of that kind, and for the types of S/MIME and PGP.
// Other protected bodies are: reports on a message, such as a delivery status; parts that stand for
// a message or a part stored elsewhere; parts that Parse did not enter; and parts that are Enclosed
// or Attached. [Leaf.Protected] also detects clear-signed text.
//
// Of several reasons, "encrypted" comes first and "signed" last: a caller that breaks signatures
// must still respect the others.
func (e *Entity) Protected() string {
	signature := e.signatureReason()
	if signature == encrypted {
		return encrypted
	}
	if reason := e.otherReason(); reason != "" {
		return reason
	}
	return signature
}

// The reasons of signatureReason.
const (
	signed    = "signed"
	encrypted = "encrypted"
)

// otherReason returns a reason other than a signature or encryption, or an empty string.
func (e *Entity) otherReason() string {
	if e.whyNotEntered != "" {
		return e.whyNotEntered
	}
	switch {
	case e.attached:
		return "attached as " + e.mediaType
	case e.m.enclosing != nil:
		return e.m.enclosing.Protected()
	}
	switch e.mediaType {
	case "message/delivery-status", "message/global-delivery-status", "message/disposition-notification",
		"message/global-disposition-notification", "message/feedback-report", "message/tracking-status",
		"message/partial", "message/external-body", "text/rfc822-headers", "text/rfc822-header",
		"message/global-headers":
		return e.mediaType
	case "message/rfc822", "message/global", "message/news":
		if !e.holdsMessage() {
			return "message in a transfer encoding"
		}
	}
	return ""
}

// signatureReason returns encrypted if e is encrypted, signed if a signature covers e, and
// otherwise an empty string.
func (e *Entity) signatureReason() string {
	reason := e.typeReason()
	for a := e; a != nil; a = a.Parent {
		switch {
		case a.mediaType == "multipart/encrypted":
			return encrypted
		case a.mediaType == "multipart/signed" && reason == "":
			reason = signed
		}
	}
	return reason
}

// typeReason returns the reason that the media type of e gives, or an empty string.
func (e *Entity) typeReason() string {
	switch strings.Replace(e.mediaType, "/x-", "/", 1) {
	case "application/pkcs7-mime":
		if strings.EqualFold(e.Param("smime-type"), "signed-data") {
			return signed
		}
		return encrypted
	case "application/pgp-encrypted":
		return encrypted
	case "application/pkcs7-signature", "application/pgp-signature", "application/pgp":
		return signed
	}
	return ""
}

// DKIM reports whether a mail server has signed the message of e or a message around it. It looks
// for signatures over the heading and the body: DKIM (RFC 6376), its predecessor DomainKeys (RFC
// 4870), and the seal of a forwarder (ARC, RFC 8617). Edits of such a message are not refused, but
// they break a signature that may still be checked. The caller must decide.
func (e *Entity) DKIM() bool {
	for ; e != nil; e = e.Parent {
		for _, name := range [...]string{"DKIM-Signature", "ARC-Message-Signature", "DomainKey-Signature"} {
			if _, n := e.field(name); n > 0 {
				return true
			}
		}
	}
	return false
}

// Protected says why no edit may touch the leaf, or returns an empty string. The reason is the
// result of [Entity.Protected], the text of Mislabelled, or "signed" for a clear-signed text.
func (l *Leaf) Protected() string {
	reason := l.Entity.Protected()
	switch {
	case reason != "" && reason != signed:
		return reason
	case l.Mislabelled != "":
		return l.Mislabelled
	case sealed.HasClearSigned(l.Data):
		return signed
	}
	return reason
}
