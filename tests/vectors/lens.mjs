// A second opinion on the vectors of lens.value, lens.reply and fit: YEA 8 and 9 written from the text in ECMAScript, whose
// own Object.keys, Number::toString and JSON.stringify the text refers to. Plain and slow; it shares nothing with the
// reference. Reads a JSON array of calls [{op, json, budget?}] from standard input, writes the array of results; with the
// argument `adapter` it is an adapter.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const LEVELS = 64;
const BARE = /^[A-Za-z0-9_@./+\-:() '!?&%$#*=<>~^]+$/;
const JSON_NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
const WORDS = ["-", "true", "false", "null"];

const isList = Array.isArray;
const isObject = (value) => value !== null && typeof value === "object" && !isList(value);
const isScalar = (value) => value === null || typeof value !== "object";
const isString = (value) => typeof value === "string";
const isInteger = Number.isSafeInteger;
const has = (object, name) => Object.hasOwn(object, name);
const get = (object, name) => (has(object, name) ? object[name] : undefined);

// 9.1, depth
function cut(value, level) {
  if (isScalar(value)) return value;
  if (level === LEVELS) return "…";
  if (isList(value)) return value.map((item) => cut(item, level + 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cut(item, level + 1)]));
}

// 9.1, scalars
function string(text) {
  const bare = BARE.test(text) && !text.startsWith(" ") && !text.endsWith(" ");
  return bare && !WORDS.includes(text) && !JSON_NUMBER.test(text) ? text : JSON.stringify(text);
}

