#include "textflag.h"

// Each byte is looked up by its lower and by its upper four bits. What the two entries
// have in common says what it is: a control character, DEL or above ASCII (1), one of
// blank '"' '\'' (2), of '<' '>' '\\' '^' (4), '`' (8), or of '{' '}' (16).
DATA lower<>+0x00(SB)/8, $0x030101010103010b
DATA lower<>+0x08(SB)/8, $0x1105110511010101
GLOBL lower<>(SB), RODATA|NOPTR, $16
DATA upper<>+0x00(SB)/8, $0x1008040004020101
DATA upper<>+0x08(SB)/8, $0x0101010101010101
GLOBL upper<>(SB), RODATA|NOPTR, $16

DATA chars<>+0x00(SB)/8, $"\x0f/.%\x00\x00\x00\x00"
GLOBL chars<>(SB), RODATA|NOPTR, $8

// func plainVector(s string) (plain, escapes bool)
TEXT ·plainVector(SB), NOSPLIT, $0-18
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), CX
	VBROADCASTI128 lower<>(SB), Y10
	VBROADCASTI128 upper<>(SB), Y11
	VPBROADCASTB chars<>+0(SB), Y12
	VPBROADCASTB chars<>+1(SB), Y13 // /
	VPBROADCASTB chars<>+2(SB), Y14 // .
	VPBROADCASTB chars<>+3(SB), Y15 // %
	VPXOR Y9, Y9, Y9
	MOVL $-1, BX
	CMPQ CX, $32
	JLT  short
	LEAQ -32(SI)(CX*1), DI // the last 32 bytes

next:
	VMOVDQU (SI), Y0

look:
	VPAND   Y12, Y0, Y1
	VPSHUFB Y1, Y10, Y1
	VPSRLW  $4, Y0, Y2
	VPAND   Y12, Y2, Y2
	VPSHUFB Y2, Y11, Y2
	VPTEST  Y1, Y2
	JNZ     no
	VPCMPEQB Y15, Y0, Y1
	VPOR    Y1, Y9, Y9
	VPCMPEQB Y13, Y0, Y1
	VPCMPEQB Y14, Y0, Y2
	VPMOVMSKB Y1, AX
	VPMOVMSKB Y2, DX
	SHRL $1, DX
	ANDL BX, DX
	TESTL AX, DX
	JNZ  no            // a dot behind a slash
	CMPQ SI, DI
	JEQ  yes
	ADDQ $31, SI       // the last byte may be a slash
	CMPQ SI, DI
	CMOVQHI DI, SI
	JMP  next

short:
	MOVQ SI, DI
	CMPQ CX, $16
	JLT  shorter
	// The first 16 bytes and the last 16, which do not follow each other.
	VMOVDQU (SI), X0
	VINSERTI128 $1, -16(SI)(CX*1), Y0, Y0
	MOVL $0xffff7fff, BX
	JMP  look

shorter:
	// The first 8 bytes and the last 8, twice.
	VMOVQ (SI), X0
	VPINSRQ $1, -8(SI)(CX*1), X0, X0
	VINSERTI128 $1, X0, Y0, Y0
	MOVL $0xff7f7f7f, BX
	JMP  look

yes:
	MOVB $1, plain+16(FP)
	VPTEST Y9, Y9
	SETNE escapes+17(FP)
	VZEROUPPER
	RET

no:
	MOVB $0, plain+16(FP)
	MOVB $0, escapes+17(FP)
	VZEROUPPER
	RET

// The same for domains: '-' (1), a digit (2), '_' (4), a small letter (8, 16), '/' (64) or
// '.' (128). The bytes of each kind make a mask, and the rest is done with the masks.
DATA domainLower<>+0x00(SB)/8, $0x1a1a1a1a1a1a1a12
DATA domainLower<>+0x08(SB)/8, $0x4c88090808181a1a
GLOBL domainLower<>(SB), RODATA|NOPTR, $16
DATA domainUpper<>+0x00(SB)/8, $0x1008040002c10000
DATA domainUpper<>+0x08(SB)/8, $0
GLOBL domainUpper<>(SB), RODATA|NOPTR, $16
DATA letter<>+0x00(SB)/1, $0x18
GLOBL letter<>(SB), RODATA|NOPTR, $1

// func domainVector(s string, i int) int
TEXT ·domainVector(SB), NOSPLIT, $0-32
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), CX
	MOVQ i+16(FP), DX
	SUBQ $32, CX
	CMPQ DX, CX
	CMOVQLT DX, CX
	VMOVDQU (SI)(CX*1), Y0
	NEGQ CX
	ADDQ DX, CX // how many bytes of Y0 come before i
	VBROADCASTI128 domainLower<>(SB), Y10
	VBROADCASTI128 domainUpper<>(SB), Y11
	VPBROADCASTB chars<>+0(SB), Y12
	VPBROADCASTB letter<>(SB), Y13
	VPSHUFB Y0, Y10, Y1
	VPSRLW  $4, Y0, Y2
	VPAND   Y12, Y2, Y2
	VPSHUFB Y2, Y11, Y2
	VPAND   Y1, Y2, Y1
	VPXOR   Y3, Y3, Y3
	VPCMPEQB Y3, Y1, Y2
	VPMOVMSKB Y2, R8 // of no domain
	VPAND   Y13, Y1, Y2
	VPCMPEQB Y3, Y2, Y2
	VPMOVMSKB Y2, R9 // not a letter
	VPMOVMSKB Y1, R10 // '.'
	VPSLLW  $1, Y1, Y1
	VPMOVMSKB Y1, R11 // '/'
	VZEROUPPER
	SHRL CX, R8
	SHRL CX, R9
	SHRL CX, R10
	SHRL CX, R11
	BSFL R11, BX
	JZ   none
	LEAL -1(R11), AX
	XORL R11, AX
	SHRL $1, AX // before the slash
	TESTL AX, R8
	JNZ  none
	ANDL AX, R9
	BSRL R9, DI
	JZ   none          // one label
	BTL  DI, R10
	JCC  none          // the last label is not letters only
	ADDL $1, DI
	CMPL DI, BX
	JEQ  none          // it is empty
	TESTL $1, R10
	JNZ  none          // the first one is
	ADDQ DX, BX
	MOVQ BX, ret+24(FP)
	RET

none:
	MOVQ $0, ret+24(FP)
	RET
