// Package template finds the pieces of template languages and of mail merges, which a program
// replaces before anyone reads the document. A piece is not part of a URL, and no edit changes a
// byte of it.
//
// [First] finds the first piece of a value. A piece may be longer than the value: in href="<?php
// echo "b" ?>/x", the value of the attribute ends before the b. [Code] finds the pieces of a whole
// document that may be program code. Such code may quote markup.
//
// Files in reading order: mark.go, field.go (mail merges), piece.go, php.go, code.go.
package template
