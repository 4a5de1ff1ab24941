"""The link graph of web archives and mailboxes, by Spark and absolink.

    absolink units --absolute --blind --size 256M crawl/ > units
    absolink spark > linkgraph.py
    spark-submit --files absolink linkgraph.py units out [FLAG...]

units is a file of the driver; all workers can read the paths in it. FLAGs are for absolink extract, such as
--kind nav. With --units-format cdxj --prefix URL, units is an index, which the workers read too. out is a
directory that all workers can write, or a URL for Spark and pyarrow. The job writes, as Parquet:

    links    one row a reference: page, uri, kind, rel, element, status, date, message_id
    pages    one row a document, also without links; links and kinds are maps of numbers
    hosts    source, target, links, pages: how many links lead from a host to a host, and
             from how many pages. Names are reversed (com.example.www). Each host with a page
             has a row with itself as target, so that none is lost that has no links
    domains  the same of registrable domains
    dead     unit, error and place of what could not be read: as a unit it is read again

and summary.json. If the job ends early, the same command goes on. Tasks write links, pages and dead in parts:
each unit is a part, and so are some hundred lines of an index. out/_parts has a file for each part that is
finished. A unit counts as read if absolink says so behind its last record, and all of its records have come.
Parts with other units are read three times more. Units that still fail stand in dead and summary.json, all
else is written, and the job ends with status 1. The same command then tries them again.
"""

import collections
import ctypes
import hashlib
import itertools
import json
import re
import signal
import subprocess
import sys
import tempfile
import uuid

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
    from pyarrow import fs
    from pyspark import SparkFiles
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F
except ImportError as e:
    sys.exit(f"linkgraph.py: {e}: pip install 'pyspark[sql]' here and on all workers")

ATTEMPTS = 4
TASKS, LINES = 4000, 200  # the lines of an index make TASKS parts, or fewer with LINES lines
SMALL = 1 << 20  # if most units are shorter, in bytes, they are an index
NEAR = 64 << 20  # bytes of a file whose lines in an index share a part
HELD = 16 << 20  # bytes of sums that the driver adds up by itself; Spark adds up more
ROWS, PAIRS = 20_000, 100_000  # of records and of sums that a task collects before it writes them
OURS = {"-q", "--quiet", "-j", "--jobs", "--stream", "--pages", "--format", "--fields", "--units", "--shard"}
END = "unit status error page_count link_count dead_count".split()
TEXT, NUMBER = pa.string(), pa.int64()
MAP = pa.map_(TEXT, NUMBER)
TYPES = {"rel": pa.list_(TEXT), "links": MAP, "kinds": MAP, "record_offset": NUMBER, "http_status": NUMBER}
TABLES = {name: pa.schema([(c, TYPES.get(c, TEXT)) for c in columns.split()]) for name, columns in {
    "pages": "page source record_offset record_id date http_status type message_id base error links kinds",
    "links": "page uri kind rel element status date message_id",
    "dead": "unit error source page record_offset record_id message_id"}.items()}
LEVELS = {"hosts": "host", "domains": "domain"}  # the targets of a page, and its own name
SUMS = pa.schema({"level": TEXT, "source": TEXT, "target": TEXT, "links": NUMBER, "pages": NUMBER})
ASKED = dict.fromkeys(["record", *itertools.chain(*(t.names for t in TABLES.values())), *LEVELS, *LEVELS.values()])
PLACES = {"cdxj": (r'"filename"\s*:\s*"([^"]*)"', r'"offset"\s*:\s*"?(\d+)'), "cdx": (r"(\S+)\s*$", r"(\d+)\s+\S+\s*$"),
          "lines": (r"^([^\t]*)", r"\t(\d+)")}  # file and offset in a line of an index


def command(flags):
    fields = ",".join(name for name in ASKED if name != "unit")
    return [SparkFiles.get("absolink"), "extract", "-q", "--jobs", "1", "--stream", "--pages", "--format", "arrow",
            "--fields", fields, *flags, "--units", "-"]


