// A minimal naysayer adapter in JavaScript (Node, no packages): hello, two operations of YEA, all six of BYOB.
// Copy it and put your own library behind it.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
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

// BYOB 4: keys sorted, no whitespace
function byobCanonical(value) {
  if (Array.isArray(value)) return `[${value.map(byobCanonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${byobCanonical(value[key])}`);
  return `{${members.join(",")}}`;
}

const signedText = (json) => Buffer.from(byobCanonical(JSON.parse(json)));

// BYOB 3: a public key is base64 of SPKI; the private key's structure is a fixed head and the seed
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

function byobSign({ seed, json }) {
  const raw = Buffer.from(seed, "base64");
  if (raw.length !== 32 || raw.toString("base64") !== seed) throw new Error("a seed is the base64 of 32 bytes");
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, raw]), format: "der", type: "pkcs8" });
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  return { public_key: spki.toString("base64"), signature: sign(null, signedText(json), key).toString("base64") };
}

function byobVerify({ public_key: text, json, signature }) {
  const der = Buffer.from(text, "base64");
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  if (key.asymmetricKeyType !== "ed25519" || der.length !== 44) return { valid: false };
  return { valid: verify(null, signedText(json), key, Buffer.from(signature, "base64")) };
}

// BYOB 8: one per CJK character, ceil(n/4) for the n others
const CJK = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff]/;

function byobTokens({ text }) {
  const characters = Array.from(text);
  const cjk = characters.filter((character) => CJK.test(character)).length;
  return { count: cjk + Math.ceil((characters.length - cjk) / 4) };
}

// BYOB 9: from each state the events that it takes, and where they lead
const STEPS = {
  awaiting_approval: { approve: "approved", reject: "rejected" },
  approved: { "status:running": "running", "status:failed": "failed", watchdog: "stalled" },
  running: { receipt: "reported", "status:running": "running", "status:failed": "failed", watchdog: "stalled" },
  reported: { "verify:pass": "verified", "verify:fail": "failed" },
  stalled: { "status:running": "running" },
};

function byobTransition({ state, event }) {
  // A plain lookup would also find what every object inherits: toString, constructor.
  const steps = Object.hasOwn(STEPS, state) ? STEPS[state] : {};
  const following = Object.hasOwn(steps, event) ? steps[event] : undefined;
  if (following === undefined) throw Object.assign(new Error("not allowed now"), { code: "E_TASK_STATE" });
  return { state: following };
}

const operations = {
  hello: () => ({ name: "minimal", version: "1", language: "JavaScript", adapter: 1, protocols: ["yea", "byob"] }),
  canonical: ({ json }) => ({ text: canonical(JSON.parse(json)) }),
  est: ({ text }) => ({ count: (text.match(TOKEN) ?? []).length }),
  "byob.canonical": ({ json }) => ({ text: byobCanonical(JSON.parse(json)) }),
  "byob.sign": byobSign,
  "byob.verify": byobVerify,
  "byob.prefix_hash": ({ json }) => ({ hash: createHash("sha256").update(signedText(json)).digest("hex") }),
  "byob.tokens": byobTokens,
  "byob.transition": byobTransition,
};

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = operations[request.op] ? { ok: operations[request.op](request) } : { unsupported: true };
  } catch (problem) {
    answer = { error: { code: problem.code, message: problem.message } };
  }
  console.log(JSON.stringify({ id: request.id, ...answer }));
}
