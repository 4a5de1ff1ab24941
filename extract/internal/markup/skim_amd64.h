// skimVector and slashVector for vectors of one length, in terms of the registers and
// macros that vector_amd64.s defines for each length.

// func skimVector(data *byte, i, limit int, f *Filter, list *wish, t *SimpleTag, idle uint64) (at, n int)
//
// SI is the input, DI the offset of the 64 bytes at hand, R9 the number of names found,
// R10 the wish for the element, R11 t. Masks have a bit for each of the 64 bytes. base is
// the offset of the 64 bytes that were searched for '<' last, BP has those '<' that are
// still to be looked at; open is 1 if an end tag taken out of them goes on behind them.
TEXT SKIM(SB), NOSPLIT, $48-72
	MOVQ data+0(FP), SI
	MOVQ i+8(FP), DI
	MOVQ t+40(FP), R11
	VPBROADCASTB chars<>+0(SB), LESS
	VPBROADCASTB chars<>+1(SB), GREATER
	VPBROADCASTB chars<>+2(SB), QUOTE
	VPBROADCASTB chars<>+4(SB), SLANT
	VPBROADCASTB chars<>+3(SB), EQUAL
	TABLE(delims<>, DELIM)
	VPCMPEQB X9, X9, X9             // ones
	TABLE(codes<>, CODE)
	LEAQ -64(DI), AX
	MOVQ AX, base-8(SP)
	MOVQ $0, open-32(SP)
	PCALIGN $32

load:
	// The next 64 bytes, or those from DI on if it is behind them.
	MOVQ base-8(SP), DX
	ADDQ $64, DX
	LEAQ 64(DX), AX
	CMPQ DI, AX
	JGT  leap

loaded:
	CMPQ DX, limit+16(FP)
	JGT  tail
	MOVQ DX, base-8(SP)
	PREFETCHT0 AHEAD(SI)(DX*1)
	LOAD(DX)
	MASK(LESS, AX, BX)
	MOVQ open-32(SP), R12
	MOVQ AX, BX
	ORQ  R12, BX
	JZ   load

	// BX: end tags, R13: they from "/" up to '>', R12: whether that begins before the 64
	// bytes, R9: '<' and '=', with which such a tag may be longer than up to its '>'.
	NEXTMASK(SLANT, DX, BX, CX)
	ANDQ AX, BX
	ANDQ idle+48(FP), BX
	MASK(GREATER, R8, CX)
	MASK(EQUAL, R9, CX)
	ORQ  AX, R9
	XORL CX, CX
	CMPQ R8, $1
	ADCQ $0, CX        // 1 if there is no '>': the tag is too long
	ORQ  CX, R9
	NOTQ R8
	LEAQ (R12)(BX*2), R13
	ADDQ R8, R13
	SBBQ R10, R10
	XORQ R8, R13
	MOVQ BX, R14
	SHRQ $63, R14
	SUBQ R10, R14
	TESTQ R9, R13
	JNZ  odd
	MOVQ R14, open-32(SP)
	ANDNQ AX, BX, AX   // '<' of other tags
	JZ   load

pick:
	BLSRQ AX, BP
	TZCNTQ AX, AX
	ADDQ base-8(SP), AX
	CMPQ AX, DI
	JLT  find
	MOVQ AX, DI
	CMPQ DI, limit+16(FP)
	JGT  last

	// A tag at DI.
	MOVQ DI, at+56(FP)
	MOVBLZX 1(SI)(DI*1), CX
	LOAD(DI)
	MASK(GREATER, AX, DX) // AX: '>'
	DELIMS(BX, DX)
	CMPL CX, $0x2f
	JEQ  endtag
	MOVL CX, DX
	ORL  $0x20, DX
	SUBL $0x61, DX
	CMPL DX, $25
	JHI  bail
	MASK(QUOTE, R12, DX) // R12: '"'
	MASK(EQUAL, R14, DX) // R14: '='
	ORQ  AX, BX        // BX: where names end
	TZCNTQ BX, R15     // the length of '<' and the name
	BZHIQ R15, R14, DX
	JNZ  bail          // '=' in the name

	// The wish for the element.
	LEAQ (DI)(R15*1), R10
	MOVQ R10, SimpleTag_NameEnd(R11)
	MOVBLZX -1(SI)(R10*1), DX
	ANDL $31, CX
	SHLL $5, CX
	LEAQ -1(R15), R13
	XORL R13, DX
	ANDL $31, DX
	ORL  DX, CX
	MOVQ f+24(FP), DX
	MOVBLZX Filter_wishes(DX)(CX*1), CX
	IMULQ $wish__size, CX
	MOVQ list+32(FP), R10
	ADDQ CX, R10
	CMPB wish_role(R10), $0
	JNE  bail
	MOVQ $0, codes-16(SP)
	XORL R9, R9
	LEAQ -1(BX), CX
	ORQ  CX, BX        // no name begins in that of the element

