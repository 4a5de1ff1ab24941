package kinds

import (
	"strings"
	"testing"

	"absolink/extract"
	_ "absolink/extract/markdown"
)

const (
	xhtml     = Kind(extract.XHTML)
	xmlKind   = Kind(extract.XML)
	svg       = Kind(extract.SVG)
	feed      = Kind(extract.Feed)
	sitemap   = Kind(extract.Sitemap)
	opml      = Kind(extract.OPML)
	sheet     = Kind(extract.CSS)
	text      = Kind(extract.Plain)
	md        = Kind(extract.Markdown)
	manifest  = Kind(extract.Manifest)
	bookmarks = Kind(extract.Bookmarks)
	script    = Kind(extract.Script)
)

// named is a file name with the kind that a person would give to a file with that name and
// beginning.
type named struct {
	name string
	want Kind
}

// beginnings are beginnings of files. Each has a name that tells the kind, a name that misleads,
// and the kind without any telling name. Other stands for every kind that is not read: a person
// would call it a program, data or a picture, or would not know.
var beginnings = []struct {
	head      string
	telling   named
	misleads  named
	anonymous Kind
}{
	// Style sheets. Markup stands in a string or a comment, or a server sent a page instead.
	{`@charset "utf-8"; a{background:url(x.png)}`, named{"a.css", sheet}, named{"a.txt", text}, sheet},
	{`@import "/x"; b{background:url("data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>")}`,
		named{"a.css", sheet}, named{"a.php", HTML}, sheet},
	{"@import url(x.css);\n", named{"a.css?ver=5.2", sheet}, named{"a.md", md}, sheet},
	{"@media screen{a{color:red}}", named{"a.css@ver=5.2", sheet}, named{"a.py", Other}, sheet},
	{"@font-face { src: url(x.woff) }", named{"A.CSS", sheet}, named{"a.scss", Other}, sheet},
	{"@import is described at http://e.example/", named{"a.css", sheet}, named{"a.txt", text}, Other},
	{"@media is a rule", named{"a.css", sheet}, named{"a.html", HTML}, Other},
	{"/* <svg xmlns='x'> */ b{background:url(x)}", named{"a.css", sheet}, named{"a.js", script}, sheet},
	{"/* <html> */\n/* <rss version='2.0'> */\n.a > b, #c:hover { background: url(x) }",
		named{"a.css", sheet}, named{"a.md", md}, sheet},
	{"/*! license", named{"a.css", sheet}, named{"a.js", script}, Other},
	{`b::after{content:"<feed>"}`, named{"a.css", sheet}, named{"a.csv", Other}, Other},
	{"<!-- b{background:url(x)} -->", named{"a.css", sheet}, named{"a.html", HTML}, sheet},
	{"<!--\nb{background:url(x)}\n-->\nc{}", named{"a.css", sheet}, named{"a.html", HTML}, sheet},
	{"\xef\xbb\xbfb{background:url(x)}/* <opml> */", named{"a.css", sheet}, named{"a.txt", text}, sheet},
	{"Note: b{background:url(x)}", named{"a.css", sheet}, named{"a.txt", text}, Other},
	{":root{--a:url(x)}", named{"a.css", sheet}, named{"a.json", Other}, sheet},
	{"<style>b{background:url(x)}</style>", named{"a.css", sheet}, named{"a.txt", text}, HTML},
	{"", named{"a.css", sheet}, named{"a.js", script}, Other},
	{"$c: red;\n@mixin b { c: d }", named{"a.scss", Other}, named{"a.txt", text}, Other},

	// Pages, whole and in part.
	{"<!DOCTYPE html><title>x</title>", named{"a.html", HTML}, named{"a.css", HTML}, HTML},
	{"<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\"\n\"http://www.w3.org/TR/html4/strict.dtd\">\n<html>",
		named{"a.htm", HTML}, named{"a.json", HTML}, HTML},
	{" \r\n\t<!doctype\thtml>\n<html lang=en>", named{"a.html", HTML}, named{"a.txt", HTML}, HTML},
	{"\xef\xbb\xbf<!DOCTYPE html><html>", named{"a.shtml", HTML}, named{"a.eml", HTML}, HTML},
	{"<html><head><title>Moved</title></head>", named{"a.html", HTML}, named{"theme.css", HTML}, HTML},
	{"<HTML><BODY>", named{"a.asp", HTML}, named{"a.mbox", HTML}, HTML},
	{"<html>\n<head>", named{"a.html", HTML}, named{"robots.txt", HTML}, HTML},
	{"<html> and <body> are tags", named{"a.html", HTML}, named{"a.txt", text}, HTML},
	{"<!DOCTYPE html> begins a page, see http://e.example/", named{"a.html", HTML}, named{"a.txt", text}, HTML},
	{"<head><meta charset=utf-8>", named{"a.php", HTML}, named{"a.warc", HTML}, HTML},
	{"<!-- <rss> --><p><a href=x>", named{"a.html", HTML}, named{"a.md", md}, HTML},
	{"<!--[if IE]><html class=ie><![endif]--><!--[if !IE]><!--><html><!--<![endif]-->",
		named{"a.html", HTML}, named{"a.js", HTML}, HTML},
	{"<![if !IE]><p>x<![endif]>", named{"a.html", HTML}, named{"a.txt", text}, HTML},
	{"<a href='http://e.example/'>x</a> is a link", named{"a.html", HTML}, named{"a.txt", text}, HTML},
	{"<p align=center><img src=logo.png></p>", named{"a.html", HTML}, named{"README.md", md}, HTML},
	{"<section><a href=x>", named{"a.html", HTML}, named{"a.rst", text}, HTML},
	{"<my-element><a href=x>", named{"a.html", HTML}, named{"a.mdx", Other}, HTML},
	{"<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"i.png\"/></svg><p><a href=x>",
		named{"a.html", HTML}, named{"a.txt", text}, svg},
	{"Our <rss> feed: <a href=x>", named{"a.html", HTML}, named{"a.txt", text}, Other},
	{"<rss> is a format: <a href=x>", named{"a.html", HTML}, named{"a.txt", text}, Other},
	{"<urlset> and <feed>: <a href=x>", named{"a.html", HTML}, named{"a.md", md}, Other},
	{"From here on <a href=x>", named{"a.htm", HTML}, named{"a.txt", text}, Other},
	{"From here on\nNote: <a href=x>", named{"a.htm", HTML}, named{"a.txt", text}, Other},
	{"Subject: a\nDate: today\n\n<p><a href=x>", named{"a.html", HTML}, named{"a.txt", text}, Message},
	{"Received: two letters\nFrom: a@b.example\n\n<p>", named{"a.html", HTML}, named{"a.txt", text}, Message},
	{"HTTP/1.1 is a protocol, <a href=x>", named{"a.html", HTML}, named{"a.txt", text}, Other},
	{"WARC/1.0 is a format, <a href=x>", named{"a.html", HTML}, named{"a.txt", text}, Other},
	{"&nbsp;<a href=x>", named{"a.html", HTML}, named{"a.txt", text}, Other},
	{"{% extends 'base' %}<a href=x>", named{"a.html", HTML}, named{"a.inc", Other}, Other},
	{"{# x #}<a href=x>", named{"a.html.twig", HTML}, named{"a.css.liquid", HTML}, HTML},
	{"---\nlayout: default\n---\n<a href=x>", named{"a.html", HTML}, named{"a.md", md}, Other},
	{"<?php $t = \"<svg>\"; ?><a href=x>", named{"a.php", HTML}, named{"a.css", HTML}, HTML},
	{"<?php namespace A; class B { const C = '<a href=x>'; }", named{"a.php", HTML}, named{"a.inc", Other}, Other},
	{"<%@ page language=\"java\" %>\n<div>", named{"a.jsp", HTML}, named{"a.tpl", HTML}, HTML},
	{"<o:p> </o:p><a href=x>", named{"a.htm", HTML}, named{"a.txt", text}, HTML},
	{"</td><td><a href=x>", named{"a.html", HTML}, named{"a.txt", text}, HTML},
	{"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DT><A HREF=x>",
		named{"bookmarks.html", bookmarks}, named{"a.txt", bookmarks}, bookmarks},
	{"<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"x\">\n<html " +
		"xmlns=\"http://www.w3.org/1999/xhtml\">", named{"a.xhtml", xhtml}, named{"a.html", HTML}, xhtml},
	{"%PDF-1.4\n%\xe2\xe3\n<a href=x>", named{"a.pdf", Other}, named{"a.htm", Other}, Other},
	{"%PDF-1.4 is a format", named{"a.txt", text}, named{"a.html", HTML}, Other},
	{"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR<a href=x>", named{"a.png", Other}, named{"a.html", Other}, Other},
	{"GIF89a\x01\x00\x01\x00<p>", named{"a.gif", Other}, named{"a.css", Other}, Other},
	{`{\rtf1\ansi <a href=x>}`, named{"a.rtf", Other}, named{"a.html", Other}, Other},

	// XML: the first element, its prefix, declarations, comments.
	{"<?xml version='1.0'?><rss version='2.0'><channel>", named{"a.xml", feed}, named{"feed.php", feed}, feed},
	{"<rss version=\"2.0\"><channel>", named{"a.rss", feed}, named{"index.html", feed}, feed},
	{"<?xml version='1.0'?><?xml-stylesheet href='a.xsl'?>\n<!-- <html> -->\n<feed xmlns='http://www.w3.org/2005/" +
		"Atom'>", named{"a.atom", feed}, named{"a.txt", feed}, feed},
	{"<a:feed xmlns:a='http://www.w3.org/2005/Atom'>", named{"a.xml", feed}, named{"a.js", feed}, feed},
	{"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>",
		named{"a.rdf", feed}, named{"a.json", feed}, feed},
	{"<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>",
		named{"sitemap.xml", sitemap}, named{"sitemap.php", sitemap}, sitemap},
	{"<sitemapindex><sitemap>", named{"a.xml", sitemap}, named{"a.txt", text}, Other},
	{"<opml version='2.0'><body>", named{"a.opml", opml}, named{"a.xml", opml}, opml},
	{"<?xml version='1.0'?>\n<!-- Created for <html> -->\n<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'x'>\n<svg " +
		"xmlns='http://www.w3.org/2000/svg'>", named{"a.svg", svg}, named{"a.css", svg}, svg},
	{"<s:svg xmlns:s='http://www.w3.org/2000/svg'>", named{"a.svg", svg}, named{"a.xml", svg}, svg},
	{"<!-- <rss> --><svg xmlns='http://www.w3.org/2000/svg'>", named{"a.svg", svg}, named{"a.rss", svg}, svg},
	{"<svg width=1><image href=x>", named{"a.svg", svg}, named{"a.txt", text}, HTML},
	{"<!DOCTYPE svg [<!ENTITY a '<html>'>]>\n<svg xmlns='http://www.w3.org/2000/svg'>",
		named{"a.svg", svg}, named{"a.css", svg}, svg},
	{"<?xml version='1.0'?><note>", named{"a.xml", xmlKind}, named{"a.css", xmlKind}, xmlKind},
	{"<x:y xmlns:x='urn:x'><x:z/>", named{"a.xml", xmlKind}, named{"a.py", Other}, xmlKind},
	{"<note><a href=x>", named{"a.xml", xmlKind}, named{"a.txt", text}, Other},
	{"<!DOCTYPE html><html><head>", named{"a.html", HTML}, named{"a.xml", HTML}, HTML},
	{"<html xmlns='http://www.w3.org/1999/xhtml'>", named{"a.xhtml", xhtml}, named{"a.svg", xhtml}, HTML},
	{"<?xml version=\"1.0\"?> begins XML, see http://e.example/", named{"a.txt", text}, named{"a.md", md}, xmlKind},
	{"\xff\xfe<\x00r\x00s\x00s\x00>\x00", named{"a.rss", feed}, named{"a.xml", feed}, feed},

	// Programs and data that quote markup, and pages that a server sent in their place.
	{"var t = '<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"x\"/></svg>';",
		named{"a.js", script}, named{"a.txt", text}, Other},
	{"'use strict'; document.write('<a href=x>')", named{"a.mjs", script}, named{"a.html", HTML}, Other},
	{"<!-- hide\nvar a = '<rss>'; document.write('<a href=x>')\n// -->",
		named{"a.js", script}, named{"a.css", sheet}, Other},
	{"#!/usr/bin/env node\nconst a = '<html>'", named{"a.js", script}, named{"a.txt", text}, Other},
	{"/** <feed> */ const q = '<feed>'", named{"a.ts", Other}, named{"a.js?v=3", script}, Other},
	{"const A = () => <a href='x'>b</a>", named{"a.jsx", Other}, named{"a.js", script}, Other},
	{"<div><a href='x'>b</a></div>", named{"a.tsx", Other}, named{"a.js", script}, HTML},
	{"<!doctype html><title>404</title>", named{"a.html", HTML}, named{"app.js", HTML}, HTML},
	{"<script>document.write('x')</script>", named{"a.html", HTML}, named{"a.js", HTML}, HTML},
	{"#!/usr/bin/env python3\nHTML = '''<!doctype html>\n<a href=x>'''",
		named{"a.py", Other}, named{"a.txt", text}, Other},
	{"\"\"\"<html>\n\"\"\"", named{"a.py", Other}, named{"a.md", md}, Other},
	{"/* <opml> */ puts(\"<a href=x>\");", named{"a.c", Other}, named{"a.css", sheet}, Other},
	{"#!/bin/sh\ncat <<E\n<svg xmlns='http://www.w3.org/2000/svg'>\nE",
		named{"a.sh", Other}, named{"a.html", HTML}, Other},
	{"name,html\na,<a href=x>", named{"a.csv", Other}, named{"a.txt", text}, Other},
	{"[{\"c\": \"<feed xmlns='http://www.w3.org/2005/Atom'>\"}]", named{"a.json", Other}, named{"a.js", script}, Other},
	{"{\"c\": \"<html><a href=x>\"}", named{"a.json", Other}, named{"a.txt", text}, Other},
	{"t = \"<svg xmlns='x'><a href='x'/></svg>\"", named{"a.toml", Other}, named{"a.inc", Other}, Other},
	{"{\"start_url\": \"/\", \"icons\": []}", named{"a.webmanifest", manifest}, named{"a.json", Other}, Other},
	{"BEGIN:VCALENDAR\r\nX:<html>", named{"a.ics", Other}, named{"a.txt", text}, Other},
	{"diff --git a/x b/x\n+<html>", named{"a.patch", Other}, named{"a.txt", text}, Other},

	// Texts, whatever they mention or quote.
	{"From here on\nhttp://e.example/t", named{"a.txt", text}, named{"a.eml", Message}, Other},
	{"From here on\nNote: http://e.example/t", named{"a.txt", text}, named{"a.mbox", Mbox}, Other},
	{"Note: http://e.example/t", named{"a.txt", text}, named{"a.md", md}, Other},
	{"To: all\nFrom: me\nSubject: lunch\n\nhttp://e.example/", named{"a.txt", text}, named{"a.eml", Message}, Message},
	{"# About <svg>\n\nhttp://e.example/m", named{"a.md", md}, named{"a.html", HTML}, Other},
	{"The <html> writer\n=================\n", named{"a.rst", text}, named{"a.css", sheet}, Other},
	{".. image:: x.png\n", named{"a.rst", text}, named{"a.txt", text}, Other},
	{"PEP: 8\nTitle: x\nContent-Type: text/x-rst\n\n", named{"a.rst", text}, named{"a.txt", text}, Message},
	{"Content-Type: text/html\nSubject: is what a header says", named{"a.txt", text}, named{"a.md", md}, Message},

	// Messages, mailboxes and archives.
	{"Return-Path: <a@b.example>\r\nReceived: from b by c; x\r\nSubject: <svg> files\r\n\r\n",
		named{"a.eml", Message}, named{"a.txt", Message}, Message},
	{"Message-ID: <1@b.example>\nFrom: a@b.example\nSubject: x\n\n",
		named{"1.eml", Message}, named{"msg00001.html", Message}, Message},
	{"MIME-Version: 1.0\nContent-Type: text/html\n\n<html>",
		named{"a.eml", Message}, named{"a.html", Message}, Message},
	{"\xef\xbb\xbfFrom: a@b.example\nSubject: x\n\n", named{"a.eml", Message}, named{"a.html", HTML}, Message},
	{"\nFrom: a@b.example\nMIME-Version: 1.0\n\n<a href=3Dx>", named{"a.eml", Message}, named{"a.txt", text}, Other},
	{"Note: 1\nSubject: y\n\nFrom here on", named{"a.eml", Message}, named{"a.txt", text}, Other},
	{"Hello <a href=x>", named{"a.eml", Message}, named{"a.txt", text}, Other},
	{"From: <Saved by Blink>\r\nSnapshot-Content-Location: http://o.example/\r\nMIME-Version: 1.0\r\n\r\n",
		named{"a.mht", MHTML}, named{"a.html", MHTML}, MHTML},
	{"\nFrom: <Saved by Blink>\nSnapshot-Content-Location: http://o.example/\nMIME-Version: 1.0\n\n",
		named{"a.mhtml", MHTML}, named{"a.md", md}, Other},
	{"From a@b.example Thu Jan  1 00:00:00 2026\nFrom: a@b.example\nSubject: x\n\n",
		named{"a.mbox", Mbox}, named{"2026-January.txt", Mbox}, Mbox},
	{"From a at b.example  Thu Jan  1 00:00:00 2026\nFrom: a at b.example (A)\n",
		named{"a.mbox", Mbox}, named{"a.html", Mbox}, Mbox},
	{"\n \n\nFrom a@b.example Thu Jan  1 00:00:00 2026\nFrom: a@b.example\n",
		named{"a.mbox", Mbox}, named{"a.txt", Mbox}, Mbox},
	{"\xef\xbb\xbfFrom - Thu Jan 01 00:00:00 2026\nX-Mozilla-Status: 0001\n",
		named{"a.mbox", Mbox}, named{"a.txt", Mbox}, Mbox},
	{"From a@b.example\nX-Any: x\n\n", named{"a.mbox", Mbox}, named{"a.txt", text}, Mbox},
	{"From Thu Jan  1 00:00:00 2026\nNote: x", named{"a.mbox", Mbox}, named{"a.txt", text}, Mbox},
	{"garbage\n\nFrom a@b.example Thu Jan  1 00:00:00 2026\n", named{"a.mbox", Mbox}, named{"a.txt", text}, Other},
	{"Subject: x\nFrom: a@b.example\n\n", named{"a.eml", Message}, named{"a.mbox", Message}, Message},
	{"31 \nSubject: x\nFrom: a@b.example\n\n", named{"1.emlx", Emlx}, named{"1.txt", text}, Emlx},
	{"WARC/1.0\r\nWARC-Type: response\r\n", named{"a.warc", WARC}, named{"a.txt", WARC}, WARC},
	{"WARC/0.18\nWARC-Type: response\n", named{"a.warc.gz.open", WARC}, named{"a.html", WARC}, WARC},
	{"", named{"a.warc.gz", WARC}, named{"a.eml", Message}, Other},
	{"filedesc://a.arc 0.0.0.0 20060101000000 text/plain 9\n<a href=x>",
		named{"a.arc", WARC}, named{"a.html", WARC}, WARC},
	{"WARC/1.0\n\nis a format", named{"a.warc", WARC}, named{"a.txt", text}, Other},
	{"{\\rtf1 begins rich text", named{"a.txt", text}, named{"a.md", md}, Other},
	{"HTTP/1.1 200 OK\nis a status line", named{"a.txt", text}, named{"a.html", HTML}, Other},
	{"HTTP/1.1 200 OK is a status line.\n\nSee http://e.example/", named{"a.md", md}, named{"a.html", HTML}, HTTP},
	{"HTTP/2 404 is described at http://e.example/\n", named{"a.txt", text}, named{"a.css", sheet}, HTTP},
	{"HTTP/1.1 200 OK\r\n\r\n<a href=x>", named{"answer", HTTP}, named{"a.js", script}, HTTP},
	{"HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\n/* <svg> */b{}",
		named{"answer", HTTP}, named{"a.html", HTTP}, HTTP},
	{"HTTP/2 200\nserver: x\n\n", named{"answer", HTTP}, named{"a.txt", HTTP}, HTTP},
}

