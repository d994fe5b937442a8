"""One server in several processes: each owns a part of the tables, any takes any connection."""