block:
	// R13: quotes behind '=', DX: the other ones. If they take turns they open and close
	// the values R15, from the opening quote up to the closing one.
	MOVQ AX, greater-40(SP)
	LEAQ (R14)(R14*1), R13
	ANDQ R12, R13
	ANDNQ R12, R13, DX
	MOVQ DX, R15
	SUBQ R13, R15

values:
	MOVQ R15, whole-48(SP)
	MOVQ DX, closers-24(SP)
	ORQ  DX, BX        // what a name may begin behind
	ANDNQ AX, R15, AX  // '>' outside of values
	LEAQ 1(BX)(BX*1), R8
	MOVQ BX, DX
	ORQ  R15, DX
	ANDNQ R8, DX, R8   // R8: where names begin, here or behind the tag
	TESTQ AX, AX
	JZ   long
	BLSMSKQ AX, CX     // CX: the bytes up to '>', AX: how many are before it
	ANDQ CX, R15
	TZCNTQ AX, AX

upto:
	// Looks at the bytes of CX.
	MOVQ R15, DX
	ANDQ R12, DX
	XORQ R13, DX
	TESTQ CX, DX
	JNZ  parity        // quotes do not take turns
	ANDNQ R14, R15, R14 // R14: '=' outside of values
	LEAQ (R14)(R14*1), R13
	ANDNQ R13, R15, R13
	TESTQ CX, R13
	JNZ  bail          // a value without quotes
	MOVQ R8, R13
	ANDQ CX, R13       // R13: where names begin
	TESTQ R13, R14
	JNZ  bail          // '=' begins a name
	ORQ  R14, BX
	CODES(DX, R12)
	ANDQ CX, DX
	ORQ  DX, codes-16(SP)
	CMPQ R9, $const_maxVectors/2-1
	JGT  bail
	TESTQ R13, R13
	JZ   named

name:
	// From CX up to R14.
	TZCNTQ R13, CX
	BLSMSKQ R13, DX
	ANDNQ BX, DX, DX
	TZCNTQ DX, R14
	SHRXQ R14, closers-24(SP), R12
	MOVQ R14, DX
	SUBQ CX, DX        // the length
	ADDQ DI, CX
	ADDQ DI, R14
	TZCNTQ R12, R12    // to the closing quote, if it is among the 64 bytes
	ADDQ R14, R12
	LEAQ (R9)(R9*2), R8
	LEAQ SimpleTag_names(R11)(R8*8), R8
	MOVQ CX, SimpleAttr_NameStart(R8)
	MOVQ R14, SimpleAttr_NameEnd(R8)
	MOVQ R12, SimpleAttr_quote(R8)
	MOVBLZX (SI)(CX*1), R12
	ANDL $31, R12
	MOVQ wish_attrs(R10)(R12*8), R12
	MOVBLZX -1(SI)(R14*1), CX
	LEAQ (DX)(CX*2), CX
	BTQ  CX, R12
	ADCQ $0, R9
	BLSRQ R13, R13
	JNZ  name

named:
	ADDQ AX, DI
	TESTQ R15, R15
	JS   value         // DI is behind the quote that opens a value
	MOVBLZX (SI)(DI*1), DX
	CMPL DX, $0x3e
	JNE  more          // DI is behind a value
	INCQ DI
	TESTQ R9, R9
	JNZ  found
	CMPB wish_tag(R10), $0
	JEQ  find

