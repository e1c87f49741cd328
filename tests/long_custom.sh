#!/bin/sh
# The filter that runs a user's own kernel, with every border and format and a hundred reloads of its file.
exec "${BUILD:?}/tests/unit" custom long
