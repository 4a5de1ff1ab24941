package ref

import (
	"testing"

	"absolink/testdata/effort"
)

func TestMain(m *testing.M) { effort.Main(m) }
