# SPDX-License-Identifier: GPL-2.0
"""The suites of "make test" that have a file of their own, and what they share."""
