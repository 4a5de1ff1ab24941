#include "go_asm.h"
#include "textflag.h"

DATA chars<>+0x00(SB)/8, $"<>\"=/!\x00\x00"
GLOBL chars<>(SB), RODATA|NOPTR, $8

// The bytes that end names, each at the place of its lower four bits: blank, tab, line
// feed, form feed, carriage return, '/'. The other places hold a byte that has other
// lower bits.
DATA delims<>+0x00(SB)/8, $0x0000000000000020
DATA delims<>+0x08(SB)/8, $0x2f000d0c000a0900
GLOBL delims<>(SB), RODATA|NOPTR, $16

// The bytes that may stand for others: NUL, '&', carriage return.
DATA codes<>+0x00(SB)/8, $0x0026000000000000
DATA codes<>+0x08(SB)/8, $0x00000d0000000000
GLOBL codes<>(SB), RODATA|NOPTR, $16

// AHEAD is how far before its bytes are needed the input is asked for: the processor
// itself looks ahead only where all is read at the same speed.
#define AHEAD 1024

// skimVector and slashVector are the same for both lengths of vectors (skim_amd64.h), but
// for the macros that make masks of 64 bytes: LOAD loads those at an offset, and what
// follows sets the bits of dst that stand for some of them:
//
//	MASK       that equal those of y
//	FIRSTMASK  the same; it goes to none if there are none
//	NEXTMASK   before those that equal them, from the offset at on
//	DELIMS     that end names
//	CODES      that may stand for others, as those above ASCII do too

// With AVX2 the 64 bytes are in Y0 and Y1.

#define SKIM skim32<>
#define SLASH slash32<>
#define LESS Y15
#define GREATER Y14
#define QUOTE Y13
#define SLANT Y12
#define EQUAL Y11
#define DELIM Y10
#define BANG Y10
#define CODE Y8

#define TABLE(table, y) VBROADCASTI128 table(SB), y

#define LOAD(at) \
	VMOVDQU (SI)(at*1), Y0   \
	VMOVDQU 32(SI)(at*1), Y1

// BITS makes dst of the signs of Y2 and Y3.
#define BITS(dst, tmp) \
	VPMOVMSKB Y2, dst \
	VPMOVMSKB Y3, tmp \
	SHLQ $32, tmp     \
	ORQ  tmp, dst

#define MASK(y, dst, tmp) \
	VPCMPEQB y, Y0, Y2 \
	VPCMPEQB y, Y1, Y3 \
	BITS(dst, tmp)

#define FIRSTMASK(y, dst, tmp, none) \
	VPCMPEQB y, Y0, Y2 \
	VPCMPEQB y, Y1, Y3 \
	VPOR Y2, Y3, Y4    \
	VPTEST Y4, Y4      \
	JZ   none          \
	BITS(dst, tmp)

#define NEXTMASK(y, at, dst, tmp) \
	VPCMPEQB 1(SI)(at*1), y, Y2  \
	VPCMPEQB 33(SI)(at*1), y, Y3 \
	BITS(dst, tmp)

#define DELIMS(dst, tmp) \
	VPSHUFB Y0, DELIM, Y2 \
	VPSHUFB Y1, DELIM, Y3 \
	VPCMPEQB Y0, Y2, Y2   \
	VPCMPEQB Y1, Y3, Y3   \
	BITS(dst, tmp)

#define CODES(dst, tmp) \
	VPSHUFB Y0, CODE, Y2 \
	VPSHUFB Y1, CODE, Y3 \
	VPCMPEQB Y0, Y2, Y2  \
	VPCMPEQB Y1, Y3, Y3  \
	VPOR Y0, Y2, Y2      \
	VPOR Y1, Y3, Y3      \
	BITS(dst, tmp)

#include "skim_amd64.h"

#undef SKIM
#undef SLASH
#undef LESS
#undef GREATER
#undef QUOTE
#undef SLANT
#undef EQUAL
#undef DELIM
#undef BANG
#undef CODE
#undef TABLE
#undef LOAD
#undef MASK
#undef FIRSTMASK
#undef NEXTMASK
#undef DELIMS
#undef CODES

// With AVX-512 they are in Z0, and masks are made in mask registers; tmp is not needed.

