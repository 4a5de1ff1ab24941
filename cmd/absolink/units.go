package main

import (
	"context"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/cut"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/source"
)

// cutting is the command units.
type cutting struct {
	options
	cut.Cutter
}

const unitsTopic = `Print units of work, one a line, for --units of extract and base, so that engines
spread them over processes and machines, kill and repeat any of them: the records of
all units together are those of one run.

A line is PATH, or PATH OFFSET LENGTH, or PATH OFFSET LENGTH ITEM LINE, separated by tabs:
a file, or the messages or records of a mailbox or web archive that begin in a range of
bytes, and number and line of the first one. Without the last two fields their records
have neither item nor line. A path with a control character or bytes that are no UTF-8,
or that begins with a quotation mark, stands in quotation marks as a string of Go does:
"a\tb.html", "caf\xe9.html". All others stand as they are.

Parts begin and end with messages and records, and none is larger than --size unless
one of these is. What is compressed as a whole is one unit. In directories what is no
document is left out. --blind cuts by sizes alone: at most the first 1 MiB of a file is
read, which tells whether it can be cut so. A mailbox with --mbox cl or cl2 cannot, nor
a web archive that is not compressed record by record.

A PATH may be an http(s) URL. With offset and length it is read by ranges, and robots.txt
is not asked. The lines of an index of web archives are units too, by --units-format:
cdxj (urlkey, timestamp and a JSON object with filename, offset and length) or csv (with
the columns warc_filename, warc_record_offset and warc_record_length, or filename,
offset and length), with --prefix for the URL or directory that their files are below.
Other addresses, such as s3:, are read through a mount or a signed https URL.

Lines that work:

  absolink units --absolute --size 64M mail/ crawl/ > units
  absolink units --absolute --blind --size 64M crawl/ > units
  absolink extract --units units > links.jsonl
  split -l 4 units part- && cat part-* | absolink extract --units - > links.jsonl
  absolink extract --units index.cdxj --units-format cdxj --prefix https://data.commoncrawl.org/ > links.jsonl
  absolink extract --units index.csv --units-format csv --prefix crawl > links.jsonl

GNU parallel (a job that is killed is repeated):

  parallel -k --pipe -N1 --retries 3 absolink extract --jobs 1 --units - < units > links.jsonl

Slurm arrays (the line is run by a test, Slurm is not):

  absolink extract --units units --shard $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT > links-$SLURM_ARRAY_TASK_ID.jsonl

Hadoop streaming hands its mapper the offset of each line first, which has to be left out
(stream.map.input.ignoreKey=true); in this form it has not been run:

  hadoop jar hadoop-streaming.jar -D stream.map.input.ignoreKey=true \
    -inputformat org.apache.hadoop.mapred.lib.NLineInputFormat -files absolink \
    -mapper "./absolink extract --units -" -reducer NONE -input units -output links

` + exitHelp + `130 interrupted.`

func (p *program) unitsCommand() *cobra.Command {
	x := &cutting{Cutter: cut.Cutter{Size: 64 << 20}}
	c := &cobra.Command{
		Use:   "units [INPUT...]",
		Short: "Cut large containers into units of work",
		Long:  unitsTopic,
		RunE: p.listed(&x.options, func(c *cobra.Command, args []string) error {
			return p.cut(c.Context(), x, args)
		}),
	}
	x.options.register(c)
	keep(c, "type", "mbox", "include", "exclude", "follow", "files-from", "jobs", "max-size", "progress", "quiet", "verbose")
	c.Flags().BoolVar(&x.links.Read.Scripts, "scripts", false, "scripts are documents, as for extract --scripts")
	c.Flags().BoolVar(&x.Blind, "blind", false, "cut by sizes alone: of each file at most the first 1 MiB is read, and units have no items and lines")
	c.Flags().BoolVar(&x.Absolute, "absolute", false, "print absolute paths, for processes in other directories")
	c.Flags().Var(&x.Size, "size", "largest unit, in bytes or with K, M, G")
	return c
}

// keep takes all flags but these away from c.
func keep(c *cobra.Command, names ...string) {
	all := c.Flags()
	c.ResetFlags()
	c.Flags().SortFlags = false
	for _, name := range names {
		c.Flags().AddFlag(all.Lookup(name))
	}
}

func (p *program) cut(ctx context.Context, x *cutting, args []string) error {
	if len(args) == 0 {
		return usagef("an input is missing; standard input has no name that a unit could bear")
	}
	for _, a := range args {
		if a == input.Stdin || source.IsURL(a) {
			return usagef("%s cannot be cut into units; a file or a directory is needed", a)
		}
	}
	x.run.Peek, x.run.Prints = true, true
	r, err := p.newRun(&x.options, args)
	if err != nil {
		return err
	}
	x.Mbox, x.MaxSize = x.run.Mbox, x.run.MaxSize
	return p.do(ctx, &x.options, r, p.out, x)
}
