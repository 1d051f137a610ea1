// A minimal naysayer adapter in JavaScript (Node, no packages): hello, canonical and est.
// Copy it and put your own library behind it.
import { createInterface } from "node:readline";

const TOKEN = /[A-Za-z]+|[0-9]{1,3}|\n {2,}|[^ \t\n\r\f\vA-Za-z0-9]/gu;

function canonical(value) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new Error("only integers below 2^53 have a canonical form");
    return String(value + 0 === 0 ? 0 : value);
  }
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw new Error("a lone surrogate has no canonical form");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const keys = Object.keys(value).sort(byCodePoint);
  return `{${keys.map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
}

// Plain sort() compares UTF-16 units; code points differ from them beyond U+FFFF.
function byCodePoint(a, b) {
  const left = Array.from(a, (c) => c.codePointAt(0));
  const right = Array.from(b, (c) => c.codePointAt(0));
  for (let i = 0; i < Math.min(left.length, right.length); i++) if (left[i] !== right[i]) return left[i] - right[i];
  return left.length - right.length;
}

const operations = {
  hello: () => ({ name: "minimal", version: "1", language: "JavaScript", adapter: 1, protocols: ["yea"] }),
  canonical: ({ json }) => ({ text: canonical(JSON.parse(json)) }),
  est: ({ text }) => ({ count: (text.match(TOKEN) ?? []).length }),
};

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = operations[request.op] ? { ok: operations[request.op](request) } : { unsupported: true };
  } catch (problem) {
    answer = { error: { message: problem.message } };
  }
  console.log(JSON.stringify({ id: request.id, ...answer }));
}
