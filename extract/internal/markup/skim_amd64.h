// skimVector and slashVector for vectors of one length, in terms of the registers and
// macros that vector_amd64.s defines for each length.

// func skimVector(data *byte, i, limit int, f *Filter, list *wish, t *SimpleTag, idle uint64) (at, n int)
//
// SI is the input, DI the offset of the 64 bytes at hand, R9 the number of names found,
// R10 the wish for the element, R11 t. Masks have a bit for each of the 64 bytes. base is
// the offset of the 64 bytes that were searched for '<' last, tags those of them that are
// still to be looked at; open is 1 if an end tag taken out of them goes on behind them.
TEXT SKIM(SB), NOSPLIT, $40-72
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
	MOVQ AX, base-16(SP)
	MOVQ $0, open-40(SP)
	PCALIGN $32

load:
	// The next 64 bytes, or those from DI on if it is behind them.
	MOVQ base-16(SP), DX
	ADDQ $64, DX
	LEAQ 64(DX), AX
	CMPQ DI, AX
	JGT  leap

loaded:
	CMPQ DX, limit+16(FP)
	JGT  tail
	MOVQ DX, base-16(SP)
	PREFETCHT0 AHEAD(SI)(DX*1)
	LOAD(DX)
	MASK(LESS, AX, BX)
	MOVQ open-40(SP), R12
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
	MOVQ R14, open-40(SP)
	ANDNQ AX, BX, AX   // '<' of other tags
	JZ   load

pick:
	BLSRQ AX, BX
	MOVQ BX, tags-8(SP)
	TZCNTQ AX, AX
	ADDQ base-16(SP), AX
	CMPQ AX, DI
	JLT  find
	MOVQ AX, DI
	CMPQ DI, limit+16(FP)
	JGT  last

	// A tag at DI. AX: '>', BX: ends of names.
	MOVQ DI, at+56(FP)
	MOVBLZX 1(SI)(DI*1), CX
	LOAD(DI)
	MASK(GREATER, AX, DX)
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
	MOVQ AX, R15
	ORQ  BX, R15
	TZCNTQ R15, R15    // the length of '<' and the name
	MOVQ R12, DX
	ORQ  R14, DX
	BZHIQ R15, DX, DX
	JNZ  bail          // a quote or '=' in the name

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
	MOVQ $0, codes-24(SP)
	XORL R9, R9
	MOVQ $-1, CX
	SHLXQ R15, CX, CX  // CX: not the name

block:
	// R15: values, from the opening quote up to the closing one.
	VMOVQ R12, X4
	VPCLMULQDQ $0, X9, X4, X4
	VMOVQ X4, R15
	ANDNQ AX, R15, AX  // '>' outside of values
	ANDNQ R12, R15, DX // closing quotes
	MOVQ DX, closers-32(SP)
	ORQ  DX, BX        // what a name may begin behind
	TESTQ AX, AX
	JZ   long
	ORQ  AX, BX
	TZCNTQ AX, AX
	BZHIQ AX, R15, R15

upto:
	// Looks at the first AX bytes.
	ANDNQ R14, R15, R14 // R14: '=' outside of values
	LEAQ (R14)(R14*1), R13
	ANDQ R15, R12
	BZHIQ AX, R12, R12
	ANDNQ R12, R13, R12
	JNZ  bail          // a quote that is not behind '='
	ANDNQ R13, R15, R13
	INCQ AX
	BZHIQ AX, R13, R13
	LEAQ -1(AX), AX
	JNZ  bail          // a value without quotes
	LEAQ 1(BX)(BX*1), R13
	ANDNQ R13, R15, R13
	ANDNQ R13, BX, R13
	ANDQ CX, R13
	BZHIQ AX, R13, R13 // R13: where names begin
	TESTQ R13, R14
	JNZ  bail          // '=' begins a name
	ORQ  R14, BX       // BX: where they end
	CODES(AX, DX, R12)
	ORQ  DX, codes-24(SP)
	CMPQ R9, $const_maxVectors/2-1
	JGT  bail
	LEAQ (R9)(R9*2), R8
	LEAQ SimpleTag_names(R11)(R8*8), R8
	TESTQ R13, R13
	JZ   named

name:
	TZCNTQ R13, CX
	SHRXQ CX, BX, DX
	TZCNTQ DX, DX      // the length
	LEAQ (CX)(DX*1), R14
	SHRXQ R14, closers-32(SP), R12
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
	MOVQ codes-24(SP), AX
	MOVQ AX, SimpleTag_codes(R11)
	MOVQ DI, SimpleTag_End(R11)
	MOVQ R9, n+64(FP)
	VZEROUPPER
	RET

long:
	// The tag goes on behind the 64 bytes. They are looked at up to their last value.
	TESTQ R12, R12
	JZ   bail
	BSRQ R12, AX
	INCQ AX
	JMP  upto

value:
	// R8 is the name of the value, the last one that was found.
	CMPQ DI, limit+16(FP)
	JGT  bail
	LOAD(DI)
	MASK(QUOTE, AX, BX)
	TZCNTQ AX, AX
	JCC  valued
	CODES(AX, BX, CX)
	ORQ  BX, codes-24(SP)
	ADDQ $64, DI
	JMP  value

valued:
	CODES(AX, BX, CX)
	ORQ  BX, codes-24(SP)
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
	MOVQ $-1, CX
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
	MOVQ tags-8(SP), AX
	TESTQ AX, AX
	JZ   load
	JMP  pick

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
	MOVQ open-40(SP), AX
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
	LOADNEXT(DI)
	MASK(SLANT, DX, BX)
	MASK(BANG, CX, BX)
	ORQ  CX, DX
	ANDQ DX, AX
	JZ   none
	TZCNTQ AX, AX
	ADDQ AX, DI

far:
	MOVQ DI, ret+24(FP)
	VZEROUPPER
	RET
