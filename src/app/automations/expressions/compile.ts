/**
 * Compiles CEL to executable steps. The parser is that of cel-js; this file defines the evaluation of its tree. An
 * evaluation must count its work (`work.ts`), knows only the JSON types, and reaches only its inputs. Errors that are
 * known in advance are reported here: unknown functions, missing arguments, undefined names.
 */
import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';
import type { Json } from '../../../kernel/json.ts';
import { type Evaluation, isScopeName, SCOPE_NAMES } from './evaluation.ts';
import { ExpressionFault } from './fault.ts';
import { FUNCTIONS, type FunctionRow } from './functions/index.ts';
import { MACROS, type Macro } from './macros.ts';
import { elementOf, faultOf, finite, keysOf, memberOf, negate, OPERATORS } from './operators.ts';
import { toCel } from './source.ts';
import { clean, hasField, isObject, isTruthy } from './values.ts';

/** Enough for one template; a flow has variables for longer expressions. */
const MAX_LENGTH = 8_192;
const MAX_NODES = 2_000;
/** Nested brackets, calls and operators (wire-facts §6.4); chains such as `a + b + c` are not nested. */
const MAX_DEPTH = 100;

const parser = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  limits: {
    maxAstNodes: MAX_NODES,
    maxDepth: MAX_DEPTH,
    maxListElements: MAX_NODES,
    maxMapEntries: MAX_NODES,
    maxCallArguments: 32,
  },
});

export type EvaluationStep = (evaluation: Evaluation) => Json;

export interface CompiledExpression {
  readonly run: EvaluationStep;
  /** The variables that the expression refers to, with the position of the first reference. */
  readonly variables: ReadonlyMap<string, number>;
}

/** @throws `ExpressionFault` */
export function compile(expression: string): CompiledExpression {
  if (expression.length > MAX_LENGTH) throw new ExpressionFault(`an expression has at most ${MAX_LENGTH} characters`);
  if (expression.trim() === '') throw new ExpressionFault('there is no expression');
  const source = toCel(expression);
  const compiler = new Compiler((index) => source.indexOf(index));
  try {
    const run = compiler.compile(parser.parse(source.text).ast, 0);
    return { run, variables: compiler.variables };
  } catch (error) {
    if (error instanceof ParseError) {
      const start = error.range?.start;
      throw new ExpressionFault(parserWords(error.summary), start === undefined ? undefined : source.indexOf(start));
    }
    throw faultOf(error) ?? error;
  }
}

class Compiler {
  readonly variables = new Map<string, number>();
  readonly #placeOf: (celIndex: number) => number;
  /** Names of the loop variables in scope, outermost first. */
  readonly #locals: string[] = [];

  constructor(placeOf: (celIndex: number) => number) {
    this.#placeOf = placeOf;
  }

  compile(node: ASTNode, depth: number): EvaluationStep {
    if (depth > MAX_DEPTH) throw this.#fault(node, `an expression is nested at most ${MAX_DEPTH} deep`);
    switch (node.op) {
      case 'value':
        return this.#literal(node, node.args);
      case 'id':
        return this.#name(node, node.args);
      case '.':
        return this.#member(node, node.args, depth);
      case '[]': {
        const [value, key] = [this.compile(node.args[0], depth), this.compile(node.args[1], depth + 1)];
        return this.#guard(node, (evaluation) => elementOf(value(evaluation), key(evaluation)));
      }
      case 'call':
        return this.#call(node, node.args[0], node.args[1], depth);
      case 'rcall':
        return this.#method(node, node.args, depth);
      case 'list':
        return this.#list(node, node.args, depth);
      case 'map':
        return this.#map(node, node.args, depth);
      case '?:':
        return this.#choice(node, node.args, depth);
      case '&&': {
        const [left, right] = this.#both(node.args, depth);
        return this.#guard(node, (evaluation) => isTruthy(left(evaluation)) && isTruthy(right(evaluation)));
      }
      case '||': {
        const [left, right] = this.#both(node.args, depth);
        return this.#guard(node, (evaluation) => isTruthy(left(evaluation)) || isTruthy(right(evaluation)));
      }
      case '!_': {
        const value = this.compile(node.args, depth + 1);
        return this.#guard(node, (evaluation) => !isTruthy(value(evaluation)));
      }
      case '-_': {
        const value = this.compile(node.args, depth + 1);
        return this.#guard(node, (evaluation) => negate(value(evaluation)));
      }
      case '.?':
      case '[?]':
        throw this.#fault(node, 'optional fields are written without a question mark: what is missing is null');
      default: {
        const operate = OPERATORS[node.op];
        const [left, right] = this.#both(node.args, depth);
        return this.#guard(node, (evaluation) => operate(left(evaluation), right(evaluation), evaluation.work));
      }
    }
  }

