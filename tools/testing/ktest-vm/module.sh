#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run a Python module of one of the folders as a program, with the modules of this
# directory to import. Usage: module.sh FOLDER.NAME [ARGUMENT...]
set -euo pipefail
PYTHONPATH=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) exec python3 -m "$@"
