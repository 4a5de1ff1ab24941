// Package template finds the pieces of template languages and of mail merges, which a program
// replaces before anyone reads the document. A piece is not part of a URL, and no edit changes a
// byte of it.
//
// [First] finds the first piece of a value. The piece may be cut off at the end of the value. In
//
//	href="<?php echo "b" ?>/x"
//
// HTML ends the value at the second quote, so the value is <?php echo. [Code] finds the pieces of a
// whole document that can hold program code.
//
// Files in reading order: mark.go, field.go (mail merges), piece.go, php.go, code.go.
package template
