# SPDX-License-Identifier: GPL-2.0
"""From the base to a built kernel."""
