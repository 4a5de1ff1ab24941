package extract

import "testing"

// A caller that changes the tables does not affect readers of documents.
func TestTablesAreCopies(t *testing.T) {
	rows := Tables()
	if len(rows) < 150 {
		t.Errorf("%d rows, want at least 150", len(rows))
	}
	for i := range rows {
		rows[i] = Place{}
	}
	d := &Doc{Format: Manifest, Data: []byte(`{"start_url":"a"}`)}
	for r := range d.Refs() {
		if string(r.Value) == "a" && Tables()[0].Elements != "" {
			return
		}
	}
	t.Error("a caller changed the tables")
}