function scalar(value) {
  if (value === null || value === undefined) return "-";
  if (isString(value)) return string(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

// 9.1, objects and arrays
const pad = (level) => "  ".repeat(level);
const entries = (object, level) => Object.keys(object).flatMap((name) => entry(string(name), object[name], level));

function entry(name, value, level) {
  if (isScalar(value)) return [`${pad(level)}${name}: ${scalar(value)}`];
  if (isList(value)) return array(name, value, level);
  if (Object.keys(value).length === 0) return [`${pad(level)}${name}: {}`];
  return [`${pad(level)}${name}:`, ...entries(value, level + 1)];
}

const list = (items) => `[${items.map(scalar).join(", ")}]`;

function isTable(items) {
  const names = (item) => JSON.stringify(Object.keys(item));
  return items.every((item) => isObject(item) && Object.keys(item).length > 0 && names(item) === names(items[0])
    && Object.values(item).every(isScalar));
}

function array(name, items, level) {
  if (items.every(isScalar)) return [`${pad(level)}${name}: ${list(items)}`];
  if (!isTable(items)) return [`${pad(level)}${name}[${items.length}]:`, ...items.flatMap((item) => dash(item, level + 1))];
  const rows = items.map((item) => pad(level + 1) + Object.values(item).map(scalar).join(","));
  return [`${pad(level)}${name}[${items.length}]{${Object.keys(items[0]).map(string).join(",")}}:`, ...rows];
}

function dash(item, level) {
  if (isScalar(item)) return [`${pad(level)}- ${scalar(item)}`];
  if (isList(item)) return [`${pad(level)}- ${item.every(isScalar) ? list(item) : JSON.stringify(item)}`];
  if (Object.keys(item).length === 0) return [`${pad(level)}- {}`];
  const [first, ...rest] = entries(item, level + 1);
  return [`${pad(level)}- ${first.slice(2 * (level + 1))}`, ...rest];
}

function lean(value) {
  if (isList(value)) return array("items", value, 0);
  if (isObject(value) && Object.keys(value).length > 0) return entries(value, 0);
  return [isObject(value) ? "{}" : scalar(value)];
}

// 9.2, times, durations, quantities
function time(value) {
  if (!isInteger(value) || value < 0 || value > 253402300799) return scalar(value);
  const text = new Date(value * 1000).toISOString();
  return `${text.slice(0, value % 60 === 0 ? 16 : 19)}Z`;
}

function duration(value) {
  if (!isInteger(value)) return scalar(value);
  const [size, unit] = [[86400, "d"], [3600, "h"], [60, "m"]].find(([n]) => value !== 0 && value % n === 0) ?? [1, "s"];
  return `${value / size}${unit}`;
}

const within = (value, most) => isInteger(value) && value >= 0 && value <= most;

function isQuantity(value) {
  if (!isObject(value) || Object.keys(value).some((name) => !["amount", "scale", "unit"].includes(name))) return false;
  const unit = has(value, "unit") ? value.unit : "x";
  return within(get(value, "amount"), Number.MAX_SAFE_INTEGER) && within(has(value, "scale") ? value.scale : 0, 18)
    && isString(unit) && /^[A-Za-z0-9_./%-]{1,32}$/.test(unit) && !unit.endsWith("\n");
}

function quantity({ amount, scale, unit }) {
  const digits = String(BigInt(amount)).padStart((scale ?? 0) + 1, "0");
  const point = digits.length - (scale ?? 0);
  return digits.slice(0, point) + (scale ? `.${digits.slice(point)}` : "") + (unit === undefined ? "" : ` ${unit}`);
}

function uses(value) {
  const good = isObject(value) && Object.entries(value).every(([name, amount]) =>
    /^[a-z][a-z0-9_.-]{0,63}$/.test(name) && isQuantity(amount));
  return good ? Object.keys(value).sort().map((name) => `${name} ${quantity(value[name])}`).join(", ") : "?";
}

function undo(value) {
  const window = isObject(value) ? get(value, "window") : undefined;
  return within(window, 2 ** 52) && window > 0 ? duration(window) : "never";
}

// 9.2, well-formed frames. `?` allows absence and null.
const SHAPES = {
  string: isString,
  boolean: (value) => typeof value === "boolean",
  integer: isInteger,
  scalar: (value) => !isScalar(value) ? false : value !== null,
  object: isObject,
  array: isList,
  any: () => true,
  schema: (value) => isObject(value) && Object.values(value).every((item) => isSchemaType(item, 1)),
};

function isSchemaType(value, level) {
  if (isString(value)) return true;
  if (level > 32) return false;
  if (isList(value)) return value.length === 1 && isSchemaType(value[0], level + 1);
  return isObject(value) && Object.values(value).every((item) => isSchemaType(item, level + 1));
}

const EFFECTS = [{ op: "string", target: "string", "field?": "string", "detail?": "string", "from?": "scalar", "to?": "scalar" }];
const KINDS = new Map(Object.entries({
  BRIEF: {
    service: { id: "string", name: "string", "summary?": "string" },
    capabilities: [{ kind: "string", name: "string", "summary?": "string", "risk?": "string", "params?": "schema" }],
  },
  ANSWER: { data: "any" },
  PROPOSALS: { proposals: [{ id: "string", summary: "string", effects: EFFECTS }] },
  CLARIFY: { question: "string", options: [{ label: "string" }] },
  RECEIPT: {
    receipt: { id: "string", summary: "string", "undoes?": "string", "effects?": EFFECTS },
    "replay?": "boolean",
    "auto?": "boolean",
  },
  ERROR: {
    code: "string",
    message: "string",
    "fix?": [{ say: "string", "params?": "object" }],
    "need?": "array",
    "consent?": { hash: "string", summary: "string" },
  },
  EVENT: { message: "string" },
}));
const MORE = { "more?": [{ remaining: "integer", path: "string", handle: "string", est: "integer" }] };

function fits(value, shape) {
  if (isString(shape)) return SHAPES[shape](value);
  if (isList(shape)) return isList(value) && value.every((item) => fits(item, shape[0]));
  return isObject(value) && Object.entries(shape).every(([name, inner]) => {
    const optional = name.endsWith("?");
    const member = get(value, optional ? name.slice(0, -1) : name);
    if (member === undefined || (optional && member === null)) return optional;
    return fits(member, inner);
  });
}

// 9.2, the templates
const given = (value, make) => (value === undefined || value === null ? "" : make(value));
const params = (schema) => Object.keys(schema).map((name) => `${name}: ${type(schema[name])}`).join(", ");
const type = (value) => (isString(value) ? value : isList(value) ? `[${type(value[0])}]` : `{${params(value)}}`);

const SYMBOLS = { create: "+", update: "~", delete: "-", send: ">", other: "*" };

function effect({ op, target, field, from, to, detail }) {
  const change = given(from ?? to, () => `: ${scalar(from)} → ${scalar(to)}`);
  return `  ${SYMBOLS[op]} ${op} ${target}${given(field, (name) => `.${name}`)}${change}${given(detail, (text) => ` — ${text}`)}`;
}

function proposals(all) {
  const attributes = all.map((proposal) => [
    has(proposal, "uses") && !(isObject(proposal.uses) && Object.keys(proposal.uses).length === 0)
      ? `uses: ${uses(proposal.uses)}` : null,
    `risk: ${scalar(get(proposal, "risk"))}`,
    `undo: ${undo(get(proposal, "undo"))}`,
    `expires: ${time(get(proposal, "expires"))}`,
  ]);
  const shared = [0, 1, 2, 3].filter((n) => all.length > 1 && attributes[0][n] !== null
    && attributes.every((own) => own[n] === attributes[0][n]));
  const header = shared.length > 0 ? ` — ${shared.map((n) => attributes[0][n]).join(" · ")}` : "";
  return [`${all.length} proposal${all.length === 1 ? "" : "s"}${header}:`, ...all.flatMap((proposal, index) => {
    const own = attributes[index].filter((text, n) => text !== null && !shared.includes(n)).join(" · ");
    return [
      `[${proposal.id}] ${proposal.summary}`,
      ...proposal.effects.map(effect),
      ...(own ? [`  ${own}`] : []),
      ...(has(proposal, "data") ? entry("data", proposal.data, 1) : []),
    ];
  })];
}

function receipt({ receipt: of, replay, auto }) {
  const name = `${of.summary} (receipt ${of.id})${replay ? " (replay)" : ""}`;
  const until = isObject(of.undo) && has(of.undo, "until") ? `undo until ${time(of.undo.until)}` : "irreversible";
  const undone = of.undoes !== undefined && of.undoes !== null;
  return [
    undone ? `↶ undid ${of.undoes}: ${name}` : `✓ ${name} · ${until}`,
    ...(auto && !undone ? (of.effects ?? []).map(effect) : []),
    ...(has(of, "result") ? entry("result", of.result, 1) : []),
  ];
}

const percent = (value) => (typeof value === "number" && value >= 0 && value <= 1 ? ` (${Math.floor(value * 100 + 0.5)}%)` : "");

const TEMPLATES = {
  BRIEF: ({ service, capabilities }) => [
    `# ${service.name} (${service.id})`,
    ...(given(service.summary, () => "x") ? [service.summary] : []),
    ...capabilities.map((one) => `${one.kind} ${one.name}(${given(one.params, params)})`
      + given(one.summary, (text) => ` — ${text}`) + given(one.risk, (text) => ` [risk:${text}]`)),
  ],
  ANSWER: ({ data }) => lean(data),
  PROPOSALS: (frame) => proposals(frame.proposals),
  CLARIFY: ({ question, options }) => [`? ${question}`, ...options.map(({ label }, index) => `  ${index + 1}. ${label}`)],
  RECEIPT: receipt,
  ERROR: ({ code, message, fix, need, consent, retry }) => [
    `✗ ${code}: ${message}`,
    ...(fix ?? []).map((one) => `  fix: ${one.say}${given(one.params, (patch) => ` → params ${JSON.stringify(patch)}`)}`),
    ...(need ? [`  need: ${JSON.stringify(need)}`] : []),
    ...(consent ? [`  consent: principal must approve ${consent.hash} (${consent.summary})`] : []),
    ...(given(retry, () => "x") ? [`  retry in: ${duration(retry)}`] : []),
  ],
  EVENT: ({ message, progress }) => [`… ${message}${percent(progress)}`],
};

function lensReply(whole) {
  const frame = cut(whole, 0);
  const goodMore = fits(frame, MORE);
  const hidden = ["yea", "id", "re", "lens", ...(goodMore ? ["more"] : [])];
  const known = isString(frame.kind) && KINDS.has(frame.kind) && goodMore && fits(frame, KINDS.get(frame.kind));
  const lines = known ? TEMPLATES[frame.kind](frame)
    : lean(Object.fromEntries(Object.entries(frame).filter(([name]) => !hidden.includes(name))));
  const more = goodMore ? frame.more ?? [] : [];
  return [...lines, ...more.map((one) => `… ${one.remaining} more at ${one.path} — EXPAND ${one.handle} (~${one.est} tokens)`)]
    .join("\n");
}

// 8, the estimate and the informative algorithm
const est = (text) => (text.match(/[A-Za-z]+|[0-9]{1,3}|\n {2,}|[^ \t\n\r\f\vA-Za-z0-9]/gu) ?? []).length;

const at = (value, path) => path.reduce((holder, name) => (holder === undefined ? undefined : holder[name]), value);

function fit(frame, budget) {
  const original = structuredClone(frame);
  const cuts = new Map(); // each path that lost something, by its text
  for (;;) {
    const more = [...cuts.values()].flatMap((path) => {
      const [whole, kept] = [at(original, path), at(frame, path)];
      if (kept === undefined) return [];
      const rest = isString(kept) ? [...whole].slice([...kept].length - 1).join("") : whole.slice(kept.length);
      const data = isString(kept) ? { text: rest } : { items: rest };
      const remaining = isString(kept) ? [...rest].length : rest.length;
      return [{ handle: "h", path: path.join("."), remaining, est: est(lensReply({ kind: "ANSWER", data })) }];
    });
    if (more.length > 0) frame.more = [...(original.more ?? []), ...more];
    if (est(lensReply(frame)) <= budget) return frame;
    const largest = candidates(frame).sort((a, b) => b.size - a.size)[0];
    if (largest === undefined) return frame;
    const { holder, name, path } = largest;
    const value = holder[name];
    cuts.set(path.join("."), path);
    if (isString(value)) {
      const kept = [...value.replace(/…$/, "")];
      holder[name] = `${kept.slice(0, Math.max(200, Math.floor(kept.length / 2))).join("")}…`;
    } else holder[name] = value.slice(0, Math.floor(value.length / 2));
  }
}

function candidates(frame) {
  const deep = [];
  const visit = (holder, name, path) => {
    const value = holder[name];
    if (isString(value) && [...value.replace(/…$/, "")].length > 200) deep.push({ holder, name, path, size: JSON.stringify(value).length });
    if (isList(value) && value.length > 0) deep.push({ holder, name, path, size: JSON.stringify(value).length });
    if (!isScalar(value)) for (const inner of Object.keys(value)) visit(value, inner, [...path, inner]);
  };
  const listed = { PROPOSALS: "proposals", BRIEF: "capabilities" }[frame.kind];
  if (frame.kind === "ANSWER") visit(frame, "data", ["data"]);
  if (frame.kind === "RECEIPT" && has(frame.receipt, "result")) visit(frame.receipt, "result", ["receipt", "result"]);
  if (frame.kind === "PROPOSALS") frame.proposals.forEach((one, n) => has(one, "data") && visit(one, "data", ["proposals", n, "data"]));
  if (deep.length > 0 || listed === undefined || frame[listed].length < 2) return deep;
  return [{ holder: frame, name: listed, path: [listed], size: 0 }];
}

const OPERATIONS = {
  "lens.value": ({ json }) => lean(cut(JSON.parse(json), 0)).join("\n"),
  "lens.reply": ({ json }) => lensReply(JSON.parse(json)),
  fit: ({ json, budget }) => JSON.stringify(fit(JSON.parse(json), budget)),
};

const RESULT = { "lens.value": "text", "lens.reply": "text", fit: "json" };

function answered({ op, ...given }) {
  if (op === "hello") return { ok: { name: "a second Lens", version: "1", adapter: 1, protocols: ["yea"] } };
  if (!has(OPERATIONS, op)) return { unsupported: true };
  try {
    return { ok: { [RESULT[op]]: OPERATIONS[op](given) } };
  } catch (problem) {
    return { error: { message: problem.message } };
  }
}

if (process.argv[2] === "adapter") {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const { id, ...call } = JSON.parse(line);
    console.log(JSON.stringify({ id, ...answered(call) }));
  }
} else {
  const calls = JSON.parse(readFileSync(0, "utf8"));
  process.stdout.write(JSON.stringify(calls.map((call) => OPERATIONS[call.op](call))));
}
