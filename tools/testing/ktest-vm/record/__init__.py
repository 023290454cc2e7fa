# SPDX-License-Identifier: GPL-2.0
"""What the emulator says it has executed, and what branch tracing says of the same."""
