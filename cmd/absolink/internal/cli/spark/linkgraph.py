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

and summary.json. If the job ends early, the same command goes on. Tasks write links, pages and dead by
themselves, in parts: each unit is a part, but small ranges near each other, and the lines of an index, share
one. out/_parts has a file for each part that is finished, with its sums and its failures. A unit counts as
read if absolink says so behind its last record, and all of its records have come. Others are tried three
times more, each by its own process. A unit that fails still stands in dead and summary.json, all tables are
written without it, and the job ends with status 1. The same command then tries it again. pip install
pyspark[sql] has what driver and workers need.
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
import zlib

try:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
    from pyarrow import fs
    from pyspark import SparkFiles, TaskContext
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F
except ImportError as e:
    sys.exit(f"linkgraph.py: {e}: pip install 'pyspark[sql]' here and on all workers")

ATTEMPTS = 4
TASKS = 4000  # and parts of an index, at most
LINES = 200  # in a part of an index, if there are more
SMALL, NEAR = 1 << 20, 64 << 20  # more than LINES ranges below SMALL bytes share parts, by the NEAR bytes they begin in
HELD = 16 << 20  # bytes of sums that the driver adds up by itself; Spark adds up more
ROWS, PAIRS = 20_000, 100_000  # of records and of hosts that a task collects before it writes them
LINKS = "page uri kind rel element status date message_id".split()
PAGES = "page source record_offset record_id date http_status type base error links kinds message_id".split()
DEAD = "unit error source page record_offset record_id message_id".split()
END = "unit status error page_count link_count dead_count".split()
TABLES = {"links": LINKS, "pages": PAGES, "dead": DEAD}
OURS = {"-q", "--quiet", "-j", "--jobs", "--stream", "--pages", "--format", "--fields", "--units", "--shard"}
ASKED = ["record", *dict.fromkeys(n for n in LINKS + PAGES + DEAD if n != "unit"), "host", "domain"]
MAP, NUMBERS = pa.map_(pa.string(), pa.int64()), {"record_offset": pa.int64(), "http_status": pa.int64()}
TYPES = {"rel": pa.list_(pa.string()), "links": MAP, "kinds": MAP, **NUMBERS}
SCHEMAS = {name: pa.schema([(c, TYPES.get(c, pa.string())) for c in columns]) for name, columns in TABLES.items()}
SUMS = "level string, source string, target string, links bigint, pages bigint"  # level: hosts, domains, failed, twice
SCHEMAS["sums"] = pa.schema([(c.split()[0], pa.string() if c.endswith("string") else pa.int64()) for c in SUMS.split(", ")])


def command(flags):
    return [SparkFiles.get("absolink"), "extract", "-q", "--jobs", "1", "--stream", "--pages",
            "--format", "arrow", "--fields", ",".join(ASKED), *flags, "--units", "-"]


