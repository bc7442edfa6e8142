"""The graph over HTTP: SPARQL, a page for every IRI of ours, charts cast on demand, texts by DTS.

One process answers requests and holds nothing; all that reads the graph is a job (a function of a `World`) that
one of a few worker processes does. `kg.server.app.create_app` is the one entrance.
"""