// Every beginning has the kind that a person would give it, under each name.
func TestBeginnings(t *testing.T) {
	if len(beginnings) < 80 {
		t.Fatalf("%d beginnings, want 80", len(beginnings))
	}
	for _, tt := range beginnings {
		for _, n := range []named{tt.telling, tt.misleads, {"page", tt.anonymous},
			{"page?" + strings.TrimLeft(tt.telling.name, "a."), tt.anonymous}} {
			if strings.HasPrefix(n.name, "page?") && strings.Contains(n.name, ".") {
				continue // the name tells the kind after all
			}
			if got := Detect([]byte(tt.head), n.name); got != n.want {
				t.Errorf("Detect(%q, %q): got %v, want %v", tt.head, n.name, got, n.want)
			}
			if got := Detect([]byte(tt.head), "dir.xml/"+strings.ToUpper(n.name)); got != n.want {
				t.Errorf("Detect(%q, %q): got %v, want %v", tt.head, strings.ToUpper(n.name), got, n.want)
			}
		}
	}
}

// The beginning of a file decides its kind, whatever markup follows.
func TestLaterMarkupDecidesNothing(t *testing.T) {
	later := []string{
		"<!DOCTYPE html><html>", "<svg xmlns='http://www.w3.org/2000/svg'>",
		"<rss version='2.0'><channel>", "<a href=x>",
		"From a@b.example Thu Jan  1 00:00:00 2026\nFrom: a@b.example\n\n",
		"Received: from a by b\nSubject: x\n\n", "WARC/1.0\r\nWARC-Type: x\r\n",
		"@import 'x';", "HTTP/1.1 200 OK\nServer: x\n\n", "%PDF-1.4\n",
	}
	names := []string{"x", "x.html", "x.php", "x.css", "x.js", "x.txt", "x.md", "x.xml",
		"x.svg", "x.rss", "x.json", "x.py", "x.eml", "x.mbox", "x.mht", "x.warc"}
	for _, first := range []string{"words, ", "words\n\n", "= ", "(", "1. ", "Note: x\n\n", "* ", "あ\n"} {
		for _, name := range names {
			want := Detect([]byte(first), name)
			for _, l := range later {
				if got := Detect([]byte(first+l), name); got != want {
					t.Errorf("Detect(%q, %q): got %v, want %v", first+l, name, got, want)
				}
			}
		}
	}
}