found:
	MOVQ codes-16(SP), AX
	MOVQ AX, SimpleTag_codes(R11)
	MOVQ DI, SimpleTag_End(R11)
	MOVQ R9, n+64(FP)
	VZEROUPPER
	RET

long:
	// The tag goes on behind the 64 bytes. They are looked at up to their last quote.
	TESTQ R12, R12
	JZ   bail
	BSRQ R12, AX
	INCQ AX
	MOVQ $-1, CX
	BZHIQ AX, CX, CX
	JMP  upto

parity:
	// One of the values may end in '='. R15: values, by the number of quotes up to there.
	VMOVQ R12, X4
	VPCLMULQDQ $0, X9, X4, X4
	VMOVQ X4, DX
	CMPQ DX, whole-48(SP)
	JEQ  bail          // a quote that is not behind '='
	MOVQ DX, R15
	ANDQ R15, R13
	ANDNQ R12, R15, DX
	MOVQ greater-40(SP), AX
	JMP  values

value:
	// R8 is the name of the value, the last one that was found.
	CMPQ DI, limit+16(FP)
	JGT  bail
	LOAD(DI)
	MASK(QUOTE, AX, BX)
	TZCNTQ AX, AX
	JCC  valued
	CODES(BX, CX)
	ORQ  BX, codes-16(SP)
	ADDQ $64, DI
	JMP  value

valued:
	CODES(BX, CX)
	BZHIQ AX, BX, BX
	ORQ  BX, codes-16(SP)
	ADDQ AX, DI
	MOVQ DI, SimpleAttr_quote(R8)
	INCQ DI

more:
	CMPQ DI, limit+16(FP)
	JGT  bail
	LOAD(DI)
	MASK(GREATER, AX, DX)
	DELIMS(BX, DX)
	MASK(QUOTE, R12, DX)
	MASK(EQUAL, R14, DX)
	ORQ  AX, BX
	JMP  block

endtag:
	// Nothing but a name of one to seven bytes.
	TZCNTQ AX, CX
	SHRQ $2, BX
	SUBL $2, CX
	CMPL CX, $7
	JHI  bail
	BZHIQ CX, BX, DX
	JNZ  bail
	MOVBLZX 2(SI)(DI*1), DX
	ORL  $0x20, DX
	SUBL $0x61, DX
	CMPL DX, $25
	JHI  bail
	LEAQ 3(DI)(CX*1), DI

find:
	MOVQ BP, AX
	TESTQ AX, AX
	JNZ  pick
	JMP  load

leap:
	MOVQ DI, DX
	JMP  loaded

odd:
	// One of the end tags is not simple: they are looked at like others, or, if it may
	// begin in the 64 bytes before, the scan is to go on there.
	TESTQ R12, R12
	JZ   pick
	SUBQ $64, DX
	JMP  behind

tail:
	MOVQ open-32(SP), AX
	SHLQ $6, AX
	SUBQ AX, DX

behind:
	CMPQ DI, DX
	CMOVQLT DX, DI

last:
	MOVQ DI, at+56(FP)

bail:
	MOVQ $-1, n+64(FP)
	VZEROUPPER
	RET

// func slashVector(data *byte, i, limit int) int
//
// SI is the input, DI the offset of the 64 bytes at hand.
TEXT SLASH(SB), NOSPLIT, $0-32
	MOVQ data+0(FP), SI
	MOVQ i+8(FP), DI
	MOVQ limit+16(FP), R8
	VPBROADCASTB chars<>+0(SB), LESS
	VPBROADCASTB chars<>+4(SB), SLANT
	VPBROADCASTB chars<>+5(SB), BANG
	JMP  bytes

none:
	ADDQ $64, DI

bytes:
	CMPQ DI, R8
	JGT  far
	PREFETCHT0 AHEAD(SI)(DI*1)
	LOAD(DI)
	FIRSTMASK(LESS, AX, BX, none)
	NEXTMASK(SLANT, DI, DX, BX)
	NEXTMASK(BANG, DI, CX, BX)
	ORQ  CX, DX
	ANDQ DX, AX
	JZ   none
	TZCNTQ AX, AX
	ADDQ AX, DI

far:
	MOVQ DI, ret+24(FP)
	VZEROUPPER
	RET
