"""Links of DataFrames on a cluster of two executors, of which one is killed."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed (pip install pyspark pandas pyarrow)")
if not shutil.which("java"):
    pytest.skip("Java is not installed (Debian: default-jre-headless)", allow_module_level=True)

from conftest import PAGE, URL, URLS
from pyspark.sql import SparkSession, functions

import absolink
from absolink import _program, spark

# The program, which once kills the executor: the worker of Python is a fork of a daemon, which the executor has started.
PROGRAM = """#!/bin/sh
if [ -e kill ] && mkdir killed 2>/dev/null; then
  daemon=$(cut -d' ' -f4 /proc/$PPID/stat)
  kill -9 "$(cut -d' ' -f4 "/proc/$daemon/stat")"
fi
exec '{program}' "$@"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="module")
def session(folder: Path) -> Iterator[Any]:
    program = folder / "program"
    text = PROGRAM.format(program=_program.path())
    program.write_text(text.replace("-e kill", f"-e {folder}/kill").replace("mkdir killed", f"mkdir {folder}/killed"))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")  # type: ignore[attr-defined]
    options = {
        "spark.ui.enabled": "false",
        "spark.executorEnv.ABSOLINK_PROGRAM": str(program),
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(sys.path),
        "spark.pyspark.python": sys.executable,
        "spark.sql.shuffle.partitions": "2",
        "spark.local.dir": str(folder),
        "spark.driver.host": "127.0.0.1",
    }
    for key, value in options.items():
        builder = builder.config(key, value)
    os.chdir(folder)  # for the folder work of the executors
    found = builder.getOrCreate()
    yield found
    found.stop()


def pages(session: Any, n: int) -> Any:
    rows = [(f"<a href={i}><a href=x rel='a b'>".encode(), f"{URL}{i}/") for i in range(n)]
    return session.createDataFrame(rows, "content binary, url string").repartition(8)


def uris(df: Any) -> list[str]:
    return sorted(row.uri for row in df.select("uri").collect())


def want(n: int) -> list[str]:
    return sorted(f"{URL}{i}/{name}" for i in range(n) for name in (i, "x"))


def test_links(session: Any) -> None:
    rows = [(PAGE, URL), (None, "http://none.test/"), (b"", "http://empty.test/"), (b"no page", None)]
    df = spark.links(session.createDataFrame(rows, "content binary, url string"))
    assert df.columns == list(spark.FIELDS)
    found = sorted(df.collect(), key=lambda row: (row.page, row.line or 0, row.column or 0))
    assert [row.uri for row in found if row.page == URL] == [*URLS, None]
    assert [row.rel for row in found if row.page == URL] == [[], ["next", "nofollow"], [], []]
    (failed,) = [row for row in found if row.status == "failed"]
    assert (
        failed.page == "a document of 7 bytes" and failed.error.startswith("cannot tell the type") and failed.rel == []
    )
    assert {row.page for row in found} == {URL, failed.page}
    text = session.createDataFrame([("<a href=é>", URL)], "html string, at string")
    assert uris(spark.links(text, "html", "at", fields=["uri"], kind="nav")) == [URL + "%C3%A9"]


def test_many_pages(session: Any) -> None:
    assert uris(spark.links(pages(session, 3000))) == want(3000)


def test_functions_in_forks_of_the_daemon(session: Any) -> None:
    """Workers are forks of one daemon. Each has its own child."""
    urls = functions.udf(lambda content, url: absolink.urls(bytes(content), url), "array<string>")
    found = pages(session, 200).select(functions.explode(urls("content", "url")).alias("uri"))
    assert uris(found) == want(200)


def test_a_killed_executor(session: Any, folder: Path) -> None:
    (folder / "kill").touch()
    assert uris(spark.links(pages(session, 500))) == want(500)
    assert (folder / "killed").is_dir()
