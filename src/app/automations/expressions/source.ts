/**
 * Expressions as text, before they are CEL: where the templates in a text begin and end, and `and`, `or` and `not` as people write
 * them. A text in quotes is never looked into, so that `{{ "}}" }}` and `"this or that"` stay what they are.
 */
import { Fault } from './fault.ts';

/** A piece of a text with templates: plain text, or the expression between `{{` and `}}`. */
export interface Piece {
  readonly kind: 'text' | 'expression';
  readonly text: string;
  /** Where in the whole text `text` begins. */
  readonly offset: number;
}

interface Token {
  readonly kind: 'string' | 'word' | 'sign';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const OPEN = '{{';
const CLOSE = '}}';

/** Whether a text has a template in it. */
export function hasTemplate(text: string): boolean {
  return text.includes(OPEN);
}

/** @throws `Fault` a template that is not closed */
export function splitTemplates(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (let open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, end)) {
    if (open > end) pieces.push({ kind: 'text', text: text.slice(end, open), offset: end });
    const offset = open + OPEN.length;
    const close = findClose(text, offset);
    pieces.push({ kind: 'expression', text: text.slice(offset, close), offset });
    end = close + CLOSE.length;
  }
  if (end < text.length || pieces.length === 0) pieces.push({ kind: 'text', text: text.slice(end), offset: end });
  return pieces;
}

/** The expression of a text that may be one template and nothing else, or an expression without braces around it. */
export function bareExpression(text: string): Piece {
  const offset = text.length - text.trimStart().length;
  if (text.startsWith(OPEN, offset)) {
    const [piece, ...others] = splitTemplates(text.slice(offset).trimEnd());
    if (piece && others.length === 0) return { ...piece, offset: piece.offset + offset };
    throw new Fault(`one expression is expected, with nothing before ${OPEN} and nothing after ${CLOSE}`, offset);
  }
  return { kind: 'expression', text, offset: 0 };
}

/** Where the template that begins at `from` is closed; an object's own braces in it are not its end. */
function findClose(text: string, from: number): number {
  let depth = 0;
  for (const { kind, text: sign, start } of tokens(text, from)) {
    if (kind !== 'sign') continue;
    if (sign === '{') depth += 1;
    if (sign !== '}') continue;
    if (depth === 0 && text.startsWith(CLOSE, start)) return start;
    depth -= 1;
  }
  throw new Fault(`${OPEN} is not closed by ${CLOSE}`, from - OPEN.length);
}

/** An expression as CEL, and for each of its characters where it was before. */
export interface CelSource {
  readonly text: string;
  indexOf(celIndex: number): number;
}

/**
 * `and`, `or` and `not` become `&&`, `||` and `!( … )`: `not` holds as far as people read it, to the next `and`, `or`, comma or
 * closing bracket, so that `not a == b` is `not (a == b)`. As a field (`x.not`) they are names like any other.
 * @throws `Fault` `not in`, which other languages have
 */
export function toCel(expression: string): CelSource {
  const out = new Output();
  /** How many brackets were open where each `not` that still holds was written. */
  const nots: number[] = [];
  let depth = 0;
  let end = 0;
  let previous = '';
  const closeNots = (index: number): void => {
    while (nots.at(-1) === depth) {
      nots.pop();
      out.add(')', index);
    }
  };
  for (const { kind, text, start, end: next } of tokens(expression, 0)) {
    const word = kind === 'word' && previous !== '.' ? text : '';
    if (word === 'in' && previous === 'not') throw new Fault("write 'not x in list' instead of 'x not in list'", start);
    const ends = word === 'and' || word === 'or' || (kind === 'sign' && ENDS_NOT.has(text));
    if (ends) closeNots(end);
    out.copy(expression, end, start);
    if (kind === 'sign' && '([{'.includes(text)) depth += 1;
    if (kind === 'sign' && ')]}'.includes(text)) depth -= 1;
    if (word === 'not') nots.push(depth);
    const cel = CEL_WORDS.get(word);
    if (cel) out.add(cel, start);
    else out.copy(expression, start, next);
    end = next;
    previous = text;
  }
  closeNots(end);
  out.copy(expression, end, expression.length);
  return out;
}

const CEL_WORDS: ReadonlyMap<string, string> = new Map([
  ['and', '&&'],
  ['or', '||'],
  ['not', '!('],
]);

const ENDS_NOT: ReadonlySet<string> = new Set([')', ']', '}', ',', '?', ':', '&&', '||']);

class Output implements CelSource {
  #text = '';
  readonly #origins: number[] = [];

  get text(): string {
    return this.#text;
  }

  indexOf(celIndex: number): number {
    return this.#origins[celIndex] ?? (this.#origins.at(-1) ?? -1) + 1;
  }

  /** Adds what was not there, at the place that it stands for. */
  add(text: string, origin: number): void {
    this.#text += text;
    for (let count = 0; count < text.length; count += 1) this.#origins.push(origin);
  }

  copy(source: string, start: number, end: number): void {
    this.#text += source.slice(start, end);
    for (let index = start; index < end; index += 1) this.#origins.push(index);
  }
}

const WORD = /[A-Za-z_]\w*|&&|\|\||\d[\w.]*/y;

/** The tokens of an expression from `from` on, as far as it matters here; blanks and comments are none. */
function* tokens(text: string, from: number): Iterable<Token> {
  let at = from;
  while (at < text.length) {
    const sign = text.charAt(at);
    const start = at;
    if (sign === '"' || sign === "'") {
      at = endOfString(text, at);
      yield { kind: 'string', text: '""', start, end: at };
    } else if (text.startsWith('//', at)) {
      const newline = text.indexOf('\n', at);
      at = newline < 0 ? text.length : newline;
    } else if (/\s/.test(sign)) {
      at += 1;
    } else {
      WORD.lastIndex = at;
      const word = WORD.exec(text)?.[0] ?? sign;
      at += word.length;
      yield { kind: /^[A-Za-z_]/.test(word) ? 'word' : 'sign', text: word, start, end: at };
    }
  }
}

/** As CEL's own reader sees it: a backslash hides whatever follows, three quotes end at three. */
function endOfString(text: string, start: number): number {
  const quote = text.charAt(start);
  const mark = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  for (let at = start + mark.length; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(mark, at)) return at + mark.length;
  }
  return text.length;
}
