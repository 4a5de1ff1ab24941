package record_test

import (
	"testing"

	"absolink/cmd/absolink/internal/record"
)

func TestWithScheme(t *testing.T) {
	tests := []struct{ value, want string }{
		{"www.example.com", "http://www.example.com/"},
		{"WWW.Example.COM/a/B.html?q#f", "http://WWW.Example.COM/a/B.html?q#f"},
		{"example.co.uk:8080", "http://example.co.uk:8080/"},
		{"example.com?q", "http://example.com/?q"},
		{"example.com#f", "http://example.com/#f"},
		{"me.github.io/x", "http://me.github.io/x"},
		{"localhost", "http://localhost/"},
		{"localhost:8000/x", "http://localhost:8000/x"},
		{"127.0.0.1/x", "http://127.0.0.1/x"},
		{"", ""},
		{"a", ""},
		{"dir/page.html", ""},
		{"page.html", ""},
		{"com", ""},
		{"co.uk", ""},
		{".com/x", ""},
		{"/www.example.com", ""},
		{"//www.example.com", ""},
		{"http://www.example.com", ""},
		{"mailto:a@example.com", ""},
		{"www.example.com:http", ""},
		{"www.example.com:", ""},
		{"www.example.com:99999", ""},
		{"www.example.com:-1", ""},
	}
	for _, tt := range tests {
		if got := record.WithScheme(tt.value); got != tt.want {
			t.Errorf("WithScheme(%q) = %q, want %q", tt.value, got, tt.want)
		}
	}
}
