package page

// Markdown finds the references of a text of Markdown. Package extract/markdown sets it when it is
// initialised, so that programs without Markdown do not contain its parser. It is nil in programs
// that do not import that package.
var Markdown func(f *Finder)

// MarkdownAnchors returns the anchors of the headings of a text of Markdown, and the anchors in its
// HTML. It is set together with Markdown.
var MarkdownAnchors func(f *Finder) []string
