/**
 * YAML from people, read so that no text harms the daemon. The library's reader goes down into what is nested by calling itself, and
 * a stack that is full ends the process, not only the reading; it compares every key of an object with every other, and does more
 * such work that grows with the square of the text. So what a text is made of is counted before it is read.
 */
import { isScalar, Lexer, LineCounter, parseDocument, visit } from 'yaml';
import { shorten } from '../../../home/vocabulary/values.ts';

/** Lists and objects in brackets within each other. */
const MAX_BRACKETS = 200;
/** Where a line's own text begins: each level of what is indented takes a column or more. */
const MAX_INDENT = 400;
/** `- - - x` is nested too, and the library's lexer goes down one call for each. Begins only where no word is under way. */
const MANY_INDICATORS = /(?<!\S)(?:(?:[-?:]|[!&*]\S*)[ \t]+){100}/;
/** A flow of 500 actions with everything that it refers to has about half of them. */
const MAX_LEXEMES = 60_000;
const MAX_LINES = 20_000;
/** A document may say things several times by reference; this and `MAX_SIZE` bound what becomes of it. */
const MAX_ALIASES = 100;
/** Characters and values in all, aliases followed. */
const MAX_SIZE = 1024 * 1024;

const OPENING: ReadonlySet<string> = new Set(['[', '{']);
const CLOSING: ReadonlySet<string> = new Set([']', '}']);

/** @throws `RangeError` it is nested too deeply, too long, or unfolds to too much · `ReferenceError`, `SyntaxError` */
export function readYaml(text: string): unknown {
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
  const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
  requireSmall(value);
  return value;
}

/** The library goes on after a fault, and makes an error of each: of tens of thousands, only where they came from is much work. */
function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The library's own check takes minutes where there are many. */
function requireUnique(keys: readonly string[]): void {
  const seen = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) throw new SyntaxError(`Names must be unique: "${shorten(key)}" is there twice`);
    seen.add(key);
  }
}

function requireReadable(text: string): void {
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

function requireSmall(value: unknown): void {
  let size = 0;
  const count = (item: unknown): void => {
    size += typeof item === 'string' ? item.length + 1 : 1;
    if (size > MAX_SIZE) throw new RangeError('it unfolds to too much');
    if (typeof item !== 'object' || item === null) return;
    for (const [key, part] of Object.entries(item)) {
      size += key.length;
      count(part);
    }
  };
  count(value);
}

function tooDeep(): RangeError {
  return new RangeError('it is nested too deeply');
}

function tooLong(): RangeError {
  return new RangeError('it is too long for a flow');
}
