"""Compares ways to make a table of links, in one warm session of Spark and without an engine.

    pip install 'pyspark[sql]==4.3.0' fastwarc==2.0.1 resiliparse==2.0.1 selectolax==1.0.2 lxml
    absolink spark > linkgraph.py
    python readers.py PAGES 8.warc.gz 8
    spark-submit --master 'local[1]' --driver-memory 1g --files absolink --py-files linkgraph.py tables.py 8.warc.gz [WAY...]

A WAY is the beginning of the names of the ways to run; without any, all ways run. Each figure is the
processor time of driver, JVM, Python and absolink: for one archive, for two, and for the second alone.
It is the median of the rounds. Before the rounds the ways of absolink in Spark run some times, because
the JVM takes a minute to become fast at their steps. In Spark the table becomes Parquet, with Spark's
default codec. Ways that begin with "alone" do not use Spark: their lines go to /dev/null.
"""

import glob
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from unittest import mock
from urllib.parse import urljoin

import linkgraph
import lxml.etree
import lxml.html
import pyarrow as pa
import pyarrow.parquet as pq
from fastwarc.warc import ArchiveIterator, WarcRecordType
from pyspark import SparkFiles
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from selectolax.lexbor import LexborHTMLParser

WARM = 12  # times that the ways of absolink run before the rounds
ROUNDS = 3
TABLE = pa.schema([("page", pa.string()), ("uri", pa.string())])
LINKS = linkgraph.TABLES["links"]


def by_iterlinks(body):
    """Yield all links that lxml knows: attributes, style sheets, refreshes."""
    return (link for _, _, link, _ in lxml.html.document_fromstring(body).iterlinks())


def by_xpath(body):
    return lxml.html.document_fromstring(body).xpath("//@href | //@src", smart_strings=False)


def by_lexbor(body):
    for e in LexborHTMLParser(body).css("[href], [src]"):
        if link := e.attributes.get("href") or e.attributes.get("src"):
            yield link


def by_resiliparse(body):
    """Yield href or src of each element. Walking is the fastest way: lists and selectors take 100 times as long."""
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree
    e = HTMLTree.parse_from_bytes(body, detect_encoding(body)).document.document_element
    while e is not None:
        if link := e.getattr("href") or e.getattr("src"):
            yield link
        following = e.first_element_child
        while following is None and e is not None:
            following = e.next_element
            if following is None:
                e = e.parent_element
        e = following


def join(page, links):
    for link in links:
        try:
            yield urljoin(page, link)
        except ValueError:
            pass


def pages(find, name):
    """Yield each page of an archive, with the URIs that find yields for it."""
    with open(name, "rb") as f:
        for record in ArchiveIterator(f, record_types=WarcRecordType.response):
            page = record.headers["WARC-Target-URI"]
            try:
                yield page, list(join(page, find(record.reader.read())))
            except lxml.etree.ParserError:  # an empty page
                pass


def table(find, name):
    sources, targets = [], []
    for page, uris in pages(find, name):
        sources += [page] * len(uris)
        targets += uris
    try:
        column = pa.array(targets, pa.string())
    except UnicodeEncodeError:
        column = pa.array([u.encode("utf-8", "replace").decode() for u in targets])
    return pa.RecordBatch.from_arrays([pa.array(sources, pa.string()), column], schema=TABLE)


def lines(find, names):
    with open(os.devnull, "w", errors="replace") as out:
        for name in names:
            for page, uris in pages(find, name):
                out.writelines([f"{page}\t{uri}\n" for uri in uris])


def times(pid):
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rpartition(")")[2].split()
    return int(fields[1]), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def spent():
    """Return the processor seconds of this process and of each below it, with their finished children."""
    root, tree = os.getppid(), {}  # spark-submit is the JVM, and Python is below it
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            tree[int(pid)] = times(pid)
        except OSError:
            pass
    below = {root}
    while more := {p for p, (parent, _) in tree.items() if parent in below} - below:
        below |= more
    return {p: tree[p][1] for p in below if p in tree}


def measure(run, units):
    """Return the processor seconds of run. Idle workers that Spark ends meanwhile do not count."""
    before = spent()
    run(units)
    time.sleep(0.2)
    return sum(seconds - before.get(p, 0) for p, seconds in spent().items())


def ways(spark, out):
    """Return functions by name that make the table of archives. Those that make Parquet write to out."""
    program = SparkFiles.get("absolink")
    flags = ["extract", "-q", "--jobs", "1", "--format"]

    def in_spark(work, schema, units):
        def each(batches):
            for b in batches:
                for i in b.column(0).to_pylist():
                    yield from work(units[i])
        spark.range(0, len(units), 1, len(units)).mapInArrow(each, schema).write.parquet(out + "/links")

    def columns(schema):
        def work(name):
            command = [program, *flags, "arrow", "--fields", ",".join(schema.names), name]
            with subprocess.Popen(command, stdout=subprocess.PIPE) as p:
                for b in pa.ipc.open_stream(p.stdout):
                    yield pa.RecordBatch.from_arrays([b[f.name].cast(f.type) for f in schema], schema=schema)
        return lambda units: in_spark(work, from_arrow_schema(schema), units)

    def written(schema):
        def work(name):
            command = [program, *flags, "arrow", "--fields", ",".join(schema.names), name]
            with subprocess.Popen(command, stdout=subprocess.PIPE) as p:
                stream = pa.ipc.open_stream(p.stdout)
                os.makedirs(out + "/links", exist_ok=True)
                with pq.ParquetWriter(f"{out}/links/{os.path.basename(name)}.parquet", stream.schema, store_schema=False) as w:
                    for b in stream:
                        w.write_table(pa.Table.from_batches([b]))
            return ()

        def each(batches):
            for b in batches:
                for i in b.column(0).to_pylist():
                    yield from work(each.units[i])

        def run(units):
            each.units = units
            spark.range(0, len(units), 1, len(units)).mapInArrow(each, "n bigint").write.format("noop").mode("append").save()
        return run

    def job(units):
        with open(out + ".units", "w") as f:
            f.writelines(u + "\n" for u in units)
        with mock.patch.object(SparkSession, "stop"), mock.patch.object(sys, "exit"):
            linkgraph.main(f.name, out)

    def pipe(units):
        command = " ".join([program, *flags, "jsonl", "--units", "-"])
        rows = spark.sparkContext.parallelize(units, len(units)).pipe(command, env=dict(os.environ), checkCode=True)
        spark.read.json(rows).write.parquet(out + "/links")

    def alone(*how):
        return lambda units: subprocess.run([program, *flags, *how, *units], stdout=subprocess.DEVNULL, check=True)

    made = {"absolink arrow, page and uri": columns(TABLE), "absolink arrow, 8 columns": columns(LINKS),
            "absolink writes Parquet, page and uri": written(TABLE), "absolink writes Parquet, 8 columns": written(LINKS),
            "absolink jsonl, all keys": pipe, "linkgraph.py, all its tables": job,
            "alone: absolink tsv, page and uri": alone("tsv", "--fields", "page,uri"), "alone: absolink arrow, page and uri": alone("arrow", "--fields", "page,uri"),
            "alone: absolink jsonl, all keys": alone("jsonl"), "alone: absolink arrow, all keys": alone("arrow")}
    for name, find in (("lxml iterlinks", by_iterlinks), ("lxml xpath", by_xpath), ("lexbor", by_lexbor), ("resiliparse", by_resiliparse)):
        made[f"fastwarc + {name} + urljoin"] = lambda units, find=find: in_spark(lambda u: [table(find, u)], "page string, uri string", units)
        made[f"alone: fastwarc + {name} + urljoin"] = lambda units, find=find: lines(find, units)
    return made


def main(archive, *wanted):
    spark = SparkSession.builder.getOrCreate()
    with tempfile.TemporaryDirectory() as top:
        out = top + "/out"
        units = [f"{top}/{n}.warc.gz" for n in (1, 2)]
        for name in units:
            os.symlink(os.path.abspath(archive), name)
        made = {way: run for way, run in ways(spark, out).items() if way.startswith(wanted or "")}
        figures = {}
        for _ in range(WARM):
            for way, run in made.items():
                if not way.startswith(("fastwarc", "alone")):
                    shutil.rmtree(out, ignore_errors=True)
                    run(units)
        for n in range(ROUNDS):
            for way, run in made.items():
                for some in units[:1], units:
                    shutil.rmtree(out, ignore_errors=True)
                    figures.setdefault((way, len(some)), []).append(measure(run, some))
                    size = sum(map(os.path.getsize, glob.glob(out + "/links/*.parquet")))
                    count = spark.read.parquet(out + "/links").count() if size else 0
                    print(f"round {n}, {way}, {len(some)}: {figures[way, len(some)][-1]:.2f} s, {count} links in {size} bytes", flush=True)
        for way in made:
            one, two = (statistics.median(figures[way, n]) for n in (1, 2))
            print(f"{way}: one {one:.2f} s, two {two:.2f} s, the second {two - one:.2f} s")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
