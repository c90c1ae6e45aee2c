// @ts-check
/**
 * A worker thread that parses or writes one YAML text, so that no input harms the daemon or blocks its event loop. The library
 * parses nested input recursively, and a stack overflow ends the process. It also compares every key of an object with
 * every other, and has other quadratic work. So this worker counts the parts of a text before it parses the text.
 *
 * JavaScript: Node 20 runs it unchanged, from the sources and from the build.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { isScalar, Lexer, LineCounter, parseDocument, stringify, visit } from 'yaml';

/** Nested lists and objects in brackets. */
const MAX_BRACKETS = 200;
/** The column where a line's content begins: each level of indentation takes at least one column. */
const MAX_INDENT = 400;
/** `- - - x` is nested too, and the library's lexer recurses once for each. Matches only at the start of a word. */
const MANY_INDICATORS = /(?<!\S)(?:(?:[-?:]|[!&*]\S*)[ \t]+){100}/;
/** A flow of 500 actions with all its references has about half of them. */
const MAX_LEXEMES = 60_000;
const MAX_LINES = 20_000;
/** A document may repeat parts by alias; this limit and `MAX_SIZE` bound the expanded size. */
const MAX_ALIASES = 100;
/** Characters and values in all, with aliases expanded. */
const MAX_SIZE = 1024 * 1024;

const OPENING = new Set(['[', '{']);
const CLOSING = new Set([']', '}']);

/** Its message is the name. */
class RepeatedName extends Error {}

parentPort?.postMessage(answer());

/** @returns {import('./yaml-thread.ts').YamlAnswer} */
function answer() {
  /** @type {import('./yaml-thread.ts').YamlTask} */
  const task = workerData;
  try {
    return { value: 'json' in task ? writeYaml(task.json) : readYaml(task.text) };
  } catch (error) {
    if (error instanceof RepeatedName) return { repeated: error.message };
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** @param {string} json */
function writeYaml(json) {
  return stringify(JSON.parse(json), { aliasDuplicateObjects: false, lineWidth: 0 });
}

/**
 * @param {string} text
 * @throws `RangeError` it is nested too deeply, too long, or unfolds to too much · `RepeatedName`, `ReferenceError`,
 * `SyntaxError`
 */
function readYaml(text) {
  requireReadable(text);
  const lines = new LineCounter();
  const document = withoutStacks(() =>
    parseDocument(text, {
      uniqueKeys: false,
      stringKeys: true,
      logLevel: 'error',
      prettyErrors: false,
      lineCounter: lines,
    }),
  );
  const [fault] = document.errors;
  if (fault) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw new SyntaxError(`${fault.message} at line ${line}, column ${col}`);
  }
  visit(document, {
    Map(_key, { items }) {
      requireUnique(items.map(({ key }) => (isScalar(key) ? String(key.value) : '')));
    },
  });
  const value = document.toJS({ maxAliasCount: MAX_ALIASES });
  requireSmall(value);
  return value;
}

/**
 * The library continues after an error, and creates an Error object for each: the stack traces of tens of thousands
 * are expensive.
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
function withoutStacks(work) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * The library's own check takes minutes for many keys.
 * @param {readonly string[]} keys
 */
function requireUnique(keys) {
  const seen = new Set();
  for (const key of keys) {
    if (seen.has(key)) throw new RepeatedName(key);
    seen.add(key);
  }
}

/** @param {string} text */
function requireReadable(text) {
  if (text.split('\n', MAX_LINES + 1).length > MAX_LINES) throw tooLong();
  if (MANY_INDICATORS.test(text)) throw tooDeep();
  for (const [indent] of text.matchAll(/^[ \t]*(?:[-?:][ \t]+)*/gm)) {
    if (indent.length > MAX_INDENT) throw tooDeep();
  }
  let depth = 0;
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (OPENING.has(lexeme)) depth += 1;
    else if (CLOSING.has(lexeme)) depth -= 1;
    if (depth > MAX_BRACKETS) throw tooDeep();
    count += 1;
    if (count > MAX_LEXEMES) throw tooLong();
  }
}

/**
 * @param {unknown} value
 * @throws `RangeError` · `ReferenceError` an alias is inside of the node that it refers to
 */
function requireSmall(value) {
  let size = 0;
  const around = new Set();
  /** @param {unknown} item */
  const count = (item) => {
    size += typeof item === 'string' ? item.length + 1 : 1;
    if (size > MAX_SIZE) throw new RangeError('it unfolds to too much');
    if (typeof item !== 'object' || item === null) return;
    if (around.has(item)) throw new ReferenceError('it contains itself: an alias stands inside of what it refers to');
    around.add(item);
    for (const [key, part] of Object.entries(item)) {
      size += key.length;
      count(part);
    }
    around.delete(item);
  };
  count(value);
}

function tooDeep() {
  return new RangeError('it is nested too deeply');
}

function tooLong() {
  return new RangeError('it is too long for a flow');
}
