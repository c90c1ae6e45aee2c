/**
 * Whether a regular expression that somebody gave for a text may be run at all: JavaScript's engine goes through every way in which
 * a pattern can be laid over a text, and a bad pattern (`(a+)+`) has more ways than atoms. So the ways are counted beforehand, and a
 * pattern with too many is refused. Look-around and references back, which can't be counted like this, are refused as well.
 */
import { compilePattern } from '../../../home/vocabulary/text-rules.ts';
import { refusedField } from './fields.ts';

/** Some 20 ms of work in the worst case; an e-mail address in 255 characters has 16 million ways on paper and far fewer in fact. */
const MOST_WAYS = 20_000_000;

/** @param maxLength of the texts that it is run on. @throws `invalid_value` it is no regular expression, or too costly */
export function checkPattern(pattern: string, maxLength: number): void {
  try {
    compilePattern(pattern);
  } catch {
    throw refusedField('pattern', 'it is no valid regular expression');
  }
  if (/\((\?[=!]|\?<[=!])/.test(pattern)) throw refusedField('pattern', 'it must not look around, as (?= and (?! do');
  if (/\\(k<|[1-9])/.test(pattern)) throw refusedField('pattern', 'it must not refer back to a group');
  if (new WayCounter(pattern, maxLength).count() > MOST_WAYS) {
    throw refusedField('pattern', 'it could take very long: use fewer repetitions, and none within another');
  }
}

/** Reads a valid pattern from left to right and counts the ways in which it can be laid over a text. */
class WayCounter {
  readonly #pattern: string;
  readonly #maxLength: number;
  #at = 0;

  constructor(pattern: string, maxLength: number) {
    this.#pattern = pattern;
    this.#maxLength = maxLength;
  }

  count(): number {
    return this.#alternatives();
  }

  /** Until the end of the pattern or of the group. Each alternative is one more way, or as many as it has itself. */
  #alternatives(): number {
    let total = 0;
    let ways = 1;
    for (; this.#at < this.#pattern.length; ) {
      const char = this.#pattern[this.#at];
      if (char === ')') break;
      if (char === '|') {
        this.#at += 1;
        total += ways;
        ways = 1;
      } else {
        ways *= this.#repeated(this.#atom());
      }
    }
    return total + ways;
  }

  /** One thing that can be repeated. @returns the ways it has. */
  #atom(): number {
    const char = this.#pattern[this.#at];
    if (char === '(') return this.#group();
    if (char === '[') this.#at = this.#endOfClass();
    else if (char === '\\') this.#at = this.#endOfEscape();
    else this.#at += 1;
    return 1;
  }

  #group(): number {
    this.#at += /^\((\?:|\?<\w+>)?/u.exec(this.#pattern.slice(this.#at))?.[0].length ?? 1;
    const ways = this.#alternatives();
    this.#at += 1;
    return ways;
  }

  #endOfClass(): number {
    let at = this.#at + 1;
    while (this.#pattern[at] !== ']') at += this.#pattern[at] === '\\' ? 2 : 1;
    return at + 1;
  }

  /** `\d`, `\.`, `\u{1F600}`, `\p{L}`. */
  #endOfEscape(): number {
    const sequence = /^\\([pPu]\{[^}]*\}|u[0-9a-f]{4}|x[0-9a-f]{2}|c[a-z]|.)/iu.exec(this.#pattern.slice(this.#at));
    return this.#at + (sequence?.[0].length ?? 2);
  }

  /** Each repetition of something has its ways anew; how many there are is one more choice. */
  #repeated(ways: number): number {
    const [text, least = 1, most = 1] = this.#quantifier();
    this.#at += text.length;
    return Math.max(1, most - least + 1) * ways ** Math.min(most, this.#maxLength);
  }

  #quantifier(): readonly [text: string, least?: number, most?: number] {
    const rest = this.#pattern.slice(this.#at);
    const simple = /^([*+?])\??/.exec(rest);
    if (simple) {
      const [text, sign] = simple;
      return [text, sign === '+' ? 1 : 0, sign === '?' ? 1 : this.#maxLength];
    }
    const counted = /^\{(\d+)(,(\d*))?\}\??/.exec(rest);
    if (!counted) return [''];
    const [text, least, comma, most] = counted;
    return [text, Number(least), comma === undefined ? Number(least) : Number(most || this.#maxLength)];
  }
}
