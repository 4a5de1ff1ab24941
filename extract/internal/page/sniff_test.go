package page

import (
	"strings"
	"testing"
)

// Three functions test the beginning of a file: as a browser does, as files begin, and for whole
// pages.
func TestBeginnings(t *testing.T) {
	tests := []struct {
		head                        string
		browser, tag, asPage, whole bool
	}{
		{"<!DOCTYPE html><p>", true, true, true, true},
		{" \n<!doctype HTML>\n<!-- a -->\n<p>", true, true, true, true},
		{"<!doctype\n\thtml public 'x'><p>", false, true, true, true},
		{"<!DOCTYPE html> is", true, true, true, false},
		{"<!doctypehtml>", false, false, false, false},
		{"<!doctype htmlx><p>", false, false, false, false},
		{"<!doctype svg><p>", false, false, false, false},
		{"<!doctype html", false, false, false, false},
		{"<html><head>", true, true, true, true},
		{"<HTML lang=en>\n<body>", true, true, true, true},
		{"<html> is", true, true, true, false},
		{"<html></html>", true, true, true, false},
		{"<html", false, false, false, false},
		{"<head>", true, true, true, false},
		{"<body>", true, true, true, false},
		{"<title>x", true, true, true, false},
		{"<meta charset=x>", true, true, true, false},
		{"<link rel=x>", true, true, true, false},
		{"<base href=x>", true, true, true, false},
		{"<script src=x>", true, true, true, false},
		{"<frameset>", true, true, true, false},
		{"<style>", true, true, false, false},
		{"<p>x", true, true, false, false},
		{"<section>", false, true, false, false},
		{"<my-element>", false, true, false, false},
		{"</td>", false, true, false, false},
		{"<o:p>x", false, true, false, false},
		{"<st1:place>", false, true, false, false},
		{"<x:y>", false, false, false, false},
		{"<o:>", false, false, false, false},
		{"<note>", false, false, false, false},
		{"<a@b.test>", false, false, false, false},
		{"<section and <p>", false, false, false, false},
		{"x<p>", false, false, false, false},
		{"&nbsp;<p>", false, false, false, false},
		{"<!-- a --><!-- b -->\n<p>", true, true, false, false},
		{"<!--><p>", true, true, false, false},
		{"<!--- a<p>", false, false, false, false},
		{"<!-- <p>", false, false, false, false},
		{"<!--[if IE]><html><![endif]--><html><head>", true, true, true, true},
		{"<![if !IE]><p><![endif]>", false, true, false, false},
		{"<![endif]--><p>", false, true, false, false},
		{"<?php echo '<p>' ?><html><head>", false, true, true, true},
		{"<?php echo '<p>';", false, false, false, false},
		{"<?xml version='1.0'?><html><head>", false, false, false, false},
		{"<?xml-stylesheet href=x?><p>", false, true, false, false},
		{"<%@ page %><% code %><p>", false, true, false, false},
		{"{# a #}<p>", false, true, false, false},
		{"{% a %}<p>", false, false, false, false},
		{"", false, false, false, false},
	}
	for _, tt := range tests {
		head := []byte(tt.head)
		if got := Begins(head); got != tt.browser {
			t.Errorf("Begins(%q): got %v, want %v", tt.head, got, tt.browser)
		}
		if got := BeginsWithTag(head); got != tt.tag {
			t.Errorf("BeginsWithTag(%q): got %v, want %v", tt.head, got, tt.tag)
		}
		if got := BeginsAsPage(head); got != tt.asPage {
			t.Errorf("BeginsAsPage(%q): got %v, want %v", tt.head, got, tt.asPage)
		}
		if got := IsWhole(head); got != tt.whole {
			t.Errorf("IsWhole(%q): got %v, want %v", tt.head, got, tt.whole)
		}
	}
}

// HasTag searches 1024 bytes for a tag of HTML, and never finds one in scripts, JSON or binary
// data.
func TestHasTag(t *testing.T) {
	tests := []struct {
		head string
		want bool
	}{
		{"text <p>x", true}, {"text </P >", true}, {"a < b > c", false}, {"text <note>", false}, {"text <x-y>", true},
		{"#!/bin/sh\necho '<p>'", false}, {"\x1b$B <p>", true}, {"\x00<p>", false}, {"\x1f<p>", false},
		{"\t\n\f\r <p>", true}, {"<p", false}, {"<p <b", false}, {"<p><b", true},
		{`{"a":"<p>"}`, false}, {` [ "<p>"]`, false}, {`[{"a":"<p>"}]`, false}, {`[["<p>"]]`, false},
		{`{[<p>`, true}, {`{a}<p>`, true}, {`{`, false}, {`[x]<p>`, true}, {`{{<p>`, true},
		{strings.Repeat("x", 1023) + "<p>", true}, {strings.Repeat("x", 1024) + "<p>", false}, {"", false},
		{"<o:p>", true}, {"<o:1>", false}, {"<st1:x>", true}, {"<st11:x>", false}, {"<:p>", false},
	}
	for _, tt := range tests {
		if got := HasTag([]byte(tt.head)); got != tt.want {
			t.Errorf("HasTag(%q) = %v, want %v", tt.head, got, tt.want)
		}
	}
}

func TestBeginsBookmarks(t *testing.T) {
	for head, want := range map[string]bool{
		"<!DOCTYPE NETSCAPE-Bookmark-file-1>": true, " \n<!doctype netscape-bookmark-file": true,
		"<!-- a --> <!-- b\n--><!DOCTYPE NETSCAPE-Bookmark-file-1>": true, "<!-- a": false,
		"<!DOCTYPE html>": false, "x<!DOCTYPE NETSCAPE-Bookmark-file-1>": false, "": false,
	} {
		if got := BeginsBookmarks([]byte(head)); got != want {
			t.Errorf("BeginsBookmarks(%q) = %v, want %v", head, got, want)
		}
	}
}

func TestStart(t *testing.T) {
	tests := []struct{ head, want string }{
		{"", ""}, {" \t\n\f\rx", "x"}, {"<!-- a -->b", "b"}, {"<!-->b", "b"}, {"<!--->b", "b"}, {"<!-- a", "nil"},
		{"<![if !IE]>b", "b"}, {"<![endif]-->b", "b"}, {"<?php a ?>b", "b"}, {"<?xml a?>b", "<?xml a?>b"},
		{"<?xmlx a?>b", "b"}, {"<% a %> <%b%>c", "c"}, {"{# a #}b", "b"}, {"{# a", "nil"},
		{"\v<!-- a -->", "\v<!-- a -->"},
	}
	for _, tt := range tests {
		got := string(Start([]byte(tt.head)))
		if Start([]byte(tt.head)) == nil {
			got = "nil"
		}
		if got != tt.want && !(tt.want == "" && got == "nil") {
			t.Errorf("Start(%q) = %q, want %q", tt.head, got, tt.want)
		}
	}
}
