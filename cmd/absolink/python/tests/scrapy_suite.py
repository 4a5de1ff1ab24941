"""Runs tests of Scrapy with absolink's LinkExtractor in the place of Scrapy's: scrapy_suite.py ARGUMENT..."""

from __future__ import annotations

import sys

import pytest
import scrapy.linkextractors
from scrapy.linkextractors import lxmlhtml

from absolink.scrapy import LinkExtractor

for module, name in ((lxmlhtml, "LxmlLinkExtractor"), (scrapy.linkextractors, "LinkExtractor")):
    setattr(module, name, LinkExtractor)
sys.exit(pytest.main(sys.argv[1:]))
