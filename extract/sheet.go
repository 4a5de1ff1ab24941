package extract

func (f *finder) styleSheet() { f.find(Unknown) }

func (d *Doc) sheetCharset() *charset { return nil }
