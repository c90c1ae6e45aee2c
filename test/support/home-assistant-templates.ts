/**
 * Home Assistant's templates, as far as ours go: Jinja's expressions over Python's values. Evaluates literals, tables
 * with `.get`, `a if b else c`, comparisons and a few filters, and refuses everything else, so that a template that
 * this understands is one that Jinja understands.
 */
type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | ReadonlyMap<unknown, Value>
  | { readonly [key: string]: unknown };

/** What Home Assistant gets: text. */
export function renderTemplate(template: string, variables: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{\{(.*?)\}\}/gs, (_, source: string) => {
    const parser = new Expression(source, variables);
    return printed(parser.whole());
  });
}

const TOKEN = /\s*(?:('[^']*')|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(==|>|[{}()[\]:,.|]))/y;

class Expression {
  readonly #tokens: readonly string[];
  readonly #variables: Readonly<Record<string, unknown>>;
  #next = 0;

  constructor(source: string, variables: Readonly<Record<string, unknown>>) {
    this.#tokens = tokenize(source.trim());
    this.#variables = variables;
  }

  whole(): Value {
    const value = this.#choice();
    if (this.#next < this.#tokens.length) throw new Error(`Not understood from ${this.#tokens[this.#next]} on`);
    return value;
  }

  /** Both sides are evaluated; Jinja evaluates one, which makes no difference to what none of them changes. */
  #choice(): Value {
    const then = this.#comparison();
    if (!this.#takes('if')) return then;
    const isSo = truth(this.#comparison());
    this.#require('else');
    const otherwise = this.#choice();
    return isSo ? then : otherwise;
  }

  #comparison(): Value {
    const left = this.#filtered();
    if (this.#takes('==')) return sameKey(left) === sameKey(this.#filtered());
    if (this.#takes('>')) return Number(left) > Number(this.#filtered());
    return left;
  }

  #filtered(): Value {
    let value = this.#postfix();
    while (this.#takes('|')) {
      const filter = this.#take();
      if (filter === 'float') value = Number(value);
      else if (filter === 'round') value = Math.round(Number(value));
      else if (filter === 'int') value = Math.trunc(Number(value));
      else if (filter === 'min') value = Math.min(...[...(value as Map<unknown, Value>).values()].map(Number));
      else throw new Error(`No such filter: ${filter}`);
    }
    return value;
  }

  #postfix(): Value {
    let value = this.#primary();
    while (this.#takes('.')) {
      const name = this.#take();
      if (name === 'get') value = this.#call(value);
      else value = (value as Record<string, Value>)[name];
    }
    return value;
  }

  #call(table: Value): Value {
    this.#require('(');
    const key = this.#choice();
    const fallback = this.#takes(',') ? this.#choice() : null;
    this.#require(')');
    if (table instanceof Map) return table.has(sameKey(key)) ? table.get(sameKey(key)) : fallback;
    const object = table as Record<string, Value>;
    return Object.hasOwn(object, String(key)) ? object[String(key)] : fallback;
  }

  #primary(): Value {
    const token = this.#take();
    if (token === '{') return this.#table();
    if (token === '[') return this.#list();
    if (token.startsWith("'")) return token.slice(1, -1);
    if (/^-?\d/.test(token)) return Number(token);
    if (!Object.hasOwn(this.#variables, token)) throw new Error(`No such variable: ${token}`);
    return this.#variables[token] as Value;
  }

  #table(): Value {
    const table = new Map<unknown, Value>();
    while (!this.#takes('}')) {
      const key = this.#choice();
      this.#require(':');
      table.set(sameKey(key), this.#choice());
      this.#takes(',');
    }
    return table;
  }

  /** Kept as a table from its positions. */
  #list(): Value {
    const list = new Map<unknown, Value>();
    while (!this.#takes(']')) {
      list.set(list.size, this.#choice());
      this.#takes(',');
    }
    return list;
  }

  #take(): string {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw new Error('It ends too soon');
    this.#next += 1;
    return token;
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#next] !== token) return false;
    this.#next += 1;
    return true;
  }

  #require(token: string): void {
    if (!this.#takes(token)) throw new Error(`${token} is missing before ${this.#tokens[this.#next]}`);
  }
}

function tokenize(source: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(source);
    if (!match) throw new Error(`Not understood: ${source.slice(at)}`);
    tokens.push(match[0].trim());
  }
  return tokens;
}

/** In Python True is 1. */
function sameKey(value: Value): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}

function truth(value: Value): boolean {
  return Boolean(value);
}

function printed(value: Value): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null || value === undefined ? 'None' : String(value);
}