def die_with_task():
    """Have Linux end absolink with the task. Elsewhere it ends at its next write."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def lines_of(name):
    with open(name, encoding="utf-8", newline="\n") as f:
        yield from (line.rstrip("\n") for line in f)


def extract(lines, flags):
    """Yield the records of the units in the file lines, as (batch, None, None), and behind those of each
    unit (None, unit, error). error is None if the unit was read whole."""
    units, rows, error = lines_of(lines), 0, "absolink ended"
    unit = next(units)
    with open(lines, "rb") as f:
        process = subprocess.Popen(command(flags), stdin=f, stdout=subprocess.PIPE, preexec_fn=die_with_task)
    try:
        for batch in pa.ipc.open_stream(process.stdout):
            rows += batch.num_rows
            yield batch, None, None
            if batch["record"][-1].as_py() == "unit":
                end = {n: batch[n][-1].as_py() for n in END}
                if end["unit"] != unit:
                    error = f"absolink answered a unit that was not asked for: {end['unit']}"
                    break
                if end["status"] == "done" and rows == 1 + end["page_count"] + end["link_count"] + end["dead_count"]:
                    yield None, unit, None
                else:
                    yield None, unit, end["error"] or "records of it are lost"
                unit, rows = next(units, None), 0
    except (pa.ArrowException, OSError) as e:
        error = str(e)
    finally:
        process.stdout.close()
        status = process.wait()
    for unit in itertools.chain([unit] * (unit is not None), units):
        yield None, unit, f"{error} (status {status})"


class Part:
    """The files of a part. They are temporary until its units have ended. The one in _parts gets its name last."""

    def __init__(self, out, name, folder):
        self.name = f"{name}-{uuid.uuid4().hex[:12]}"  # Spark may run a task twice at a time
        self.files, self.out = filesystem(out)
        self.renames = self.files.type_name in ("local", "hdfs")  # other stores get files that are complete
        self.folder = f"{self.out}/_unfinished" if self.renames else folder
        self.begin()

    def begin(self):
        self.ready, self.writers, self.failed = [], {}, []  # ready: batches that are not written yet
        self.sums = {"hosts": {}, "domains": {}}
        self.last = {"hosts": (None, set()), "domains": (None, set())}  # source and targets of the last page

    def read(self, lines, flags):
        """Write the records of the units in the file lines."""
        held, begun, spoilt = [], False, False  # begun: records of the unit are written
        for batch, unit, error in extract(lines, flags):
            if unit is None:
                held.append(batch)
                if sum(b.num_rows for b in held) < ROWS:
                    continue
            if error is None:
                self.write(held)
            else:
                self.failed.append((unit, error))
                spoilt = spoilt or begun
            held, begun = [], unit is None
        if spoilt:
            errors = dict(self.failed)
            self.begin()
            self.failed = [(u, errors.get(u, "a unit that was read with it failed")) for u in lines_of(lines)]

    def write(self, batches, least=ROWS):
        """Write batches, and those that are ready, if they have enough rows together."""
        self.ready += batches
        if sum(b.num_rows for b in self.ready) < least:
            return
        t = pa.Table.from_batches(self.ready).unify_dictionaries().combine_chunks()
        self.ready = []
        record = t["record"].cast(pa.string())
        self.add(t, pc.equal(record, "page").to_numpy(), pc.equal(record, "link").to_numpy())
        for name in TABLES:
            if (rows := t.filter(pc.equal(record, name.removesuffix("s"))).select(TABLES[name])).num_rows:
                self.write_rows(name, rows)

    def write_rows(self, name, rows):
        if name not in self.writers:
            store = self.files if self.renames else fs.LocalFileSystem()
            self.writers[name] = pq.ParquetWriter(f"{self.folder}/{name}-{self.name}", rows.schema, filesystem=store, store_schema=False)
        self.writers[name].write_table(rows)

    def add(self, t, pages, links):
        """Add the links of t to the sums. The links of a page follow its row."""
        links &= pc.fill_null(pc.not_equal(t["kind"].cast(pa.string()), "identifier"), False).to_numpy()
        page = np.cumsum(pages)  # its number; 0 is the last page of the rows before
        for level, last in self.last.items():
            column = t[level[:-1]].combine_chunks()
            names = [*map(reverse, column.dictionary.to_pylist()), None]
            codes = pc.fill_null(column.indices, len(names) - 1).to_numpy()
            sources = [last[0], *(names[i] for i in codes[pages])]
            sums = self.sums[level]
            sums.update(((s, s), sums.get((s, s), (0, 0))) for s in {*sources} - {None})
            pairs, numbers = np.unique((page * len(names) + codes)[links], return_counts=True)
            seen, own = last[1], set()
            for pair, n in zip(pairs.tolist(), numbers.tolist()):
                p, target = pair // len(names), names[pair % len(names)]
                if sources[p] and target:
                    count, of = sums.get((sources[p], target), (0, 0))
                    sums[sources[p], target] = count + n, of + (p > 0 or target not in seen)
                    if p == len(sources) - 1:
                        own.add(target)
            self.last[level] = sources[-1], own | seen if len(sources) == 1 else own
            if len(sums) > PAIRS:
                self.write_sums(level)

    def write_sums(self, level):
        self.write_rows("sums", table("sums", [(level, *names, *n) for names, n in self.sums[level].items()]))
        self.sums[level] = {}

    def finish(self, twice):
        """Write what is left, and name the files."""
        self.write([], 1)
        notes = [("failed", *f, 0, 0) for f in self.failed] + [("twice", u, None, 0, 0) for u in twice]
        self.write_rows("sums", table("sums", notes))
        for level in self.sums:
            self.write_sums(level)
        for name, writer in sorted(self.writers.items()):  # sums come last
            writer.close()
            done = f"_parts/{self.name}-{len(notes)}.parquet" if name == "sums" else f"{name}/{self.name}.parquet"
            names = f"{self.folder}/{name}-{self.name}", f"{self.out}/{done}"
            if self.renames:
                self.files.move(*names)
            else:
                fs.copy_files(*names, source_filesystem=fs.LocalFileSystem(), destination_filesystem=self.files)


def table(name, rows):
    columns = list(zip(*rows)) or [[]] * len(SCHEMAS[name])
    return pa.table([pa.array(c, f.type) for c, f in zip(columns, SCHEMAS[name])], schema=SCHEMAS[name])


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
    """Read units and write their part. Equal units follow each other."""
    twice = []
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/lines", "w", encoding="utf-8", newline="\n") as f:
            for unit, equal in itertools.groupby(units):
                f.write(unit + "\n")
                twice += [unit] * (len(list(equal)) > 1)
        part = Part(out, name, folder)
        if next(lines_of(f.name), None) is not None:
            part.read(f.name, flags)
        part.finish(twice)


def count_parts(lines):
    return max(1, min(TASKS, lines // LINES))


def parts(units, attempt):
    """Yield the name of each part with its units. The same units always give the same parts."""
    found, small = {}, []
    for n, unit in enumerate(units):
        path, offset, length, *_ = (unit + "\t\t").split("\t")
        if attempt == 1 and offset.isdecimal() and length.isdecimal() and int(length) < SMALL:
            small.append((path, int(offset), unit))
        else:
            found.setdefault(n if attempt == 1 else n % TASKS, []).append(unit)
    for path, offset, unit in sorted(small):
        near = ("near", zlib.crc32(f"{path} {offset // NEAR}".encode()) % count_parts(len(small)))
        found.setdefault(near if len(small) > LINES else unit, []).append(unit)
    for some in found.values():
        hash = hashlib.sha256("\n".join(some).encode()).hexdigest()[:16]
        yield f"{attempt}-{re.sub('[^A-Za-z0-9.]+', '_', some[0])[-60:]}-{hash}", some


def run(rows, write):
    """Have tasks call write with the values of rows."""
    def work(batches):
        write(value for b in batches for value in b.column(0).to_pylist())
        return iter(())

    try:
        rows.mapInArrow(work, "n bigint").write.format("noop").mode("append").save()
    except Exception as e:
        reasons = re.findall(r"^\s*(\w*(?:Error|Exception): .*)", str(e), re.M) or [str(e)]
        sys.exit(f"linkgraph.py: a task ended: {reasons[-1]}. Help that, and give the same command again: it goes on")


def read_index(spark, source, form):
    """Return the lines of an index, with the files and offsets that they name."""
    lines = spark.read.text(source).where("trim(value) != ''")
    file, offset = r'"filename"\s*:\s*"([^"]*)"', r'"offset"\s*:\s*"?(\d+)'
    if form == "cdx":
        file, offset = r"(\S+)\s*$", r"(\d+)\s+\S+\s*$"
        for header in lines.where("value LIKE ' CDX %'").distinct().collect():
            if not re.fullmatch(r" CDX N b a m s k r( M( S)?)? V g\s*", header.value):
                sys.exit(f"linkgraph.py: {source}: tasks do not see the header{header.value}; use cdxj, or lines of path, offset and length")
        lines = lines.where("value NOT LIKE ' CDX %'")
    offset = F.regexp_extract("value", offset, 1).try_cast("bigint")
    return lines.select("value", F.regexp_extract("value", file, 1).alias("file"), offset.alias("offset"))


def write_index(index, count, done, out, flags):
    """Have tasks write the parts of an index. The same lines always give the same parts."""
    def write(lines):
        name = f"1-index-{TaskContext.get().partitionId():05}"
        if name not in done:
            write_part(out, name, lines, flags)

    near = index.repartition(count, "file", F.expr(f"offset div {NEAR}")).sortWithinPartitions("file", "offset", "value")
    run(near.select("value"), write)


def begin(files, top, job):
    """Write the manifest of a job, or check that an earlier run had the same one."""
    path = f"{top}/manifest.json"
    if files.get_file_info(path).type == fs.FileType.File:
        try:
            old = dict(load(files, path))
        except (ValueError, TypeError):
            sys.exit(f"linkgraph.py: {path} is cut or damaged: remove {top}, or give another directory")
        for key in job:
            if old.get(key) != job[key]:
                sys.exit(f"linkgraph.py: {top} belongs to another job: its {key} was {json.dumps(old.get(key))}, and is now "
                         f"{json.dumps(job[key])}. Give the same command, or another directory")
    elif files.get_file_info(fs.FileSelector(top, allow_not_found=True)):
        sys.exit(f"linkgraph.py: {top} exists and has no manifest.json: give another directory")
    else:
        files.create_dir(top)
        save(files, path, job)
    for name in [*TABLES, "_parts", "_unfinished"]:
        files.create_dir(f"{top}/{name}")


def without_secrets(flags):
    """Return flags without the values of headers, and without the password and the query of --prefix. A job may
    go on with new ones."""
    text = re.sub(r"(?m)^(-H|--header)[=\n]?.*", r"\1", "\n".join(flags))
    return re.sub(r"(?m)^(--prefix[=\n]\w+://)(?:[^/?\n]*@)?([^?\n]*).*", r"\1\2", text).splitlines()


def add_up(spark, files, paths, out, top, store, path):
    """Write the tables hosts and domains: the totals of the sums in the files at paths."""
    small = sum(info.size for info in files.get_file_info(paths)) <= HELD
    if small:
        sums = pa.concat_tables(pq.read_table(p, filesystem=files, schema=SCHEMAS["sums"]) for p in paths)
        sums = sums.group_by(["level", "source", "target"]).aggregate([("links", "sum"), ("pages", "sum")])
        sums = sums.rename_columns(SCHEMAS["sums"].names)
    else:
        sums = spark.read.schema(SUMS).parquet(f"{out}/_parts").where("level IN ('hosts', 'domains')")
        sums = sums.groupBy("level", "source", "target").agg(F.sum("links").alias("links"), F.sum("pages").alias("pages"))
        sums.write.partitionBy("level").mode("overwrite").parquet(f"{out}/_sums")
    for name in ("hosts", "domains"):
        store.delete(path(f"{out}/{name}"), True)
        if not small and store.exists(path(f"{out}/_sums/level={name}")):
            store.rename(path(f"{out}/_sums/level={name}"), path(f"{out}/{name}"))
            continue
        rows = sums.filter(pc.equal(sums["level"], name)) if small else table("sums", [])
        files.create_dir(f"{top}/{name}")
        pq.write_table(rows.drop(["level"]), f"{top}/{name}/sums.parquet", filesystem=files)


def finished(files, top):
    """Return the number of notes, the stem and the path of each part that is finished, by name. If there
    are two of a name, remove that with more notes."""
    found = {}
    for info in files.get_file_info(fs.FileSelector(f"{top}/_parts")):
        name, token, notes = info.base_name.removesuffix(".parquet").rsplit("-", 2)
        found.setdefault(name, []).append((int(notes), f"{name}-{token}", info.path))
    for copies in found.values():
        for _, _, path in sorted(copies)[1:]:
            files.delete_file(path)
    return {name: min(copies) for name, copies in found.items()}


def noted(files, done, attempt):
    """Return the units that failed in an attempt with their errors, and the units that were listed twice."""
    paths = [path for name, (n, _, path) in done.items() if n and name.startswith(f"{attempt}-")]
    tables = (pq.read_table(p, filesystem=files, filters=[("level", "in", ["failed", "twice"])]) for p in paths)
    rows = [row for t in tables for row in t.to_pylist()]
    failed = sorted((r["source"], r["target"]) for r in rows if r["level"] == "failed")
    return dict(failed), [r["source"] for r in rows if r["level"] == "twice"]


def main(source, out, *flags):
    if ours := OURS.intersection(f.split("=")[0] for f in flags):
        sys.exit(f"linkgraph.py: {', '.join(sorted(ours))}: leave it out, the job sets it")
    form = re.search(r"--units-format (\S+)", " ".join(flags).replace("=", " "))
    form = form[1] if form else "lines"
    if form == "csv":
        sys.exit("linkgraph.py: --units-format csv: tasks do not see the header row; use cdxj, or lines of path, offset and length")
    spark = SparkSession.builder.appName("linkgraph").getOrCreate()
    hadoop, path = spark._jvm.org.apache.hadoop.fs, spark._jvm.org.apache.hadoop.fs.Path(out)
    store = path.getFileSystem(spark._jsc.hadoopConfiguration())
    out = re.sub("^file:/+", "/", store.makeQualified(path).toString())
    files, top = filesystem(out)
    if subprocess.run(command(flags), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode == 2:
        sys.exit(2)  # a wrong flag, which absolink has named
    version = subprocess.run([SparkFiles.get("absolink"), "version"], capture_output=True, text=True).stdout.split("\n")[0]
    if form == "lines":
        numbers = collections.Counter(line for line in lines_of(source) if line.strip())
        units, twice = list(numbers), [u for u, n in numbers.items() if n > 1]
        count, hash = len(units), hashlib.sha256("\n".join(units).encode()).hexdigest()
    else:
        index, twice = read_index(spark, source, form), []
        count, hash = index.agg(F.count("*"), F.expr("bit_xor(xxhash64(value))")).first()
    if not count:
        sys.exit(f"linkgraph.py: {source} has no units")
    begin(files, top, {"version": version, "flags": without_secrets(flags), "units": {"number": count, "hash": hash}})

    done, attempt, last = finished(files, top), 1, ATTEMPTS
    if files.get_file_info(f"{top}/summary.json").type == fs.FileType.File:
        before = load(files, f"{top}/summary.json")
        if not before["failed"]:
            sys.exit(print(f"linkgraph.py: {top} is finished", file=sys.stderr))
        last += before["attempts"]
    while True:
        if form != "lines" and attempt == 1:
            if sum(name.startswith("1-") for name in done) < count_parts(count):
                write_index(index, count_parts(count), {*done}, out, flags)
        elif todo := [p for p in parts(units, attempt) if p[0] not in done]:
            shared, count_of_tasks = spark.sparkContext.broadcast(todo), min(len(todo), 2 * TASKS)
            run(spark.range(0, len(todo), 1, count_of_tasks), lambda some: [write_part(out, *shared.value[i], flags) for i in some])
        done = finished(files, top)
        failed, more = noted(files, done, attempt)
        twice += more
        if not failed or attempt == last:
            break
        units, attempt = list(failed), attempt + 1

    add_up(spark, files, [path for _, _, path in done.values()], out, top, store, hadoop.Path)
    stems = {stem for _, stem, _ in done.values()}
    result = {"units": count, "failed": [{"unit": u, "error": e} for u, e in failed.items()], "attempts": attempt}
    for name in TABLES:  # killed tasks may have left files
        for info in files.get_file_info(fs.FileSelector(f"{top}/{name}")):
            if info.base_name.removesuffix(".parquet") not in stems:
                files.delete_file(info.path)
        rows = [(*f, None, None, None, None, None) for f in failed.items()] if name == "dead" else []
        pq.write_table(table(name, rows), f"{top}/{name}/failed.parquet", filesystem=files)
    for name in [*TABLES, "hosts", "domains"]:
        found = (f.path for f in files.get_file_info(fs.FileSelector(f"{top}/{name}")) if f.extension == "parquet")
        result[name] = sum(pq.read_metadata(path, filesystem=files).num_rows for path in found)
    save(files, f"{top}/summary.json", result)
    for name in ["_sums", "_unfinished"] + ["_parts"] * (not failed):
        store.delete(hadoop.Path(f"{out}/{name}"), True)
    spark.stop()
    for unit in twice:
        print(f"linkgraph.py: {unit}: listed twice, read once", file=sys.stderr)
    sys.exit("\n".join(f"linkgraph.py: {u}: {e}" for u, e in failed.items()) or 0)


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) > 2 else sys.exit("usage: spark-submit --files absolink linkgraph.py units out [FLAG...]")
