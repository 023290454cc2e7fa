# SPDX-License-Identifier: GPL-2.0
"""The parts of "make bench"."""