  /** All operands of a chain, `a + b + c`, have the same depth. */
  #both([left, right]: readonly [ASTNode, ASTNode], depth: number): readonly [EvaluationStep, EvaluationStep] {
    return [this.compile(left, depth), this.compile(right, depth + 1)];
  }

  /** Counts the step, and adds its position to an error. */
  #guard(node: ASTNode, step: EvaluationStep): EvaluationStep {
    const index = this.#placeOf(node.pos);
    return (evaluation) => {
      try {
        evaluation.work.spend(1);
        return step(evaluation);
      } catch (error) {
        const fault = faultOf(error);
        if (!fault || fault.index !== undefined) throw error;
        throw new ExpressionFault(fault.message, index, { cause: error });
      }
    };
  }

  #fault(node: ASTNode, message: string): ExpressionFault {
    return new ExpressionFault(message, this.#placeOf(node.pos));
  }

  #literal(node: ASTNode, literal: unknown): EvaluationStep {
    const isInteger = typeof literal === 'bigint';
    if (isInteger && (literal > Number.MAX_SAFE_INTEGER || literal < Number.MIN_SAFE_INTEGER)) {
      throw this.#fault(node, `whole numbers go up to ${Number.MAX_SAFE_INTEGER}`);
    }
    if (typeof literal === 'object' && literal !== null) throw this.#fault(node, 'numbers and texts have no prefix');
    const value = typeof literal === 'number' ? finite(literal) : clean(literal);
    return () => value;
  }

  #name(node: ASTNode, name: string): EvaluationStep {
    const slot = this.#locals.lastIndexOf(name);
    if (slot >= 0) return this.#guard(node, (evaluation) => evaluation.locals[slot] ?? null);
    if (!isScopeName(name) && !this.variables.has(name)) this.variables.set(name, this.#placeOf(node.pos));
    return this.#guard(node, (evaluation) => {
      const value = evaluation.find(name);
      if (value === undefined) throw new ExpressionFault(unknownName(name));
      return value;
    });
  }

  #member(node: ASTNode, [object, name]: readonly [ASTNode, string], depth: number): EvaluationStep {
    const value = this.compile(object, depth);
    return this.#guard(node, (evaluation) => memberOf(value(evaluation), name));
  }

  #list(node: ASTNode, items: readonly ASTNode[], depth: number): EvaluationStep {
    const steps = items.map((item) => this.compile(item, depth + 1));
    return this.#guard(node, (evaluation) => steps.map((step) => step(evaluation)));
  }

  #map(node: ASTNode, entries: readonly (readonly [ASTNode, ASTNode])[], depth: number): EvaluationStep {
    const steps = entries.map(([key, value]) => [this.#key(key, depth), this.compile(value, depth + 1)] as const);
    return this.#guard(node, (evaluation) =>
      Object.fromEntries(
        steps.map(([key, value]) => {
          const name = key(evaluation);
          if (typeof name !== 'string' && typeof name !== 'number')
            throw new ExpressionFault('the names of fields are texts');
          if (name === '__proto__') throw new ExpressionFault("a field can't be called __proto__");
          return [String(name), value(evaluation)];
        }),
      ),
    );
  }

  /** Treats `{minutes: 5}` as `{'minutes': 5}`. */
  #key(node: ASTNode, depth: number): EvaluationStep {
    if (node.op !== 'id') return this.compile(node, depth + 1);
    const name = node.args;
    return () => name;
  }

  #choice(node: ASTNode, nodes: readonly [ASTNode, ASTNode, ASTNode], depth: number): EvaluationStep {
    const [condition, then, otherwise] = nodes.map((one) => this.compile(one, depth + 1)) as [
      EvaluationStep,
      EvaluationStep,
      EvaluationStep,
    ];
    return this.#guard(node, (evaluation) => (isTruthy(condition(evaluation)) ? then : otherwise)(evaluation));
  }

  #call(node: ASTNode, name: string, args: readonly ASTNode[], depth: number): EvaluationStep {
    if (name === 'has') return this.#has(node, args, depth);
    const row = FUNCTIONS.get(name);
    if (!row) throw this.#fault(node, `there is no function '${name}'`);
    this.#requireCount(node, row, args.length);
    // Evaluates only the chosen branch.
    if (name === 'iif') return this.#choice(node, args as readonly ASTNode[] as [ASTNode, ASTNode, ASTNode], depth);
    const steps = args.map((arg) => this.compile(arg, depth + 1));
    return this.#guard(node, (evaluation) =>
      row.call(
        steps.map((step) => step(evaluation)),
        evaluation,
      ),
    );
  }

  /** `value.f(x)` is `f(value, x)`, except for the list macros. */
  #method(
    node: ASTNode,
    [name, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]],
    depth: number,
  ): EvaluationStep {
    const macro = MACROS.get(name);
    if (macro) return this.#loop(node, macro, name, receiver, args, depth);
    return this.#call(node, name, [receiver, ...args], depth);
  }

  #loop(
    node: ASTNode,
    macro: Macro,
    name: string,
    receiver: ASTNode,
    [element, ...bodies]: readonly ASTNode[],
    depth: number,
  ): EvaluationStep {
    if (element?.op !== 'id' || bodies.length === 0 || bodies.length > macro.maxBodies) {
      throw this.#fault(node, `write ${macro.usage}, where x is a name of yours for the element`);
    }
    if (isScopeName(element.args)) throw this.#fault(element, `'${element.args}' has a meaning already`);
    const list = this.compile(receiver, depth);
    const slot = this.#locals.push(element.args) - 1;
    const steps = bodies.map((body) => this.compile(body, depth + 1));
    this.#locals.pop();
    return this.#guard(node, (evaluation) => {
      const items = elementsOf(list(evaluation), name, evaluation);
      return macro.run(
        items,
        (body, item) => {
          evaluation.work.spend(1);
          evaluation.locals[slot] = item;
          return steps[body]?.(evaluation) ?? null;
        },
        bodies.length,
      );
    });
  }

  /** `has(a.b)`: whether the field exists, with any value. */
  #has(node: ASTNode, args: readonly ASTNode[], depth: number): EvaluationStep {
    const [field, ...others] = args;
    if (field?.op !== '.' || others.length > 0) throw this.#fault(node, 'has() takes one field: has(a.b)');
    const [object, name] = field.args;
    const value = this.compile(object, depth + 1);
    return this.#guard(node, (evaluation) => {
      const found = value(evaluation);
      return isObject(found) && hasField(found, name);
    });
  }

  #requireCount(node: ASTNode, { minCount, maxCount, signature }: FunctionRow, count: number): void {
    if (count >= minCount && count <= maxCount) return;
    throw this.#fault(node, `${signature} does not take ${count} ${count === 1 ? 'argument' : 'arguments'}`);
  }
}

