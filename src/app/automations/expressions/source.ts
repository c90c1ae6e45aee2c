/**
 * The text level of expressions, before CEL: finds templates in a text, and converts `and`, `or` and `not`. Quoted
 * strings are skipped, so that `{{ "}}" }}` and `"this or that"` stay unchanged.
 */
import { ExpressionFault } from './fault.ts';

/** A part of a text with templates: plain text, or the expression between `{{` and `}}`. */
export interface Piece {
  readonly kind: 'text' | 'expression';
  readonly text: string;
  /** The offset of `text` in the whole text. */
  readonly offset: number;
}

interface Token {
  readonly kind: 'string' | 'word' | 'sign';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Per text: each costs some microseconds whenever the text is processed. */
const MAX_EXPRESSIONS = 500;

const OPEN = '{{';
const CLOSE = '}}';

/** Whether a text contains a template. */
export function hasTemplate(text: string): boolean {
  return text.includes(OPEN);
}

/** @throws `ExpressionFault` an unclosed template · too many templates */
export function splitTemplates(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  let count = 0;
  for (let open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, end)) {
    count += 1;
    if (count > MAX_EXPRESSIONS) throw new ExpressionFault(`a text has at most ${MAX_EXPRESSIONS} expressions`, open);
    if (open > end) pieces.push({ kind: 'text', text: text.slice(end, open), offset: end });
    const offset = open + OPEN.length;
    const close = findClose(text, offset);
    pieces.push({ kind: 'expression', text: text.slice(offset, close), offset });
    end = close + CLOSE.length;
  }
  if (end < text.length || pieces.length === 0) pieces.push({ kind: 'text', text: text.slice(end), offset: end });
  return pieces;
}

/**
 * The expression of a text that is exactly one template, or a bare expression without braces. In both cases without
 * the spaces around it: it is compiled once.
 */
export function bareExpression(text: string): Piece {
  const { offset, text: expression } = expressionOf(text);
  const trimmed = expression.trimStart();
  return {
    kind: 'expression',
    text: trimmed.trimEnd(),
    offset: offset + expression.length - trimmed.length,
  };
}

/** @throws `ExpressionFault` something besides the template */
function expressionOf(text: string): Piece {
  const offset = text.length - text.trimStart().length;
  if (text.startsWith(OPEN, offset)) {
    const [piece, ...others] = splitTemplates(text.slice(offset).trimEnd());
    if (piece && others.length === 0) return { ...piece, offset: piece.offset + offset };
    throw new ExpressionFault(
      `one expression is expected, with nothing before ${OPEN} and nothing after ${CLOSE}`,
      offset,
    );
  }
  return { kind: 'expression', text, offset: 0 };
}

/** The end of the template that begins at `from`; skips the braces of objects. */
function findClose(text: string, from: number): number {
  let depth = 0;
  for (const { kind, text: sign, start } of tokens(text, from)) {
    if (kind !== 'sign') continue;
    if (sign === '{') depth += 1;
    if (sign !== '}') continue;
    if (depth === 0 && text.startsWith(CLOSE, start)) return start;
    depth -= 1;
  }
  throw new ExpressionFault(`${OPEN} is not closed by ${CLOSE}`, from - OPEN.length);
}

/** An expression as CEL, with the original position of each character. */
export interface CelSource {
  readonly text: string;
  indexOf(celIndex: number): number;
}

/**
 * `and`, `or` and `not` become `&&`, `||` and `!( … )`. `not` extends to the next `and`, `or`, comma or closing
 * bracket, so that `not a == b` is `not (a == b)`. As a field (`x.not`) they are ordinary names.
 * @throws `ExpressionFault` `not in`, which other languages have
 */
export function toCel(expression: string): CelSource {
  const out = new TranslatedSource();
  /** The bracket depth of each open `not`. */
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
    if (word === 'in' && previous === 'not')
      throw new ExpressionFault("write 'not x in list' instead of 'x not in list'", start);
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

class TranslatedSource implements CelSource {
  #text = '';
  readonly #origins: number[] = [];

  get text(): string {
    return this.#text;
  }

  indexOf(celIndex: number): number {
    return this.#origins[celIndex] ?? (this.#origins.at(-1) ?? -1) + 1;
  }

  /** Adds generated text, mapped to the original position that it replaces. */
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

/** The relevant tokens of an expression from `from` on; skips whitespace and comments. */
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

/** As in CEL's lexer: a backslash escapes the next character, and three quotes end at three quotes. */
function endOfString(text: string, start: number): number {
  const quote = text.charAt(start);
  const mark = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  for (let at = start + mark.length; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(mark, at)) return at + mark.length;
  }
  return text.length;
}
