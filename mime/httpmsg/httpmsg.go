// Package httpmsg reads an HTTP response or request as an archive or a file holds
// it, whatever the server made of the rules.
package httpmsg
