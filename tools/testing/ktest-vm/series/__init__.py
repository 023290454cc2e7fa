# SPDX-License-Identifier: GPL-2.0
"""The patches to mail: made by "make series", tried out by "make series-check"."""
