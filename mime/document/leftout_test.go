package document_test

import (
	"regexp"
	"strings"
	"testing"

	"absolink/mime/document"
)

// Parts that may hold links and are not read are reported, with a program that reads them. They are
// no loss.
func TestLeftOut(t *testing.T) {
	for _, tt := range []struct{ head, body, want string }{
		{"application/ms-tnef; name=winmail.dat", "eJ8+", "ms-tnef.*(ytnef|tnef) unpacks"},
		{"application/vnd.ms-tnef", "eJ8+", "ms-tnef"},
		{"application/octet-stream; name=WINMAIL.DAT", "eJ8+", "ms-tnef"},
		{"application/octet-stream; name=a.tnef", "eJ8+", "ms-tnef"},
		{"application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m",
			"MIAG", "encrypted: openssl cms -decrypt"},
		{"application/x-pkcs7-mime; smime-type=signed-data; name=smime.p7m",
			"MIAG", "signed and encoded: openssl cms -verify"},
		{"application/pkcs7-mime; smime-type=AuthEnveloped-Data", "MIAG", "encrypted: openssl cms -decrypt"},
		{"application/pkcs7-mime; smime-type=compressed-data; name=smime.p7z", "MIAG", "-uncompress"},
		{"application/pkcs7-mime; name=smime.p7m", "MIAG", "encrypted or signed: openssl cms"},
		{"application/octet-stream; name=smime.p7m", "MIAG", "openssl cms"},
		{"application/pkcs7-mime; smime-type=certs-only; name=smime.p7c", "MIAG", ""},
		{"application/pkcs7-mime; name=smime.p7c", "MIAG", ""},
		{"application/pkcs7-signature; name=smime.p7s", "MIAG", ""},
		{"message/partial; id=\"p@x\"; number=2; total=3", "f=x",
			"message/partial, piece 2 of 3 of a message: munpack"},
		{"message/partial; id=\"p@x\"; number=1", "Subject: x\n", "piece 1 of a message"},
		{"message/partial", "x", "a piece of a message"},
		{"multipart/encrypted; boundary=e; protocol=\"application/pgp-encrypted\"",
			"--e\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--e\nContent-Type: application/octet-stream;" +
				" name=encrypted.gpg\n\nx\n--e--\n",
			"multipart/encrypted, encrypted: gpg --decrypt"},
		{"multipart/encrypted; boundary=e", "--e\n\nx\n--e--\n", "encrypted$"},
		{"multipart/encrypted; protocol=application/x-pkcs7-mime; boundary=e",
			"--e\n\nx\n--e--\n", "openssl cms -decrypt"},
		{"application/pgp-encrypted", "Version: 1", "gpg --decrypt"},
		{"application/pgp", "x", "gpg --decrypt"},
		{"application/octet-stream; name=page.html.gpg", "x", "encrypted: gpg"},
		{"application/vnd.ms-outlook; name=a.msg", "x", "msgconvert"},
		{"application/octet-stream; name=a.msg", "x", "msgconvert"},
		{"text/plain", "x\n-----BEGIN PGP MESSAGE-----\n\nhQ==\n-----END PGP MESSAGE-----\n", "PGP message.*gpg"},
		{"text/plain", "x\n-----BEGIN PGP SIGNED MESSAGE-----\n", ""},
		{"application/mbox; name=a.mbox", "x", "a mailbox: save it"},
		{"application/octet-stream; name=A.MBOX", "x", "a mailbox: save it"},
		{"application/gzip; name=page.html.gz", "x", "a document, compressed: gunzip"},
		{"application/x-gzip; name=a.EML.GZ", "x", "a document, compressed: gunzip"},
		{"application/octet-stream; name=page.ics.gz", "x", "a document, compressed: gunzip"},
		{"application/gzip; name=a.tar.gz", "x", ""},
		{"application/gzip; name=winmail.dat", "x", ""},
		{"application/pdf; name=page.html.gz", "x", ""},
		{"application/octet-stream; name=a.asc",
			"\n-----BEGIN PGP MESSAGE-----\n\nhQ==\n", "a PGP message, encrypted: gpg"},
		{"application/octet-stream; name=a.asc", "-----BEGIN PGP SIGNATURE-----\n\nhQ==\n", ""},
		{"application/octet-stream; name=a.bin", "-----BEGIN PGP MESSAGE-----\n\nhQ==\n", ""},
		{"application/octet-stream; name=a.bin", "x", ""},
		{"application/octet-stream", "x", ""},
		{"image/png", "x", ""},
		{"application/pdf", "x", ""},
	} {
		text := "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nsee http://h.example/\n--b\nContent-Type: " +
			tt.head + "\n\n" + tt.body + "\n--b--\n"
		var s document.Set
		src := &document.Source{Message: true, At: strings.NewReader(text), Size: int64(len(text)), Data: []byte(text)}
		if err := s.Open(src, nil, document.Options{Listing: true}); err != nil {
			t.Fatal(err)
		}
		for d := range s.All() {
			for range d.Refs() {
			}
		}
		list := s.Problems()
		if tt.want == "" {
			if len(list) > 0 {
				t.Errorf("%s: problems %+v, want none", tt.head, list)
			}
			continue
		}
		if len(list) != 1 {
			t.Errorf("%s: %d problems, want one: %+v", tt.head, len(list), list)
			continue
		}
		p := list[0]
		if p.Kind != document.LeftOut || !p.Minor || p.Line < 8 ||
			p.Part != "2" || !regexp.MustCompile(tt.want).MatchString(p.Detail) {
			t.Errorf("%s: problem %+v, want a minor one of part 2 that matches %q", tt.head, p, tt.want)
		}
	}
}
