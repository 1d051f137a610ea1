// A second opinion on the vectors of canonical, hash, est, uses.valid, quantity and undo.effects: YEA 4.5, 5.1, 8 and 10
// written from the text in ECMAScript. Plain and slow; it shares nothing with the reference. Reads a JSON array of calls
// [{op, json | text}] from standard input, writes the array of results: the members of an ok, or null for a refusal.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const points = (text) => Array.from(text, (character) => character.codePointAt(0));

// 10
function before(one, other) {
  const [a, b] = [points(one), points(other)];
  const at = a.findIndex((point, index) => point !== b[index]);
  if (at === -1) return a.length - b.length;
  return at < b.length ? a[at] - b[at] : 1;
}

function string(text) {
  if (!text.isWellFormed()) throw new Error("a lone surrogate");
  return JSON.stringify(text);
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (isObject(value)) {
    return `{${Object.keys(value).sort(before).map((name) => `${string(name)}:${canonical(value[name])}`).join(",")}}`;
  }
  if (typeof value === "string") return string(value);
  if (typeof value !== "number") return String(value);
  if (!Number.isSafeInteger(value)) throw new Error("no integer");
  return String(value === 0 ? 0 : value);
}

// 5.1
function hash(proposal) {
  const { hash, data, ...rest } = proposal;
  return createHash("sha256").update(canonical(rest), "utf8").digest("base64url");
}

// 8, with its own expression
const est = (text) => (text.match(/[A-Za-z]+|[0-9]{1,3}|\n {2,}|[^ \t\n\r\f\vA-Za-z0-9]/gu) ?? []).length;

// 5.1
const NAME = /^[a-z][a-z0-9_.-]{0,63}$/;
const UNIT = /^[A-Za-z0-9_./%-]{1,32}$/;
const within = (value, most) => Number.isSafeInteger(value) && value >= 0 && value <= most;

function isQuantity(value) {
  return isObject(value) && Object.keys(value).every((name) => ["amount", "scale", "unit"].includes(name))
    && within(value.amount, Number.MAX_SAFE_INTEGER) && Object.hasOwn(value, "amount")
    && (!Object.hasOwn(value, "scale") || within(value.scale, 18))
    && (!Object.hasOwn(value, "unit") || (typeof value.unit === "string" && UNIT.test(value.unit)));
}

const usesValid = (value) => isObject(value)
  && Object.keys(value).every((name) => NAME.test(name) && isQuantity(value[name]));

// 9.2
function quantity({ amount, scale = 0, unit }) {
  const step = 10n ** BigInt(scale);
  const rest = String(BigInt(amount) % step).padStart(scale, "0");
  const number = String(BigInt(amount) / step) + (scale > 0 ? `.${rest}` : "");
  return unit === undefined ? number : `${number} ${unit}`;
}

// 4.5
const INVERSE = { create: "delete", delete: "create", update: "update", send: "other", other: "other" };
const SIDES = { from: "to", to: "from" };

function invert(effect) {
  const renamed = (name) => (effect.op === "update" && SIDES[name]) || name;
  const members = Object.entries(effect).map(([name, value]) => [renamed(name), value]);
  return { ...Object.fromEntries(members), op: INVERSE[effect.op] };
}

const OPERATIONS = {
  canonical: ({ json }) => ({ text: canonical(JSON.parse(json)) }),
  hash: ({ json }) => ({ hash: hash(JSON.parse(json)) }),
  est: ({ text }) => ({ count: est(text) }),
  "uses.valid": ({ json }) => ({ valid: usesValid(JSON.parse(json)) }),
  quantity: ({ json }) => ({ text: quantity(JSON.parse(json)) }),
  "undo.effects": ({ json }) => ({ json: JSON.stringify(JSON.parse(json).map(invert)) }),
};

function answer(call) {
  try {
    return OPERATIONS[call.op](call);
  } catch {
    return null;
  }
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(answer)));
