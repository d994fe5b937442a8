// Reads ICU messages (a JSON list of texts on the standard input) with the parser that the page itself uses, and
// prints for each its arguments, its plural forms and its select cases.
import { readFileSync } from "node:fs";
import { parse, TYPE } from "@formatjs/icu-messageformat-parser";

function collect(elements, found) {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    found.arguments.push(element.value);
    if (element.type === TYPE.plural) found.plurals.push([element.value, Object.keys(element.options)]);
    if (element.type === TYPE.select) found.choices.push([element.value, Object.keys(element.options)]);
    for (const option of Object.values(element.options ?? {})) collect(option.value, found);
  }
  return found;
}

const read = (text) => collect(parse(text, { ignoreTag: true }), { arguments: [], plurals: [], choices: [] });
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map(read)));
