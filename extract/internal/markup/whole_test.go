package markup

import "testing"

// The elements around svg decide which end tags end it, and formatting elements continue in an
// integration point.
func TestOpenAround(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      Space // of the last start tag
	}{
		{"nothing of that name", `<html><svg></hgroup><g>`, SVG},
		{"a foreign name", `<ol><svg></math><g>`, SVG},
		{"an element around", `<div><svg></div><g>`, HTML},
		{"one that is closed", `<div></div><svg></div><g>`, SVG},
		{"a name of equal hash", `<qp9><svg></sty<e><g>`, SVG},
		{"another heading", `<h1><svg></h2><g>`, HTML},
		{"a row without a table", `<tr><math></tr><source>`, MathML},
		{"a row of a table", `<table><tr><td><math></tr><source>`, HTML},
		{"an implied part of a table", `<table><tr><td><svg></tbody><g>`, HTML},
		{"a part that a template does not imply", `<template><tr><svg></tbody><g>`, SVG},
		{"a part in a template that began with another element", `<template><img><tr><math></tr><g>`, MathML},
		{"a part in a template that began with one", `<template><link><td></td><i></i><td><math></td><g>`, HTML},
		{"a limit of scopes between", `<a><object><svg></a><g>`, SVG},
		{"a special element between", `<span><div><svg></span><g>`, SVG},
		{"a special element in formatting", `<b><div><svg></b><g>`, HTML},
		{"a form, which is closed alone", `<form><svg></form><g>`, SVG},
		{"noscript in the head", `<noscript><svg></noscript><g>`, SVG},
		{"noscript in the head before text", `<noscript>x<svg></noscript><g>`, SVG},
		{"noscript in the body", `</head><noscript><svg></noscript><g>`, HTML},
		{"noscript behind text", `x<noscript><svg></noscript><g>`, HTML},
		{"a second one in a row", `<span><svg></span><div><svg></div><g>`, HTML},
		{"formatting that goes on", `<svg><desc><i>b<u></i>c</desc><source>`, HTML},
		{"formatting that nothing follows", `<svg><desc><i>b<u></i></desc><g>`, SVG},
		{"formatting that NUL follows", "<svg><desc><i>b<u></i>\x00</desc><g>", SVG},
		{"formatting before a less-than sign", `<svg><desc><i>b<u></i><3</desc><source>`, HTML},
		{"formatting behind an object", `<svg><desc><object><i></object>c</desc><g>`, SVG},
	} {
		var s Scanner
		s.Reset([]byte(tt.src))
		last := HTML
		for k := s.Next(); k != EOF; k = s.Next() {
			if k == StartTag {
				last = s.Space
			}
		}
		if last != tt.want {
			t.Errorf("%s: the last tag of %s is of space %d, want %d", tt.name, tt.src, last, tt.want)
		}
	}
}
