#!/bin/sh
# The program against OpenCV and SciPy, with every combination of parameters.
WHOLE=1 exec "${PYTHON:-python3}" "$(dirname "$0")/oracle.py"
