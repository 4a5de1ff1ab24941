"""The link graph of web archives and mailboxes, by Spark and absolink.

    absolink units --absolute --blind --size 64M crawl/ > units
    absolink spark > linkgraph.py
    spark-submit --files absolink linkgraph.py units out [FLAG...]

units is a file of the driver; all workers can read the paths in it. FLAGs are for absolink
extract, such as --kind nav, or --units-format cdxj --prefix URL. out is a directory or URL
that Spark can write, and must not exist. The job writes, as Parquet:

    links    one row a reference: page, uri, kind, rel, element, status, date, message_id
    pages    one row a document, also without links; links and kinds are maps of numbers
    hosts    source, target, links, pages: how many links lead from a host to a host, and
             from how many pages. Names are reversed (com.example.www). Each host with a page
             has a row with itself as target, so that none is lost that has no links
    domains  the same of registrable domains
    dead     unit, error and place of what could not be read: as a unit it is read again

and summary.json. A unit counts as read if absolink says so behind its last record, and all
of its records have come. Others are tried three times more, each by its own process. A unit
that fails still stands in dead and summary.json, all tables are written without it, and the
job ends with status 1. A task holds the records of one unit in memory. pip install
pyspark[sql] has what driver and workers need.
"""

import ctypes
import json
import signal
import subprocess
import sys
import tempfile

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import SparkFiles
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

ATTEMPTS = 4
TASKS = 10000  # of the first attempt, at most
LINKS = "page uri kind rel element status date message_id".split()
PAGES = "page source record_offset record_id date http_status type base error links kinds message_id".split()
DEAD = "unit error source page record_offset record_id message_id".split()
UNITS = "unit status error page_count link_count dead_count".split()
EDGES = "source target count pages".split()
OURS = {"-q", "--quiet", "-j", "--jobs", "--stream", "--pages", "--format", "--fields", "--units", "--shard"}
ASKED = ["record", *dict.fromkeys(n for n in LINKS + PAGES + DEAD if n != "unit"), "host", "domain"]
COLUMNS = list(dict.fromkeys(["record", *LINKS, *PAGES, *DEAD, *UNITS, *EDGES]))
NUMBERS = {"record_offset", "http_status", "page_count", "link_count", "dead_count", "count", "pages"}


def types(text, number, texts, numbers):
    """Return the columns of what tasks return, with their types."""
    special = {"rel": texts, "links": numbers, "kinds": numbers, **dict.fromkeys(NUMBERS, number)}
    return [(n, special.get(n, text)) for n in COLUMNS]


SCHEMA = pa.schema(types(pa.string(), pa.int64(), pa.list_(pa.string()), pa.map_(pa.string(), pa.int64())))
SPARK_SCHEMA = ", ".join(f"`{n}` {t}" for n, t in types("string", "bigint", "array<string>", "map<string,bigint>"))


def command(flags):
    return [SparkFiles.get("absolink"), "extract", "-q", "--jobs", "1", "--stream", "--pages",
            "--format", "arrow", "--fields", ",".join(ASKED), *flags, "--units", "-"]


