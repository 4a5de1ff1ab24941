"""The link graph of web archives and mailboxes, by Spark and absolink.

    absolink units --absolute --blind --size 256M crawl/ > units
    absolink spark > linkgraph.py
    spark-submit --files absolink linkgraph.py units out [FLAG...]

units is a file of the driver; all workers can read the paths in it. FLAGs are for absolink extract, such as --kind nav.
With --units-format cdxj --prefix URL, units is an index, which the workers read too. out is a directory that all
workers can write, or a URL for Spark and pyarrow. The job writes the tables links, pages, hosts, domains and dead as
Parquet, and summary.json. "absolink help units" says what they hold.

If the job ends early, the same command goes on. Units that have failed four times stand in dead and summary.json, all
else is written, and the job ends with status 1.
"""

import collections
import hashlib
import json
import re
import subprocess
import sys
import uuid

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
    from pyarrow import fs
    from pyspark import SparkFiles
    from pyspark.sql import SparkSession
except ImportError as e:
    sys.exit(f"linkgraph.py: {e}: pip install 'pyspark[sql]' here and on all workers")

ATTEMPTS = 4
TASKS, LINES = 4000, 200  # small units make TASKS parts, or fewer with LINES units
SMALL = r"[^\t]*\t\d+\t\d{1,6}(\t|\r?$)"  # a range of less than 1 MB; if most units are small, they share parts
NEAR = 64 << 20  # bytes of a file whose lines in an index share a part
HELD = 16 << 20  # bytes of sums that the driver adds up by itself; Spark adds up more
ROWS = 20_000  # of records that a task holds
OURS = {"-q", "--quiet", "-j", "--jobs", "--stream", "--pages", "--edges", "--format", "--fields", "--units", "--shard"}
TEXT, NUMBER = pa.string(), pa.int64()
TYPES = {"rel": pa.list_(TEXT), **dict.fromkeys(["links", "kinds"], pa.map_(TEXT, NUMBER)),
         **dict.fromkeys(["record_offset", "http_status", "link_count", "page_count"], NUMBER)}
TABLES = {name: pa.schema([(c, TYPES.get(c, TEXT)) for c in columns.split()]) for name, columns in {
    "pages": "page source record_offset record_id date http_status type message_id base error links kinds",
    "links": "page uri kind rel element status date message_id",
    "dead": "unit error source page record_offset record_id message_id",
    "_hosts": "referrer target link_count page_count",
    "_domains": "referrer target link_count page_count"}.items()}
SUMS = {"_hosts": "hosts", "_domains": "domains"}  # the tables that are added up, at the end
FIELDS = dict.fromkeys(["record", *TABLES["pages"].names, *TABLES["links"].names])
PLACES = {"cdxj": (r'"filename"\s*:\s*"([^"]*)"', r'"offset"\s*:\s*"?(\d+)'),
          "cdx": (r"(\S+)\s*$", r"(\d+)\s+\S+\s*$")}  # file and offset in a line of an index
HEADER = r"^ CDX N b a m s k r( M( S)?)? V g\s*$"  # absolink reads such an index without it


def command(flags):
    return [SparkFiles.get("absolink"), "extract", "-q", "--jobs", "1", "--stream", "--pages", "--edges", "--format",
            "arrow", "--fields", ",".join(FIELDS), *flags, "--units", "-"]


class UnitFailed(Exception):
    """absolink reported an error for a unit, or records of it are missing."""