#define SKIM skim64<>
#define SLASH slash64<>
#define LESS Z15
#define GREATER Z14
#define QUOTE Z13
#define SLANT Z12
#define EQUAL Z11
#define DELIM Z10
#define BANG Z10
#define CODE Z8

#define TABLE(table, z) VBROADCASTI32X4 table(SB), z

#define LOAD(at) VMOVDQU64 (SI)(at*1), Z0

#define MASK(z, dst, tmp) \
	VPCMPEQB z, Z0, K1 \
	KMOVQ K1, dst

#define FIRSTMASK(z, dst, tmp, none) \
	VPCMPEQB z, Z0, K1 \
	KORTESTQ K1, K1    \
	JZ   none          \
	KMOVQ K1, dst

#define NEXTMASK(z, at, dst, tmp) \
	VPCMPEQB 1(SI)(at*1), z, K1 \
	KMOVQ K1, dst

#define DELIMS(dst, tmp) \
	VPSHUFB Z0, DELIM, Z2 \
	VPCMPEQB Z0, Z2, K1   \
	KMOVQ K1, dst

#define CODES(dst, tmp) \
	VPSHUFB Z0, CODE, Z2 \
	VPCMPEQB Z0, Z2, K1  \
	VPMOVB2M Z0, K2      \
	KORQ K1, K2, K1      \
	KMOVQ K1, dst

#include "skim_amd64.h"

TEXT ·skimVector(SB), NOSPLIT, $0-72
	CMPB ·hasWide(SB), $0
	JEQ  narrow
	JMP  skim64<>(SB)

narrow:
	JMP  skim32<>(SB)

TEXT ·slashVector(SB), NOSPLIT, $0-32
	CMPB ·hasWide(SB), $0
	JEQ  narrow
	JMP  slash64<>(SB)

narrow:
	JMP  slash32<>(SB)

// CODES32 sets the bits of dst where the 32 bytes at an offset may stand for others, as
// CODES does.
#define CODES32(at, dst) \
	VMOVDQU (SI)(at*1), Y0 \
	VPSHUFB Y0, Y8, Y2     \
	VPCMPEQB Y0, Y2, Y2    \
	VPOR Y0, Y2, Y2        \
	VPMOVMSKB Y2, dst

// func plainVector(data *byte, n int) int
//
// SI is the input, AX the offset of the 32 bytes at hand, DX that behind them, CX the length.
TEXT ·plainVector(SB), NOSPLIT, $0-24
	MOVQ data+0(FP), SI
	MOVQ n+8(FP), CX
	VBROADCASTI128 codes<>(SB), Y8
	XORL AX, AX

next:
	LEAQ 32(AX), DX
	CMPQ DX, CX
	JGT  end
	CODES32(AX, BX)
	TESTL BX, BX
	JNZ  coded
	MOVQ DX, AX
	JMP  next

end:
	// The last 32 bytes, of which the first ones are known to be plain.
	CMPQ AX, CX
	JEQ  plain
	LEAQ -32(CX), AX
	CODES32(AX, BX)
	TESTL BX, BX
	JZ   plain

coded:
	TZCNTL BX, BX
	ADDQ BX, AX
	MOVQ AX, ret+16(FP)
	VZEROUPPER
	RET

plain:
	MOVQ CX, ret+16(FP)
	VZEROUPPER
	RET

// func plainWide(b []byte) int
//
// SI is the input, AX the offset of the bytes at hand, DX how many are left.
TEXT ·plainWide(SB), NOSPLIT, $0-32
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), DX
	TABLE(codes<>, CODE)
	XORL AX, AX
	JMP  check

next:
	LOAD(AX)
	CODES(BX, CX)
	TESTQ BX, BX
	JNZ  coded
	ADDQ $64, AX
	SUBQ $64, DX

check:
	CMPQ DX, $64
	JGE  next

	// The last ones: what is behind the input counts as NUL, without being loaded.
	MOVQ $-1, BX
	BZHIQ DX, BX, BX
	KMOVQ BX, K1
	VMOVDQU8.Z (SI)(AX*1), K1, Z0
	CODES(BX, CX)

coded:
	TZCNTQ BX, BX
	ADDQ BX, AX
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET
