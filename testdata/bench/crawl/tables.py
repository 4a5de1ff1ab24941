"""Compares ways to a table of links in Parquet, in one warm session of Spark.

    pip install 'pyspark[sql]==4.3.0' fastwarc==2.0.1 resiliparse lxml
    absolink spark > linkgraph.py
    spark-submit --master 'local[1]' --driver-memory 1g --files absolink --py-files linkgraph.py tables.py OUT WARC...

Each figure is the processor time of driver, JVM, Python and absolink, the mean of two
rounds after one that counts for nothing. "alone" is without Spark, in one process.
"""

import glob
import os
import shutil
import statistics
import subprocess
import sys
import time
from urllib.parse import urljoin

import linkgraph
import pyarrow as pa
from fastwarc.warc import ArchiveIterator, WarcRecordType
from pyspark import SparkFiles
from pyspark.sql import SparkSession

ROUNDS = 2
COLUMNS = pa.schema([("page", pa.string()), ("uri", pa.string())])


def responses(name):
    with open(name, "rb") as f:
        for record in ArchiveIterator(f, record_types=WarcRecordType.response):
            yield record.headers["WARC-Target-URI"], record.reader.read()


def join(base, links):
    for link in links:
        try:
            yield urljoin(base, link)
        except ValueError:
            pass


def by_lxml(page, body):
    import lxml.html
    try:
        tree = lxml.html.document_fromstring(body)
    except lxml.etree.ParserError:
        return []
    return join(page, (link for _, _, link, _ in tree.iterlinks()))


def by_resiliparse(page, body):
    from resiliparse.parse.html import HTMLTree
    from resiliparse.parse.encoding import detect_encoding
    tree = HTMLTree.parse_from_bytes(body, detect_encoding(body))
    links = (e.getattr("href") or e.getattr("src") for e in tree.document if e.type == 1)
    return join(page, filter(None, links))


def rows(find, name):
    pages, uris = [], []
    for page, body in responses(name):
        for uri in find(page, body):
            pages.append(page)
            uris.append(uri.encode("utf-8", "replace").decode())
    return pa.RecordBatch.from_arrays([pa.array(pages), pa.array(uris)], schema=COLUMNS)


def times(pid):
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rpartition(")")[2].split()
    return int(fields[1]), sum(map(int, fields[11:15]))


def spent():
    """Return the processor seconds of this process and all below it, with what ended."""
    root, tree = os.getppid(), {}  # spark-submit is the JVM, and Python is below it
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            tree[int(pid)] = times(pid)
        except OSError:
            pass
    below = {root}
    while more := {p for p, (parent, _) in tree.items() if parent in below} - below:
        below |= more
    return sum(tree[p][1] for p in below if p in tree) / os.sysconf("SC_CLK_TCK")


def main(out, *names):
    spark = SparkSession.builder.getOrCreate()
    program = SparkFiles.get("absolink")
    units = [os.path.abspath(n) for n in names]

    def in_arrow(work, schema):
        def each(batches):
            for b in batches:
                for i in b.column(0).to_pylist():
                    yield from work(units[i])
        spark.range(0, len(units), 1, len(units)).mapInArrow(each, schema).write.parquet(out + "/links")

    def peer(find):
        in_arrow(lambda name: [rows(find, name)], "page string, uri string")

    def columns(name):
        command = [program, "extract", "-q", "--jobs", "1", "--format", "arrow", "--fields", ",".join(linkgraph.LINKS), name]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as p:
            for b in pa.ipc.open_stream(p.stdout):
                yield pa.RecordBatch.from_arrays([linkgraph.column(b, f) for f in schema], schema=schema)

    schema = pa.schema([linkgraph.SCHEMA.field(n) for n in linkgraph.LINKS])
    ddl = ", ".join(linkgraph.SPARK_SCHEMA.split(", ")[linkgraph.COLUMNS.index(n)] for n in linkgraph.LINKS)

    def job():
        linkgraph.attempt(spark, units, len(units), (), out + "/1")
        records = spark.read.schema(linkgraph.SPARK_SCHEMA).parquet(out + "/1")
        records.where("record = 'link'").select(linkgraph.LINKS).write.parquet(out + "/links")

    def lines():
        command = f"{program} extract -q --jobs 1 --format jsonl --units -"
        spark.read.json(spark.sparkContext.parallelize(units, len(units)).pipe(command, env=dict(os.environ), checkCode=True)).write.parquet(out + "/links")

    def alone(format):
        subprocess.run([program, "extract", "-q", "--jobs", "1", "--format", format, *units], stdout=subprocess.DEVNULL)

    ways = {"linkgraph.py, links": job, "columns": lambda: in_arrow(columns, ddl), "jsonl, all keys": lines,
            "fastwarc + lxml": lambda: peer(by_lxml), "fastwarc + resiliparse": lambda: peer(by_resiliparse),
            "alone: absolink text": lambda: alone("text"), "alone: absolink jsonl": lambda: alone("jsonl"), "alone: absolink arrow": lambda: alone("arrow"),
            "alone: fastwarc + lxml": lambda: [rows(by_lxml, n) for n in units], "alone: fastwarc + resiliparse": lambda: [rows(by_resiliparse, n) for n in units]}
    figures = {way: [] for way in ways}
    for n in range(1 + ROUNDS):
        for way, run in ways.items():
            shutil.rmtree(out, ignore_errors=True)
            before = spent()
            run()
            time.sleep(0.2)
            figures[way].append(spent() - before)
            size = sum(map(os.path.getsize, glob.glob(out + "/links/*.parquet")))
            count = spark.read.parquet(out + "/links").count() if size else 0
            print(f"round {n}, {way}: {figures[way][-1]:.2f} s, {count} links in {size} bytes", flush=True)
    for way, seconds in figures.items():
        print(f"{way}: {statistics.mean(seconds[1:]):.2f} s")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
