// Package secret hides the passwords and signatures of URLs, so that no message repeats one.
//
// Users type passwords unescaped, and parsers misread such URLs. A "/", "?" or "#" in a password
// ends the authority, and without a scheme the user name looks like a scheme. The functions here
// read such a URL as the user meant it.
package secret

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"absolink/resolve"
)

// URL returns a URL without its password and without the values of signatures in its query. The
// caller knows that s is meant as a URL, so the password of "user:password@host", without a scheme,
// is hidden too. URL returns s unchanged if it has neither.
func URL(s string) string { return hideSignatures(hidePassword(s)) }

// hidePassword returns a URL without its password.
func hidePassword(s string) string {
	written := s
	if b, err := resolve.NewBase(s, resolve.Options{}); err == nil {
		written = b.String()
	}
	authority := resolve.Split(written).Authority
	i := strings.LastIndexByte(authority, '@')
	user, _, ok := strings.Cut(authority[:max(i, 0)], ":")
	if !ok {
		return hideTyped(s)
	}
	return strings.Replace(written, authority, user+authority[i:], 1)
}

// hideTyped does the work of hidePassword for texts that parsers do not read as a URL with a
// password.
func hideTyped(s string) string {
	start := beginning().FindString(s)
	rest := s[len(start):]
	if scheme, _, _ := strings.Cut(rest, ":"); strings.TrimSpace(start) == "" && isOpaque(scheme) {
		return s
	}
	return start + hide(rest, login())
}

// Text returns a text without the passwords of the URLs in it, and without the values of
// signatures in their queries. The URLs have a scheme with slashes, a scheme that browsers know, or
// two slashes.
func Text(s string) string {
	s = hideSignatures(s)
	if !strings.Contains(s, "@") {
		return s
	}
	s = strict().ReplaceAllString(s, "$1@")
	return hide(s, loose())
}

// Arguments returns a function that removes the passwords of a command line's URLs from a text. The
// URLs stand in arguments such as INPUT, --flag=URL and OLD=NEW, and may hold white space.
func Arguments(args []string) func(text string) string {
	var pairs []string
	add := func(value string) {
		hidden := URL(value)
		if hidden == value {
			return
		}
		quoted := strings.Trim(strconv.Quote(value), `"`)
		pairs = append(pairs, value, hidden, quoted, hidden, strings.ToLower(value), hidden)
		hidden = hidePassword(value)
		for i := range min(len(value), len(hidden)) {
			if value[i] != hidden[i] { // messages cut the address of a server at the colon
				pairs = append(pairs, value[i+1:], hideSignatures(hidden[i+1:]))
				break
			}
		}
	}
	for _, arg := range args {
		add(arg)
		for rest, ok := arg, true; ok; {
			var left string
			left, rest, ok = strings.Cut(rest, "=")
			add(left)
			add(rest)
		}
	}
	return strings.NewReplacer(pairs...).Replace
}

const (
	// browsers take any number of slashes after these schemes, backslashes too
	begin = `(?:\b(?:https?|ftp|wss?):[/\\]*|\b[a-z][a-z0-9+.-]*:[/\\]+|[/\\]{2,})`
	user  = `[^\s/\\?#:@"'<>\[]*`
)

// hideSignatures removes the values of the parameters by which stores of objects grant access:
// Amazon S3, CloudFront, Google Cloud Storage, Azure and Alibaba OSS. The "&" before a parameter
// may be written as in HTML or JSON.
func hideSignatures(s string) string {
	if !strings.ContainsAny(s, `?&\`) {
		return s
	}
	return signature().ReplaceAllString(s, "$1")
}

// signature matches a parameter with a signature. Its group is the text before the value.
var signature = sync.OnceValue(func() *regexp.Regexp {
	const names = `X-(?:Amz|Goog|Oss)-(?:Signature|Credential|Security-Token)|Security-Token|AWSAccessKeyId|` +
		`OSSAccessKeyId|GoogleAccessId|Signature|sig`
	return regexp.MustCompile(`(?i)((?:[?&]|&amp;|\\u0026)(?:` + names + `)=)[^&#\s"'<>\\]*`)
})

// strict matches a user and a password that fits a URL. Its group is the text before the password.
var strict = sync.OnceValue(func() *regexp.Regexp {
	const password = `(?:[^\s/\\?#]|\\["'])*` // a message may quote the text around it
	return regexp.MustCompile(`(?i)(` + begin + user + `):` + password + `@`)
})

// loose matches a user and any password without white space, in running text. Its groups are the
// text before the password, and the password.
var loose = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(` + begin + user + `):(\S*)@`)
})

// beginning matches the text before the authority, in a text that is one URL.
var beginning = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\s*(?:` + begin + `)?`)
})

// login is loose for a text that begins with the user name.
var login = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(` + user + `):(.*)@`)
})

// hide removes the passwords that pattern matches in s.
func hide(s string, pattern *regexp.Regexp) string {
	var kept strings.Builder
	end := 0
	for _, m := range pattern.FindAllStringSubmatchIndex(s, -1) {
		if isPort(s[m[4]:m[5]]) {
			continue
		}
		kept.WriteString(s[end:m[3]])
		end = m[1] - len("@")
	}
	return kept.String() + s[end:]
}

// isPort reports whether s, the text between a host's colon and an "@", is a port with a path or
// query behind it. The "@" then belongs to the path, as in http://localhost:8080/@scope/name.
func isPort(s string) bool {
	i := strings.IndexAny(s, `/\?#`)
	if i < 0 {
		return false
	}
	_, err := strconv.ParseUint(s[:i], 10, 16)
	return err == nil
}

// opaque are URI schemes whose URIs may have an "@" but no password.
var opaque = strings.Fields(`acct cid data im javascript jid mailto mid news pres sip sips tag tel urn
	view-source xmpp`)

// isOpaque reports whether s is one of the opaque schemes.
func isOpaque(s string) bool {
	return slices.Contains(opaque, strings.ToLower(s))
}