class Absolink:
    """A process that reads one unit after the other. If it ends, the next unit starts another one."""

    def __init__(self, flags):
        self.flags, self.process = flags, None

    def read(self, unit):
        """Yield the batches of records of a unit, or raise UnitFailed."""
        if not self.process:
            self.process = subprocess.Popen(command(self.flags), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.batches = None
        rows, error = 0, "absolink ended"
        try:
            self.process.stdin.write(unit.encode() + b"\n")
            self.process.stdin.flush()
            self.batches = self.batches or pa.ipc.open_stream(self.process.stdout)
            for batch in self.batches:
                yield batch
                rows += batch.num_rows
                if batch["record"][-1].as_py() == "unit":
                    end = batch.slice(batch.num_rows - 1).to_pylist()[0]
                    counts = [end[f"{name}_count"] for name in ("page", "link", "dead", "edge")]
                    if end["unit"] != unit or end["status"] != "done" or rows != 1 + sum(counts):
                        raise UnitFailed(end["error"] or "records of it are lost")
                    return
        except (pa.ArrowException, OSError) as e:
            error = str(e)
        self.process.kill()  # it may still write
        raise UnitFailed(f"{error} (status {self.end()})")

    def end(self):
        """End the process, if there is one, and return its status."""
        process, self.process = self.process, None
        if process:
            process.communicate()  # closes its input, and waits
            return process.returncode


class Tables:
    """A file for each table, with the records of a large unit, or of small ones. They are unfinished until publish."""

    def __init__(self, files, top):
        self.files, self.top, self.unfinished = files, top, f"{top}/_unfinished/{uuid.uuid4().hex}"
        self.batches, self.rows, self.writers = [], 0, {}  # batches are not written yet

    def add(self, batches):
        self.batches += batches
        self.rows += sum(b.num_rows for b in batches)
        if self.rows >= ROWS:
            self.write()

    def write(self):
        t = pa.Table.from_batches(self.batches).unify_dictionaries().combine_chunks()
        self.batches, self.rows = [], 0
        record = t["record"].cast(TEXT)
        for name, schema in TABLES.items():
            rows = t.select(schema.names).filter(pc.equal(record, name.strip("_").removesuffix("s")))
            if not rows.num_rows:
                continue
            if name in SUMS:
                rows = total(rows.cast(schema))
            if name not in self.writers:
                path = f"{self.unfinished}-{name}"
                self.writers[name] = pq.ParquetWriter(path, rows.schema, filesystem=self.files, store_schema=False)
            self.writers[name].write_table(rows)

    def publish(self, file):
        if self.batches:
            self.write()
        for name, writer in self.writers.items():
            writer.close()
            self.files.move(f"{self.unfinished}-{name}", f"{self.top}/{name}/{file}.parquet")


def total(sums):
    """Add up the links and pages of each pair of names."""
    counts = [("link_count", "sum"), ("page_count", "sum")]
    return sums.group_by(["referrer", "target"]).aggregate(counts).rename_columns(sums.column_names)


def filesystem(out):
    return fs.FileSystem.from_uri(re.sub("^s3a:", "s3:", out))


def load(files, path):
    with files.open_input_stream(path) as f:
        return json.load(f)


def save(files, path, value):
    with files.open_output_stream(path) as f:
        f.write(json.dumps(value, indent=1).encode() + b"\n")


def write_part(out, part, units, flags):
    """Read units and write their part. Each comes with the number of times that it is listed."""
    pa.set_memory_pool(pa.system_memory_pool())  # holds less than the other pools
    files, top = filesystem(out)
    copy = f"{part}-{uuid.uuid4().hex[:12]}"  # Spark may run a task twice at a time
    absolink = Absolink(flags)
    small, failed, twice = Tables(files, top), [], []
    for n, (unit, times) in enumerate(units, 1):
        if not unit.removeprefix("\ufeff").strip():
            continue  # absolink would not answer
        if times > 1:
            twice.append(unit)
        tables = Tables(files, top)
        try:
            for batch in absolink.read(unit):
                tables.add([batch])
        except UnitFailed as e:
            failed.append({"unit": unit, "error": str(e)})  # its records stay unfinished
            continue
        if tables.writers:
            tables.publish(f"{copy}-{n}")
        else:
            small.add(tables.batches)
    absolink.end()
    small.publish(f"{copy}-0")
    note = f"{copy}-{len(failed)}-{len(twice)}.json"  # without it the files of the part do not count
    save(files, f"{top}/_unfinished/{note}", {"failed": failed, "twice": twice})
    files.move(f"{top}/_unfinished/{note}", f"{top}/_parts/{note}")


def read_list(spark, source):
    """Return the parts of a list of units, the number of different units, and their hash."""
    with open(source, encoding="utf-8-sig", newline="\n") as f:
        units = collections.Counter(line.rstrip("\n") for line in f if line.strip())
    small = sum(re.match(SMALL, unit) is not None for unit in units)
    length = max(LINES, len(units) // TASKS) if small > max(LINES, len(units) / 2) else 1
    names = [re.sub("[^A-Za-z0-9.]+", "_", unit)[-60:] for unit in units]
    listed = list(units.items())
    parts = [(f"{n}_{names[n]}", listed[n:n + length]) for n in range(0, len(listed), length)]
    parts = spark.sparkContext.parallelize(parts, min(len(parts), 2 * TASKS) or 1)
    return parts, len(units), hashlib.sha256("\n".join(units).encode()).hexdigest()


def read_index(spark, source, form):
    """Return the parts of an index, the number of its lines, and their hash. Lines of a part are near each other."""
    index = spark.read.text(source).where(rf"NOT value RLIKE r'^\s*$|{HEADER}'")
    facts = ["count(*)", "bit_xor(xxhash64(value))", "count_if(value LIKE ' CDX %')"]
    count, hash, headers = index.selectExpr(*facts).first()
    if headers:
        sys.exit(f"linkgraph.py: {source}: tasks do not see its header; use cdxj, or lines of path, offset and length")
    file, offset = PLACES.get(form, PLACES["cdxj"])
    block = f"try_cast(regexp_extract(value, r'{offset}') AS bigint) DIV {NEAR} AS block"
    near = index.selectExpr("value", f"regexp_extract(value, r'{file}') AS file", block)
    near = near.repartition(max(1, min(TASKS, count // LINES)), "file", "block")
    listed = near.groupBy("file", "block", "value").count().sortWithinPartitions("file", "block", "value")
    parts = listed.select("value", "count").rdd.mapPartitionsWithIndex(lambda n, units: [(f"index-{n:05}", units)])
    return parts, count, hash


def finished(files, top):
    """Return the best copy of each finished part: how many units failed and are listed twice, and its name."""
    best = {}
    for info in files.get_file_info(fs.FileSelector(f"{top}/_parts")):
        part, copy, failed, twice = info.base_name.removesuffix(".json").rsplit("-", 3)
        found = int(failed), int(twice), f"{part}-{copy}"
        best[part] = min(found, best.get(part, found))
    return best


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
            sys.exit(f"linkgraph.py: {top} belongs to another job: its {key} was {old.get(key)}, and is now {job[key]}")
    for name in [*TABLES, *SUMS.values(), "_parts", "_unfinished"]:
        files.create_dir(f"{top}/{name}")


def without_secrets(flags):
    """Return flags without headers, and without the password and the query of --prefix: a job may change them."""
    text = re.sub(r"(?m)^(-[A-Za-z]*H|--header)[=\n]?.*", r"\1", "\n".join(flags))
    return re.sub(r"(?m)^(--prefix[=\n]\w+://)(?:[^/?\n]*@)?([^?\n]*).*", r"\1\2", text).splitlines()


def add_up(spark, files, out, top, sums):
    """Write the table of hosts or domains: the sums of all parts, added up."""
    table, names = SUMS[sums], ["source", "target", "links", "pages"]
    if sum(info.size for info in files.get_file_info(fs.FileSelector(f"{top}/{sums}"))) > HELD:
        rows = spark.read.parquet(f"{out}/{sums}").groupBy("referrer", "target").sum("link_count", "page_count")
        rows.toDF(*names).write.mode("overwrite").parquet(f"{out}/{table}")
    else:
        rows = total(pq.read_table(f"{top}/{sums}", filesystem=files, schema=TABLES[sums])).rename_columns(names)
        files.delete_dir_contents(f"{top}/{table}")
        pq.write_table(rows, f"{top}/{table}/sums.parquet", filesystem=files)


def main(source, out, *flags):
    if ours := OURS.intersection(f.split("=")[0] for f in flags):
        sys.exit(f"linkgraph.py: {', '.join(sorted(ours))}: leave it out, the job sets it")
    form, *_ = re.findall(r"--units-format (\S+)", " ".join(flags).replace("=", " ")) or ["lines"]
    if form == "csv":
        sys.exit("linkgraph.py: --units-format csv: tasks do not see the header; make lines of path, offset and length")
    spark = SparkSession.builder.appName("linkgraph").getOrCreate()
    path = spark._jvm.org.apache.hadoop.fs.Path(out)
    out = re.sub("^file:/+", "/", path.getFileSystem(spark._jsc.hadoopConfiguration()).makeQualified(path).toString())
    files, top = filesystem(out)
    if subprocess.run(command(flags), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode == 2:
        sys.exit(2)  # a wrong flag, which absolink has named
    version = subprocess.check_output([SparkFiles.get("absolink"), "version"], text=True).splitlines()[0]
    parts, count, hash = read_list(spark, source) if form == "lines" else read_index(spark, source, form)
    if not count:
        sys.exit(f"linkgraph.py: {source} has no units")
    begin(files, top, {"version": version, "flags": without_secrets(flags), "units": {"number": count, "hash": hash}})
    if files.get_file_info(f"{top}/summary.json").is_file and not load(files, f"{top}/summary.json")["failed"]:
        print(f"linkgraph.py: {top} is finished", file=sys.stderr)
        return

    for attempt in range(1, ATTEMPTS + 1):
        whole = {part for part, (failed, _, _) in finished(files, top).items() if not failed}
        try:
            parts.filter(lambda part: part[0] not in whole).foreach(lambda part: write_part(out, *part, flags))
        except Exception as e:
            reasons = re.findall(r"^\s*(\w*(?:Error|Exception): .*)", str(e), re.M) or [str(e)]
            sys.exit(f"linkgraph.py: a task ended: {reasons[-1]}. Help that, and give the same command: it goes on")
        done = finished(files, top)
        if not any(failed for failed, _, _ in done.values()):
            break

    copies = {copy for _, _, copy in done.values()}
    for name in TABLES:  # killed and repeated tasks have left other files
        for info in files.get_file_info(fs.FileSelector(f"{top}/{name}")):
            if info.base_name.rpartition("-")[0] not in copies:
                files.delete_file(info.path)
    notes = [load(files, f"{top}/_parts/{copy}-{n}-{m}.json") for n, m, copy in done.values() if n or m]
    failed = [unit for note in notes for unit in note["failed"]]
    for name, rows in {"pages": [], "links": [], "dead": failed}.items():  # a table without rows has a file too
        pq.write_table(pa.Table.from_pylist(rows, TABLES[name]), f"{top}/{name}/failed.parquet", filesystem=files)
    for name in SUMS:
        add_up(spark, files, out, top, name)
    tables = [SUMS.get(name, name) for name in TABLES]
    counts = {t: pq.read_table(f"{top}/{t}", columns=[], filesystem=files).num_rows for t in tables}
    save(files, f"{top}/summary.json", {"units": count, "failed": failed, "attempts": attempt, **counts})
    for name in ["_unfinished"] if failed else ["_unfinished", "_parts", *SUMS]:
        files.delete_dir(f"{top}/{name}")
    spark.stop()
    for unit in (unit for note in notes for unit in note["twice"]):
        print(f"linkgraph.py: {unit}: listed twice, read once", file=sys.stderr)
    sys.exit("\n".join(f"linkgraph.py: {f['unit']}: {f['error']}" for f in failed) or 0)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: spark-submit --files absolink linkgraph.py units out [FLAG...]")
    main(*sys.argv[1:])
