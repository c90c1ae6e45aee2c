/**
 * Parses JSON from accessories. The engine's parser can't do two things. First, keep integers above 2^53 exact (aids
 * and iids are unsigned 64-bit, and Node 20 passes no source text to revivers). Second, accept device errors: trailing
 * commas, comments, raw control characters, stray NULs. The engine's parser is used if it suffices.
 */

import type { Json, JsonObject } from '../../../kernel/json.ts';

/** Even the lenient parser can't read the text. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/** HAP's deepest document is eight levels deep. The limit keeps hostile nesting from exhausting memory or the stack. */
const MAX_DEPTH = 32;
/**
 * Objects and arrays in one text. A characteristic is one and contains one or two; millions of empty ones would exhaust
 * memory.
 */
const MAX_CONTAINERS = 100_000;
/** Integers of fewer digits are below 2^53 and exact as numbers. */
const EXACT_DIGITS = 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Parses `text`. An integer that a JavaScript number can't hold exactly becomes a string of its digits. Everything else
 * is as in JSON, floats with many digits included.
 * @throws JsonError
 */
export function parseJson(text: string): Json {
  if (isPlain(text)) {
    try {
      return JSON.parse(text) as Json;
    } catch {
      // Continue with the lenient parser.
    }
  }
  return new TolerantParser(text).parse();
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether the engine's parser gives the right result: no integer too long for a number, no hostile nesting or number of
 * containers. One pass, no copies.
 */
function isPlain(text: string): boolean {
  let containers = 0;
  let depth = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) {
      // Digits behind a point belong to a float, which is a number at any length.
      if (digits === 0 && text.charCodeAt(at - 1) === 0x2e) digits = Number.NEGATIVE_INFINITY;
      digits += 1;
      if (digits >= EXACT_DIGITS) return false;
      continue;
    }
    digits = 0;
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      containers += 1;
      if (depth > MAX_DEPTH || containers > MAX_CONTAINERS) return false;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return true;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

const NUMBER = /-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?/y;
/** Words that devices print for a float without a value (NaN, infinity). */
const WORD = /true|false|null|-?nan|-?inf(?:inity)?|undefined/iy;
const BLANK = /(?:[\s\0\ufeff]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g;
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function decodeEscape(_escape: string, hex: string | undefined, letter = ''): string {
  return hex === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16));
}

class TolerantParser {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #containers = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Json {
    const value = this.#value();
    this.#skipBlank();
    if (this.#at < this.#text.length) throw this.#error('something follows the end');
    return value;
  }

  #value(): Json {
    this.#skipBlank();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#nested(() => this.#object());
      case '[':
        return this.#nested(() => this.#array());
      case '"':
        return this.#string();
      default:
        return this.#scalar();
    }
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    this.#containers += 1;
    if (this.#depth > MAX_DEPTH) throw this.#error('it is nested too deeply');
    if (this.#containers > MAX_CONTAINERS) throw this.#error('it has too many parts');
    this.#at += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #object(): JsonObject {
    const object: Record<string, Json> = {};
    while (!this.#closes('}')) {
      if (this.#text[this.#at] !== '"') throw this.#error('a name is missing');
      const name = this.#string();
      if (!this.#skip(':')) throw this.#error('a colon is missing');
      const value = this.#value();
      // Assignment would set the prototype; no HAP member has this name.
      if (name !== '__proto__') object[name] = value;
      this.#separator('}');
    }
    return object;
  }

  #array(): readonly Json[] {
    const items: Json[] = [];
    while (!this.#closes(']')) {
      items.push(this.#value());
      this.#separator(']');
    }
    return items;
  }

  #closes(bracket: string): boolean {
    return this.#skip(bracket);
  }

  /** A comma; an extra one before the end is accepted. */
  #separator(bracket: string): void {
    if (this.#skip(',')) return;
    if (this.#text[this.#at] !== bracket) throw this.#error('a comma is missing');
  }

  #string(): string {
    const end = endOfString(this.#text, this.#at);
    if (end === this.#text.length) throw this.#error('a string does not end');
    const raw = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return raw.includes('\\') ? raw.replace(ESCAPE, decodeEscape) : raw;
  }

  #scalar(): Json {
    const word = this.#match(WORD)?.toLowerCase();
    if (word !== undefined) return word === 'true' ? true : word === 'false' ? false : null;
    const digits = this.#match(NUMBER);
    if (digits === undefined) throw this.#error('a value is missing');
    const number = Number(digits);
    const isInteger = /^-?\d+$/.test(digits);
    return isInteger && !Number.isSafeInteger(number) ? digits.replace(/^(-?)0+(?=\d)/, '$1') : number;
  }

  #skip(character: string): boolean {
    this.#skipBlank();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #skipBlank(): void {
    this.#match(BLANK);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #error(what: string): JsonError {
    return new JsonError(`Not JSON: ${what} at character ${this.#at}`);
  }
}
