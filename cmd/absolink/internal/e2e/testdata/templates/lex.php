<?php
// Prints for each file named on standard input a line of JSON: its PHP code, piece by piece, in
// base64, as PHP's own lexer cuts it out of the text around it.
while (($name = fgets(STDIN)) !== false) {
    $pieces = [];
    $piece = '';
    foreach (token_get_all(file_get_contents(rtrim($name, "\n"))) as $token) {
        if (is_array($token) && $token[0] === T_INLINE_HTML) {
            $pieces[] = $piece;
            $piece = '';
        } else {
            $piece .= is_array($token) ? $token[1] : $token;
        }
    }
    $pieces[] = $piece;
    echo json_encode(array_map('base64_encode', array_values(array_filter($pieces, 'strlen')))), "\n";
}