def die_with_task():
    """Have Linux end absolink with the task. Elsewhere it ends at its next write."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def extract(units, flags):
    """Yield the records of each unit that is read whole, and for each unit how it ended."""
    left, held, error = list(units), [], "absolink ended"
    with tempfile.TemporaryFile() as lines:
        lines.write("".join(u + "\n" for u in units).encode())
        lines.seek(0)
        process = subprocess.Popen(command(flags), stdin=lines, stdout=subprocess.PIPE, preexec_fn=die_with_task)
    try:
        for batch in pa.ipc.open_stream(process.stdout):
            held.append(batch)
            end = batch.slice(batch.num_rows - 1).to_pylist()[0]
            if end["record"] == "unit":
                if end["unit"] in left:
                    left.remove(end["unit"])
                    yield from ended(end, held)
                else:
                    error = f"absolink answered a unit that was not asked for: {end['unit']}"
                held = []
    except (pa.ArrowException, OSError) as e:
        error = str(e)
    finally:
        process.stdout.close()
        status = process.wait()
    for unit in left:
        yield rows([{"record": "unit", "unit": unit, "status": "failed", "error": f"{error} (status {status})"}])


def ended(end, held):
    """Yield the records of a unit that ends with end, or only the end if it is not whole."""
    if end["status"] == "done" and sum(b.num_rows for b in held) != 1 + end["page_count"] + end["link_count"] + end["dead_count"]:
        end.update(status="failed", error="records of it are lost")
    for batch in held if end["status"] == "done" else []:
        links = pc.equal(batch["record"].cast(pa.string()), "link")
        yield full(batch.filter(links).select(["record", *LINKS]))
        yield full(batch.filter(pc.invert(links)))
    yield from edges(held) if end["status"] == "done" else [rows([end])]


def rows(list):
    return pa.RecordBatch.from_pylist(list, schema=SCHEMA)


def full(batch):
    """Return batch with all columns, in the types that Spark takes."""
    columns = (batch[f.name].cast(f.type) if f.name in batch.schema.names else pa.nulls(batch.num_rows, f.type) for f in SCHEMA)
    return pa.RecordBatch.from_arrays(list(columns), schema=SCHEMA)


def edges(held):
    """Yield the edges between hosts, and between domains, of the records of a unit."""
    schema = pa.schema([(n, pa.string()) for n in ("record", "kind", "page", "host", "domain")])
    t = pa.Table.from_batches([b.select(schema.names) for b in held]).cast(schema)
    pages = t.filter(pc.equal(t["record"], "page")).combine_chunks()
    links = t.filter(pc.and_(pc.equal(t["record"], "link"), pc.not_equal(t["kind"], "identifier")))
    for name in ("host", "domain"):
        t = links.group_by(["page", name], use_threads=False).aggregate([([], "count_all")])  # from a page to a target
        source = pages[name].take(pc.index_in(t["page"], pages["page"].combine_chunks()))
        t = pa.table([source, t[name], t["count_all"]], ["source", "target", "n"]).drop_null()
        t = t.group_by(["source", "target"], use_threads=False).aggregate([("n", "sum"), ("n", "count")])
        own = pages[name].unique().drop_null().to_pylist()
        source, target = (t[c].to_pylist() + own for c in ("source", "target"))
        names = {n: reverse(n) for n in {*source, *target}}
        n, of = (t[c].to_pylist() + [0] * len(own) for c in ("n_sum", "n_count"))
        columns = [[name] * len(source), [names[n] for n in source], [names[n] for n in target], n, of]
        yield full(pa.record_batch(columns, ["record", *EDGES]))


def reverse(host):
    """Return com.example.www of www.example.com, and an address as it is."""
    labels = host.rstrip(".").split(".")
    return host if ":" in host or labels[-1].isdigit() else ".".join(reversed(labels))


def attempt(spark, units, tasks, flags, out):
    """Write what one attempt gives to out, and return the ends of the units that failed."""
    shared = spark.sparkContext.broadcast(units)

    def work(batches):
        for batch in batches:
            yield from extract([shared.value[i] for i in batch.column(0).to_pylist()], flags)

    spark.range(0, len(units), 1, tasks).mapInArrow(work, SPARK_SCHEMA).write.parquet(out)
    return spark.read.schema(SPARK_SCHEMA).parquet(out).where("record = 'unit' AND status != 'done'").select("unit", "error").collect()


def main(source, out, *flags):
    if ours := OURS.intersection(f.split("=")[0] for f in flags):
        sys.exit(f"linkgraph.py: {', '.join(sorted(ours))}: leave it out, the job sets it")
    if "--units-format csv" in " ".join(flags).replace("=", " "):
        sys.exit("linkgraph.py: --units-format csv: tasks do not see the header row; use cdxj, or lines of path, offset and length")
    spark = SparkSession.builder.appName("linkgraph").getOrCreate()
    hadoop = spark._jvm.org.apache.hadoop.fs
    files = hadoop.Path(out).getFileSystem(spark._jsc.hadoopConfiguration())
    with open(source, encoding="utf-8") as f:
        units = list(dict.fromkeys(line.rstrip("\n") for line in f if line.strip()))
    if not units or files.exists(hadoop.Path(out)):
        sys.exit(f"linkgraph.py: {out} exists" if units else f"linkgraph.py: {source} has no units")
    if subprocess.run(command(flags), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode == 2:
        sys.exit(2)  # a wrong flag, which absolink has named

    staged, left, tasks = [], units, min(len(units), TASKS)
    while left and len(staged) < ATTEMPTS:
        staged.append(f"{out}/_attempts/{len(staged) + 1}")
        failed = attempt(spark, left, tasks, flags, staged[-1])
        left, tasks = [f.unit for f in failed], len(failed)

    records = spark.read.schema(SPARK_SCHEMA).parquet(*staged)
    tables = {name + "s": records.where(F.col("record") == name).select(columns)
              for name, columns in (("link", LINKS), ("page", PAGES), ("host", EDGES), ("domain", EDGES), ("dead", DEAD))}
    for name in ("hosts", "domains"):
        sums = F.sum("count").alias("links"), F.sum("pages").alias("pages")
        tables[name] = tables[name].groupBy("source", "target").agg(*sums)
    lost = spark.createDataFrame(failed, "unit string, error string")
    tables["dead"] = tables.pop("deads").unionByName(lost, allowMissingColumns=True)
    summary = {"units": len(units), "failed": [f.asDict() for f in failed], "attempts": len(staged)}
    for name, table in tables.items():
        table.write.parquet(f"{out}/{name}")
        summary[name] = spark.read.parquet(f"{out}/{name}").count()
    files.delete(hadoop.Path(f"{out}/_attempts"), True)
    file = files.create(hadoop.Path(f"{out}/summary.json"))
    file.write(bytearray(json.dumps(summary, indent=1) + "\n", "utf-8"))
    file.close()
    spark.stop()
    sys.exit("\n".join(f"linkgraph.py: {f.unit}: {f.error}" for f in failed) or 0)


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) > 2 else sys.exit("usage: spark-submit --files absolink linkgraph.py units out [FLAG...]")
