"""The graph: calendar, chart engines, facts, rules, findings, explanations, terminal and server."""
