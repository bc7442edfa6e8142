// The editor of the query page: YASQE over the text box, which stays the form's own and works without any script.
"use strict";

const form = document.getElementById("ask");
const box = document.getElementById("query");

// The prefixes of this graph are declared as they are typed, those of other hosts are not asked for, nothing kept in the browser, and Tab leaves the editor as it leaves any field.
const prefixes = box.dataset.prefixes.split("\n");
Yasqe.forkAutocompleter("prefixes", { name: "ours", persistenceId: null, get: () => Promise.resolve(prefixes) });
Yasqe.defaults.autocompleters = ["ours", "variables"];
Yasqe.defaults.persistenceId = null;
Yasqe.defaults.showQueryButton = false;
Yasqe.defaults.resizeable = false;
Yasqe.defaults.createShareableLink = null;

const room = document.createElement("div");
box.before(room);
const yasqe = new Yasqe(room, {
  value: box.value,
  lineWrapping: true,
  viewportMargin: Infinity,
});
const input = yasqe.getInputField();
input.setAttribute("aria-label", form.querySelector("label[for=query]").textContent);
input.setAttribute("aria-describedby", "query-note");
box.hidden = true;
box.required = false;

function run() {
  box.value = yasqe.getValue();
  form.requestSubmit();
}

yasqe.setOption("extraKeys", {
  "Ctrl-Enter": run,
  "Cmd-Enter": run,
  "Ctrl-Space": (editor) => editor.autocomplete(),
  Tab: false,
  "Shift-Tab": false,
});

// The menu names the query that the editor holds, and none once it is changed.
const menu = document.getElementById("load");
const begun = yasqe.getValue();
const named = menu.value;
yasqe.on("change", () => {
  menu.value = yasqe.getValue() === begun ? named : "";
});
form.addEventListener("submit", () => {
  box.value = yasqe.getValue();
});

// A query that was run brings the reader to its answer.
const answer = document.getElementById("answer");
if (answer) answer.focus();
