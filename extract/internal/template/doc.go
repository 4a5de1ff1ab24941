// Package template finds the pieces of template languages and of mail merges, which a program
// replaces before anyone reads the document. A piece is not part of a URL, and no edit changes a
// byte of it.
//
// [First] finds the first piece of a value. The value may cut the piece off: in href="<?php echo
// "b" ?>/x" the value of the attribute is "<?php echo ". [Code] finds the pieces of a whole
// document that may be program code, which may quote markup.
//
// Files in reading order: mark.go, field.go (mail merges), piece.go, php.go, code.go.
package template
