/**
 * Decides whether a user's regular expression is safe to run. JavaScript's engine backtracks through every way to match
 * a pattern against a text, and a bad pattern (`(a+)+`) has exponentially many. This file counts the ways beforehand
 * and rejects a pattern with too many. It also rejects look-around and back-references, whose ways can't be counted
 * like this.
 */
import { compilePattern } from '../../../home/vocabulary/text-rules.ts';
import { refusedField } from './fields.ts';

/**
 * Measured: below 100 ms in the worst case. Three unbounded repetitions, as for an e-mail address, fit in 128
 * characters.
 */
const MAX_PATHS = 800_000;

/**
 * The number of ways to match a text: `fixed` for each way in which `open` unbounded repetitions can share the text's
 * length.
 */
interface Ways {
  readonly fixed: number;
  readonly open: number;
}

const ONE_WAY: Ways = { fixed: 1, open: 0 };

/**
 * @param maxLength of the texts that it is matched against. @throws `invalid_value` it is not a regular expression, or
 * too costly
 */
export function checkPattern(pattern: string, maxLength: number): void {
  try {
    compilePattern(pattern);
    // Compiled alone too: `a)|(b` is valid only inside the brackets that the other compilation adds, and half of it
    // would not be counted.
    new RegExp(pattern, 'u');
  } catch {
    throw refusedField('pattern', 'it is no valid regular expression');
  }
  if (/\((\?[=!]|\?<[=!])/.test(pattern)) throw refusedField('pattern', 'it must not look around, as (?= and (?! do');
  if (/\\(k<|[1-9])/.test(pattern)) throw refusedField('pattern', 'it must not refer back to a group');
  if (new WayCounter(pattern, maxLength).count() > MAX_PATHS) {
    throw refusedField('pattern', 'it could take very long: use fewer repetitions, and none within another');
  }
}

/** Parses a valid pattern from left to right and counts the ways to match a text. */
class WayCounter {
  readonly #pattern: string;
  readonly #maxLength: number;
  #at = 0;

  constructor(pattern: string, maxLength: number) {
    this.#pattern = pattern;
    this.#maxLength = maxLength;
  }

  count(): number {
    return this.#total(this.#alternatives());
  }

  /** Parses up to the end of the pattern or of the group. */
  #alternatives(): Ways {
    const all: Ways[] = [this.#sequence()];
    while (this.#pattern[this.#at] === '|') {
      this.#at += 1;
      all.push(this.#sequence());
    }
    return {
      fixed: all.reduce((sum, { fixed }) => sum + fixed, 0),
      open: Math.max(...all.map(({ open }) => open)),
    };
  }

  #sequence(): Ways {
    let { fixed, open } = ONE_WAY;
    while (this.#at < this.#pattern.length && !')|'.includes(this.#pattern[this.#at] ?? '')) {
      const next = this.#repeated(this.#atom());
      fixed *= next.fixed;
      open += next.open;
    }
    return { fixed, open };
  }

  /** Parses one atom: the part that a quantifier repeats. */
  #atom(): Ways {
    const char = this.#pattern[this.#at];
    if (char === '(') return this.#group();
    if (char === '[') this.#at = this.#endOfClass();
    else if (char === '\\') this.#at = this.#endOfEscape();
    else this.#at += 1;
    return ONE_WAY;
  }

  #group(): Ways {
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

  /** The number of repetitions is one more choice. An atom with choices of its own repeats them each time. */
  #repeated(ways: Ways): Ways {
    const [text, least = 1, most = 1] = this.#quantifier();
    this.#at += text.length;
    if (least === 1 && most === 1) return ways;
    const counts = Math.max(1, most - least + 1);
    if (this.#total(ways) === 1) return most < this.#maxLength ? { fixed: counts, open: 0 } : { fixed: 1, open: 1 };
    if (most === 1) return { fixed: ways.fixed + 1, open: ways.open };
    return { fixed: counts * this.#total(ways) ** Math.min(most, this.#maxLength), open: 0 };
  }

  #total({ fixed, open }: Ways): number {
    let total = fixed;
    for (let n = 1; n <= open; n += 1) total *= (this.#maxLength + n) / n;
    return Math.round(total);
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
