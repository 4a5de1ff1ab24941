package site_test

import (
	"testing"

	"absolink/testdata/effort"
)

func TestMain(m *testing.M) { effort.MainInMemory(m) }