def die_with_task():
    """Have Linux end absolink with the task. Elsewhere it ends at its next write."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def lines_of(name):
    with open(name, encoding="utf-8", newline="\n") as f:
        yield from (line.rstrip("\n") for line in f)


def extract(lines, flags):
    """Yield the batches of records of the units in the file lines, as (batch, None). Last comes (None, error):
    why there are no more."""
    with open(lines, "rb") as f:
        process = subprocess.Popen(command(flags), stdin=f, stdout=subprocess.PIPE, preexec_fn=die_with_task)
    try:
        for batch in pa.ipc.open_stream(process.stdout):
            yield batch, None
        error = "absolink ended"
    except (pa.ArrowException, OSError) as e:
        error = str(e)
    finally:
        process.stdout.close()
        status = process.wait()
    yield None, f"{error} (status {status})"


class Part:
    """The files of a part. They are unfinished until its units have ended. The one in _parts gets its name last."""

    def __init__(self, out, name):
        self.name = f"{name}-{uuid.uuid4().hex[:12]}"  # Spark may run a task twice at a time
        self.files, self.top = filesystem(out)
        self.ready, self.writers = [], {}  # ready: batches that are not written yet
        self.sums = collections.defaultdict(lambda: [0, 0])  # links and pages, by level, source and target

    def read(self, lines, flags, failed):
        """Write the records of the units in the file lines. Units that fail go to failed. If absolink ended within a
        unit, return this unit. Return "" if the part must begin again, since records of a failed unit are written."""
        units = lines_of(lines)
        unit, rows, written, whole = next(units, None), 0, False, len(self.ready)  # whole: batches of earlier units
        for batch, error in extract(lines, flags):
            if batch is None:
                break
            self.ready.append(batch)
            rows += batch.num_rows
            if batch["record"][-1].as_py() == "unit":
                end = batch.select(END).slice(batch.num_rows - 1).to_pylist()[0]
                lost = rows != 1 + end["page_count"] + end["link_count"] + end["dead_count"]
                if end["unit"] != unit or end["status"] != "done" or lost:
                    failed[unit] = end["error"] or "records of it are lost"
                    if written:
                        return ""
                    del self.ready[whole:]
                unit, rows, written, whole = next(units, None), 0, False, len(self.ready)
            if sum(b.num_rows for b in self.ready) >= ROWS:
                self.write()
                written, whole = rows > 0, 0
        if unit is not None:
            failed[unit] = error
            del self.ready[whole:]
        return "" if unit and written else unit

    def write(self):
        """Write the batches that are ready, and add up the links of their pages."""
        t = pa.Table.from_batches(self.ready).unify_dictionaries().combine_chunks()
        self.ready = []
        record = t["record"].cast(TEXT)
        for name, schema in TABLES.items():
            if (rows := t.filter(pc.equal(record, name.removesuffix("s")))).num_rows:
                self.write_rows(name, rows.select(schema.names))
                if name == "pages":
                    self.add_up(rows)

    def add_up(self, pages):
        """Add the links of pages to the sums. A page also counts as source and target of no link."""
        for level, own in LEVELS.items():
            for source, targets in zip(pages[own].to_pylist(), pages[level].to_pylist()):
                for target, links in [(source, 0), *targets] if source else ():
                    pair = self.sums[level, reverse(source), reverse(target)]
                    pair[0] += links
                    pair[1] += links > 0
        if len(self.sums) > PAIRS:
            self.write_sums()

    def write_sums(self):
        rows = [(*names, *numbers) for names, numbers in self.sums.items()]
        self.write_rows("_parts", pa.table(list(zip(*rows)) or [[]] * len(SUMS), SUMS))
        self.sums.clear()

    def write_rows(self, name, rows):
        if name not in self.writers:
            path = f"{self.top}/_unfinished/{name}-{self.name}"
            self.writers[name] = pq.ParquetWriter(path, rows.schema, filesystem=self.files, store_schema=False)
        self.writers[name].write_table(rows)

    def finish(self, failed, twice):
        """Write what is left, and name the files."""
        if self.ready:
            self.write()
        self.write_sums()
        self.writers["_parts"].add_key_value_metadata({"notes": json.dumps({"failed": failed, "twice": twice})})
        for name in sorted(self.writers, reverse=True):  # _parts comes last
            self.writers[name].close()
            done = f"{self.top}/{name}/{self.name}-{len(failed)}-{len(twice)}.parquet"
            self.files.move(f"{self.top}/_unfinished/{name}-{self.name}", done)


def reverse(host):
    """Return com.example.www of www.example.com, and an address as it is."""
    labels = host.rstrip(".").split(".")
    return host if ":" in host or labels[-1].isdigit() else ".".join(reversed(labels))


def filesystem(out):
    return (fs.LocalFileSystem(), out) if out.startswith("/") else fs.FileSystem.from_uri(out.replace("s3a:", "s3:", 1))


def load(files, path):
    with files.open_input_stream(path) as f:
        return json.loads(f.read())


def save(files, path, value):
    with files.open_output_stream(path) as f:
        f.write(json.dumps(value, indent=1).encode() + b"\n")


def write_part(out, name, units, flags):
    """Read units and write their part. Each comes with the number of times that it is listed."""
    pa.set_memory_pool(pa.system_memory_pool())  # holds less than the other pools
    failed, twice = {}, []
    with tempfile.TemporaryDirectory() as folder:
        lines = f"{folder}/lines"
        with open(lines, "w", encoding="utf-8", newline="\n") as f:
            for unit, times in units:
                f.write(unit + "\n")
                twice += [unit] * (times > 1)
        part, left = Part(out, name), lines
        while (last := part.read(left, flags, failed)) is not None:
            rest, left = lines_of(lines), f"{folder}/left"
            if last not in rest:  # otherwise rest goes on behind it
                part, rest = Part(out, name), lines_of(lines)
            with open(left, "w", encoding="utf-8", newline="\n") as f:
                f.writelines(unit + "\n" for unit in rest if unit not in failed)
    part.finish(failed, twice)


def run(parts, out, flags):
    """Have tasks write parts."""
    try:
        parts.foreach(lambda part: write_part(out, *part, flags))
    except Exception as e:
        reasons = re.findall(r"^\s*(\w*(?:Error|Exception): .*)", str(e), re.M) or [str(e)]
        sys.exit(f"linkgraph.py: a task ended: {reasons[-1]}. Help that, and give the same command again: it goes on")


def name_of(unit):
    """Return the name of the part of a unit. Readers of Parquet ignore names that begin with a dot or with _."""
    return f"{re.sub('[^A-Za-z0-9.]+', '_', unit)[-60:].strip('_.')}-{hashlib.sha256(unit.encode()).hexdigest()[:16]}"


def is_small(unit):
    length = re.match(r"[^\t]*\t\d+\t(\d+)", unit)
    return length is not None and int(length[1]) < SMALL


def parts_of(index, count, form):
    """Return the parts of an index. The lines of a part are near each other. The same lines give the same parts."""
    file, offset = PLACES.get(form, PLACES["cdxj"])
    block = (F.regexp_extract("value", offset, 1).try_cast("bigint") / NEAR).cast("bigint")
    near = index.select("value", F.regexp_extract("value", file, 1).alias("file"), block.alias("block"))
    near = near.repartition(max(1, min(TASKS, count // LINES)), "file", "block")
    listed = near.groupBy("file", "block", "value").count().sortWithinPartitions("file", "block", "value")
    rows = listed.select("value", "count").rdd
    return rows.mapPartitionsWithIndex(lambda n, units: [(f"index-{n:05}", units)])


def finished(files, top):
    """Return the best copy of each finished part by name: how many of its units failed, how many are listed
    twice, and the name of its files."""
    found = {}
    for info in files.get_file_info(fs.FileSelector(f"{top}/_parts")):
        name, _, failed, twice = info.base_name.removesuffix(".parquet").rsplit("-", 3)
        copy = int(failed), int(twice), info.base_name
        found[name] = min(copy, found.get(name, copy))
    return found


def begin(files, top, job):
    """Write the manifest of a job, or check that an earlier run had the same one."""
    path = f"{top}/manifest.json"
    if files.get_file_info(path).type == fs.FileType.NotFound:
        if files.get_file_info(fs.FileSelector(top, allow_not_found=True)):
            sys.exit(f"linkgraph.py: {top} exists and has no manifest.json: give another directory")
        files.create_dir(top)
        save(files, path, job)
    try:
        old = dict(load(files, path))
    except (ValueError, TypeError):
        sys.exit(f"linkgraph.py: {path} is cut or damaged: remove {top}, or give another directory")
    for key in job:
        if old.get(key) != job[key]:
            was, now = json.dumps(old.get(key)), json.dumps(job[key])
            sys.exit(f"linkgraph.py: {top} belongs to another job: its {key} was {was}, and is now {now}. "
                     "Give the same command, or another directory")
    for name in [*TABLES, *LEVELS, "_parts", "_unfinished"]:
        files.create_dir(f"{top}/{name}")


def without_secrets(flags):
    """Return flags without the values of headers, and without the password and the query of --prefix. A job may
    go on with new ones."""
    text = re.sub(r"(?m)^(-H|--header)[=\n]?.*", r"\1", "\n".join(flags))
    return re.sub(r"(?m)^(--prefix[=\n]\w+://)(?:[^/?\n]*@)?([^?\n]*).*", r"\1\2", text).splitlines()


def write_levels(spark, files, out, top):
    """Write the tables hosts and domains: the sums of all parts, added up."""
    if sum(info.size for info in files.get_file_info(fs.FileSelector(f"{top}/_parts"))) > HELD:
        sums = spark.read.parquet(f"{out}/_parts").groupBy("level", "source", "target")
        sums = sums.agg(F.sum("links").alias("links"), F.sum("pages").alias("pages")).persist()  # one shuffle for both
        for level in LEVELS:
            sums.where(F.col("level") == level).drop("level").write.mode("overwrite").parquet(f"{out}/{level}")
        return
    sums = pq.read_table(f"{top}/_parts", filesystem=files, schema=SUMS).group_by(SUMS.names[:3])
    sums = sums.aggregate([("links", "sum"), ("pages", "sum")]).rename_columns(SUMS.names)
    for level in LEVELS:
        files.delete_dir_contents(f"{top}/{level}")
        rows = sums.filter(pc.field("level") == level).drop(["level"])
        pq.write_table(rows, f"{top}/{level}/sums.parquet", filesystem=files)


def main(source, out, *flags):
    if ours := OURS.intersection(f.split("=")[0] for f in flags):
        sys.exit(f"linkgraph.py: {', '.join(sorted(ours))}: leave it out, the job sets it")
    form = re.search(r"--units-format (\S+)", " ".join(flags).replace("=", " "))
    form = form[1] if form else "lines"
    if form == "csv":
        sys.exit("linkgraph.py: --units-format csv: tasks do not see the header row; use cdxj, or lines of path, "
                 "offset and length")
    spark = SparkSession.builder.appName("linkgraph").getOrCreate()
    path = spark._jvm.org.apache.hadoop.fs.Path(out)
    out = re.sub("^file:/+", "/", path.getFileSystem(spark._jsc.hadoopConfiguration()).makeQualified(path).toString())
    files, top = filesystem(out)
    if subprocess.run(command(flags), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode == 2:
        sys.exit(2)  # a wrong flag, which absolink has named
    version = subprocess.check_output([SparkFiles.get("absolink"), "version"], text=True).splitlines()[0]

    index = None
    if form == "lines":
        units = collections.Counter(line for line in lines_of(source) if line.strip())
        count, hash = len(units), hashlib.sha256("\n".join(units).encode()).hexdigest()
        if sum(map(is_small, units)) > max(LINES, count / 2):
            index = spark.createDataFrame([(unit,) for unit in units.elements()], "value string")
    else:
        index = spark.read.text(source).where("trim(value) != ''")
        for header in index.where("value LIKE ' CDX %'").distinct().collect():
            if not re.fullmatch(r" CDX N b a m s k r( M( S)?)? V g\s*", header.value):
                sys.exit(f"linkgraph.py: {source}: tasks do not see the header{header.value}; use cdxj, or lines of "
                         "path, offset and length")
        index = index.where("value NOT LIKE ' CDX %'")
        count, hash = index.agg(F.count("*"), F.expr("bit_xor(xxhash64(value))")).first()
    if not count:
        sys.exit(f"linkgraph.py: {source} has no units")
    begin(files, top, {"version": version, "flags": without_secrets(flags), "units": {"number": count, "hash": hash}})
    if files.get_file_info(f"{top}/summary.json").is_file and not load(files, f"{top}/summary.json")["failed"]:
        sys.exit(print(f"linkgraph.py: {top} is finished", file=sys.stderr))

    if index is None:
        parts = [(name_of(unit), [(unit, times)]) for unit, times in units.items()]
    else:
        parts = parts_of(index, count, form)
    done = finished(files, top)
    for attempt in range(1, ATTEMPTS + 1):
        whole = {name for name, (failed, _, _) in done.items() if not failed}
        if index is not None:
            run(parts.filter(lambda part: part[0] not in whole), out, flags)
        else:
            todo = [part for part in parts if part[0] not in whole]
            run(spark.sparkContext.parallelize(todo, min(len(todo), 2 * TASKS) or 1), out, flags)
        done = finished(files, top)
        if not any(failed for failed, _, _ in done.values()):
            break

    kept = {name for _, _, name in done.values()}
    for name in [*TABLES, "_parts"]:  # killed and repeated tasks have left other files
        for info in files.get_file_info(fs.FileSelector(f"{top}/{name}")):
            if info.base_name not in kept:
                files.delete_file(info.path)
    write_levels(spark, files, out, top)
    paths = [f"{top}/_parts/{name}" for failed, twice, name in done.values() if failed or twice]
    notes = [json.loads(pq.read_metadata(path, filesystem=files).metadata[b"notes"]) for path in paths]
    failed = [{"unit": unit, "error": note["failed"][unit]} for note in notes for unit in note["failed"]]
    for name, schema in TABLES.items():  # at least one file each, also without rows
        rows = pa.Table.from_pylist(failed if name == "dead" else [], schema)
        pq.write_table(rows, f"{top}/{name}/failed.parquet", filesystem=files)
    tables = [*TABLES, *LEVELS]
    counts = {name: pq.read_table(f"{top}/{name}", columns=[], filesystem=files).num_rows for name in tables}
    save(files, f"{top}/summary.json", {"units": count, "failed": failed, "attempts": attempt, **counts})
    for name in ["_unfinished"] + ["_parts"] * (not failed):
        files.delete_dir(f"{top}/{name}")
    spark.stop()
    for unit in (unit for note in notes for unit in note["twice"]):
        print(f"linkgraph.py: {unit}: listed twice, read once", file=sys.stderr)
    sys.exit("\n".join(f"linkgraph.py: {f['unit']}: {f['error']}" for f in failed) or 0)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: spark-submit --files absolink linkgraph.py units out [FLAG...]")
    main(*sys.argv[1:])
