package resolve

import (
	"fmt"
)

var levelNames = [...]string{"exact", "case", "escapes", "segments", "scheme"}

// String returns exact, case, escapes, segments or scheme.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("level(%d)", uint8(l))
}
