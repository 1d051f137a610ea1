// A second opinion on the vectors of BYOB: sections 4, 6, 8 and 9 written from the text in ECMAScript, with Node's own
// Ed25519. Plain and slow; it shares nothing with the reference. Reads a JSON array of calls [{op, …}] from standard input,
// writes the array of answers: {ok} or {error: {code?}}.

import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";

// 4: keys sorted recursively, no whitespace
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

const text = (json) => Buffer.from(canonical(JSON.parse(json)), "utf8");

// 3: base64 SPKI; a private key from its seed by PKCS #8 (RFC 8410)
function keys(seed) {
  const raw = Buffer.from(seed, "base64");
  if (raw.length !== 32 || raw.toString("base64") !== seed) throw new Error("no seed");
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), raw]);
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

function verified({ public_key, json, signature }) {
  const key = createPublicKey({ key: Buffer.from(public_key, "base64"), format: "der", type: "spki" });
  if (key.asymmetricKeyType !== "ed25519" || key.export({ format: "der", type: "spki" }).toString("base64") !== public_key) {
    return false;
  }
  return verify(null, text(json), key, Buffer.from(signature, "base64"));
}

// 8: one per CJK character, by the ranges that Unicode's own scripts give, and ceil(n/4) of the others
const CJK = /^(?:[\p{Script=Han}\u9fff]|[\u3040-\u30ff]|[\uac00-\ud7a3])$/u;

function tokens(string) {
  const characters = Array.from(string);
  const cjk = characters.filter((character) => CJK.test(character)).length;
  return cjk + Math.ceil((characters.length - cjk) / 4);
}

// 9: the diagram, line by line
const ARROWS = `
awaiting_approval approve approved
approved status:running running
running receipt reported
reported verify:pass verified
reported verify:fail failed
awaiting_approval reject rejected
approved watchdog stalled
running watchdog stalled
approved status:failed failed
stalled status:running running`.trim().split("\n").map((line) => line.split(" "));

function transition(state, event) {
  const found = ARROWS.find(([from, what]) => from === state && what === event);
  return found ? { ok: { state: found[2] } } : { error: { code: "E_TASK_STATE" } };
}

const operations = {
  "byob.canonical": ({ json }) => ({ ok: { text: canonical(JSON.parse(json)) } }),
  "byob.sign": ({ seed, json }) => {
    const key = keys(seed);
    const spki = createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
    return { ok: { public_key: spki, signature: sign(null, text(json), key).toString("base64") } };
  },
  "byob.verify": (call) => ({ ok: { valid: verified(call) } }),
  "byob.prefix_hash": ({ json }) => ({ ok: { hash: createHash("sha256").update(text(json)).digest("hex") } }),
  "byob.tokens": (call) => ({ ok: { count: tokens(call.text) } }),
  "byob.transition": ({ state, event }) => transition(state, event),
};

const answers = JSON.parse(readFileSync(0, "utf8")).map((call) => {
  try {
    return operations[call.op](call);
  } catch (problem) {
    return { error: { message: String(problem.message) } };
  }
});
process.stdout.write(JSON.stringify(answers));
