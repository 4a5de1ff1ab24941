# PASSES FILE...: reads the files and extracts the links of each file PASSES times.
use strict;
use warnings;
use HTML::LinkExtor;

my $passes = shift;
my @pages;
for my $name (@ARGV) {
    open my $in, '<:raw', $name or die "$name: $!";
    local $/;
    push @pages, scalar <$in>;
}
my $links = 0;
for (1 .. $passes) {
    for my $page (@pages) {
        my $parser = HTML::LinkExtor->new(sub { $links++ });
        $parser->parse($page);
        $parser->eof;
    }
}
