// The editor without a mouse: Ctrl+Enter runs the query, and choosing a named query loads it.
"use strict";
const form = document.getElementById("ask");
const box = document.getElementById("query");
box.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit();
  }
});
const answer = document.getElementById("answer");
if (answer) answer.focus();
