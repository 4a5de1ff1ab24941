// Package template finds the pieces of template languages and of mail merges: what a program
// will replace before anyone reads the document. A piece is no part of a URL, and stays as it is
// to the byte.
//
// [First] finds the first piece of a value, in which it may also be cut off: in
// href="<?php echo "b" ?>/x" the value of the attribute is "<?php echo ". [Code] finds the pieces
// of a whole document that may be program code, in which markup may be quoted.
//
// Files in reading order: mark.go, field.go (mail merges), piece.go, php.go, code.go.
package template
