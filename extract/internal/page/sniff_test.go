package page

import "testing"

// A beginning is asked for in three ways: as a browser does, as a file has it, and whether it is
// that of a whole page.
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
