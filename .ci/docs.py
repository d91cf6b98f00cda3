"""Counts documented public symbols and looks for public types that no landing page names.

Usage: docs.py FOLDER-OF-SYMBOL-GRAPHS LIBRARY...
"""

import json
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
total, faults = 0, []
for library in sys.argv[2:]:
    symbols = {}
    for graph in (folder / library).glob("*.symbols.json"):
        for symbol in json.loads(graph.read_text())["symbols"]:
            symbols[symbol["identifier"]["precise"]] = symbol
    # A symbol without a place in a file was made by the compiler.
    written = [s for s in symbols.values() if "location" in s]
    total += len(written)
    for symbol in written:
        lines = symbol.get("docComment", {}).get("lines", [])
        if not any(line["text"].strip() for line in lines):
            place = symbol["location"]["uri"].rsplit("/", 1)[-1]
            faults.append(f"undocumented: {library}.{'.'.join(symbol['pathComponents'])} ({place})")
    types = ("swift.struct", "swift.enum", "swift.class", "swift.protocol", "swift.actor", "swift.typealias", "swift.func")
    top = {
        s["pathComponents"][0]
        for s in written
        if len(s["pathComponents"]) == 1 and s["kind"]["identifier"] in types
    }
    page = pathlib.Path(f"Sources/{library}/{library}.docc/{library}.md").read_text()
    topics = page.partition("## Topics")[2]
    named = {name.rpartition("/")[2] for name in re.findall(r"^- ``([^`]+)``$", topics, re.MULTILINE)}
    faults += [f"not on the landing page of {library}: {name}" for name in sorted(top - named)]

documented = total - sum(fault.startswith("undocumented") for fault in faults)
print(f"public documentation: {documented} of {total} symbols")
if total == 0:
    faults.append("no public symbol was found")
if faults:
    sys.exit("\n".join(faults))