export function unknownName(name: string): string {
  return `there is no variable '${name}', and ${SCOPE_NAMES.join(', ')} are the names that are always there`;
}

function elementsOf(value: Json, name: string, { work }: Evaluation): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  if (isObject(value)) return keysOf(value, work);
  if (value === null) return [];
  throw new ExpressionFault(`${name}() loops over a list or the names of an object's fields`);
}

/** Readable names for the parser's tokens. */
const TOKEN_WORDS: Readonly<Record<string, string>> = {
  EOF: 'the end',
  IDENTIFIER: 'a name',
  STRING: 'text',
  NUMBER: 'a number',
  LPAREN: '(',
  RPAREN: ')',
  LBRACKET: '[',
  RBRACKET: ']',
  LBRACE: '{',
  RBRACE: '}',
  COLON: ':',
  COMMA: ',',
  DOT: '.',
  QUESTION: '?',
  EQ: '==',
  NE: '!=',
  LT: '<',
  LE: '<=',
  GT: '>',
  GE: '>=',
  AND: '&&',
  OR: '||',
  NOT: '!',
  IN: 'in',
  PLUS: '+',
  MINUS: '-',
  MULTIPLY: '*',
  DIVIDE: '/',
  MODULO: '%',
};

/** Readable messages for the parser's limits. */
const LIMIT_WORDS: Readonly<Record<string, (most: string) => string>> = {
  maxDepth: (most) => `it is nested more than ${most} deep`,
  maxAstNodes: (most) => `it has more than ${most} parts`,
  maxListElements: (most) => `a list has more than ${most} elements`,
  maxMapEntries: (most) => `an object has more than ${most} fields`,
  maxCallArguments: (most) => `a function is given more than ${most} arguments`,
};

function parserWords(summary: string): string {
  const [, limit = '', most = ''] = /^Exceeded (\w+) \((\d+)\)$/.exec(summary) ?? [];
  const exceeded = LIMIT_WORDS[limit]?.(most);
  if (exceeded !== undefined) return exceeded;
  const words = summary.replace(/\b[A-Z]{2,}\b/g, (token) => TOKEN_WORDS[token] ?? token);
  return words.charAt(0).toLowerCase() + words.slice(1);
}
