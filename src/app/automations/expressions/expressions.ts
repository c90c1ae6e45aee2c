/**
 * Expressions: CEL inside `{{ }}` (decisions §10) with the names and functions of wire-facts §6.4. An expression is
 * checked when a flow is saved and evaluated when it runs. Evaluation uses plain values only, within bounded work, and
 * only reads the home's state. Values are JSON, in and out; there is no other type, and one kind of number.
 *
 * Every error of an expression is a `HearthError` (`invalid_value`) with line and column.
 */
import { HearthError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/json.ts';
import type { ExpressionScope } from '../scope.ts';
import { type CompiledExpression, compile, unknownName } from './compile.ts';
import { type Dependencies, Evaluation, type ExpressionDeps } from './evaluation.ts';
import { ExpressionError, ExpressionFault, type ExpressionPlace } from './fault.ts';
import { faultOf } from './operators.ts';
import { RecentlyUsed } from './recently-used.ts';
import { bareExpression, hasTemplate, type Piece, splitTemplates } from './source.ts';
import { asText } from './values.ts';
import { MAX_VALUE_LENGTH, measure } from './work.ts';

export type { Dependencies } from './evaluation.ts';
export { ExpressionError } from './fault.ts';
export { isVariableName } from './names.ts';
export { isTruthy } from './values.ts';

/**
 * The cache size for compiled expressions (least recently used dropped first): some hundred flows with their
 * templates.
 */
const KEPT_EXPRESSIONS = 1_000;

/** Optional information for `check`. */
export interface CheckOptions {
  /** The variables that will exist; if omitted, any name may be a variable. */
  readonly variables?: ReadonlySet<string>;
}

export class Expressions {
  readonly #deps: ExpressionDeps;
  readonly #compiled = new RecentlyUsed<CompiledExpression>(KEPT_EXPRESSIONS);
  /** The pieces of texts with templates. */
  readonly #pieces = new RecentlyUsed<readonly Piece[]>(KEPT_EXPRESSIONS);

  constructor(deps: ExpressionDeps) {
    this.#deps = deps;
  }

  /**
   * Checks one expression, with or without `{{ }}` around it.
   * @throws `invalid_value` with `details.field` and the position of the error (line and column) in the message
   */
  check(expression: string, field: string, options: CheckOptions = {}): void {
    this.#placed({ text: expression, offset: 0, field }, () => {
      this.#checkPiece(bareExpression(expression), expression, field, options);
    });
  }

  /** Checks every template in a value. @throws as `check`, `field` with the path in the value: `data.items[2]` */
  checkTemplates(value: Json, field: string, options: CheckOptions = {}): void {
    eachText(value, field, (text, path) => {
      if (!hasTemplate(text)) return;
      const pieces = this.#placed({ text, offset: 0, field: path }, () => splitTemplates(text));
      for (const piece of pieces) {
        if (piece.kind === 'expression') this.#checkPiece(piece, text, path, options);
      }
    });
  }

  /**
   * Evaluates an expression, with or without `{{ }}` around it. @throws `invalid_value` with the position of the error
   */
  evaluate(expression: string, scope: ExpressionScope, homeId: string): Json {
    return this.evaluateWatching(expression, scope, homeId).value;
  }

  /** Also returns the dependencies. @throws `invalid_value`; `watch` returns the dependencies even after an error */
  evaluateWatching(
    expression: string,
    scope: ExpressionScope,
    homeId: string,
  ): { readonly value: Json; readonly dependencies: Dependencies } {
    const { value, error, dependencies } = this.watch(expression, scope, homeId);
    if (error) throw error;
    return { value, dependencies };
  }

  /**
   * The value, or `null` and the error, with the dependencies up to that point: an error can disappear when the home
   * changes. Dependencies vary with the values, so read them after every evaluation.
   */
  watch(
    expression: string,
    scope: ExpressionScope,
    homeId: string,
  ): { readonly value: Json; readonly error: HearthError | null; readonly dependencies: Dependencies } {
    return this.#watched(scope, homeId, (evaluation) => {
      const whole: ExpressionPlace = { text: expression, offset: 0, field: undefined };
      const piece = this.#placed(whole, () => bareExpression(expression));
      return this.#run(piece, whole, evaluation);
    });
  }

  /** The same of a text with templates. */
  watchText(text: string, scope: ExpressionScope, homeId: string): ReturnType<Expressions['watch']> {
    return this.#watched(scope, homeId, (evaluation) => {
      const rendered = this.#renderText(text, evaluation, '');
      return this.#placed({ text, offset: 0, field: undefined }, () => {
        measure(rendered);
        return rendered;
      });
    });
  }

  /** @throws `invalid_value` the value is longer, or deeper, than one may be */
  measure(value: Json, field: string): void {
    this.#placed({ text: '', offset: 0, field }, () => measure(value));
  }

  /** The variables that an expression, or a text with templates, refers to. @throws as `check` */
  variablesOf(text: string, kind: 'expression' | 'text'): ReadonlySet<string> {
    const whole: ExpressionPlace = { text, offset: 0, field: undefined };
    const pieces = this.#placed(whole, () => (kind === 'text' ? splitTemplates(text) : [bareExpression(text)]));
    const names = pieces.flatMap((piece) =>
      piece.kind === 'text'
        ? []
        : [...this.#placed({ ...whole, offset: piece.offset }, () => this.#compile(piece.text)).variables.keys()],
    );
    return new Set(names);
  }

  #watched(
    scope: ExpressionScope,
    homeId: string,
    act: (evaluation: Evaluation) => Json,
  ): ReturnType<Expressions['watch']> {
    const evaluation = new Evaluation(this.#deps, scope, homeId);
    try {
      return { value: act(evaluation), error: null, dependencies: evaluation };
    } catch (error) {
      if (error instanceof HearthError) return { value: null, error, dependencies: evaluation };
      throw error;
    }
  }

  /**
   * Replaces every template in a value. A text that is exactly one template becomes the value itself; in other texts
   * `null` is empty, and lists and objects are JSON.
   * @throws `invalid_value` with the path in the value and the position of the error
   */
  render(value: Json, scope: ExpressionScope, homeId: string): Json {
    const evaluation = new Evaluation(this.#deps, scope, homeId);
    return this.#placed({ text: '', offset: 0, field: undefined }, () => {
      const rendered = this.#renderWithin(value, evaluation, '');
      measure(rendered);
      return rendered;
    });
  }

  #renderWithin(value: Json, evaluation: Evaluation, path: string): Json {
    if (typeof value === 'string') return hasTemplate(value) ? this.#renderText(value, evaluation, path) : value;
    if (Array.isArray(value)) {
      return (value as readonly Json[]).map((item, index) => this.#renderWithin(item, evaluation, `${path}[${index}]`));
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        this.#renderWithin(item ?? null, evaluation, fieldPath(path, key)),
      ]),
    );
  }

  #renderText(text: string, evaluation: Evaluation, path: string): Json {
    const whole: ExpressionPlace = { text, offset: 0, field: path === '' ? undefined : path };
    const pieces = this.#pieces.get(text, () => this.#placed(whole, () => splitTemplates(text)));
    const [only] = pieces;
    if (only?.kind === 'expression' && pieces.length === 1) return this.#run(only, whole, evaluation);
    let rendered = '';
    for (const piece of pieces) {
      rendered += piece.kind === 'text' ? piece.text : asText(this.#run(piece, whole, evaluation));
      if (rendered.length > MAX_VALUE_LENGTH) {
        throw new ExpressionError(
          new ExpressionFault(`the text would have more than ${MAX_VALUE_LENGTH} characters`),
          whole,
        );
      }
    }
    return rendered;
  }

  #run(piece: Piece, whole: ExpressionPlace, evaluation: Evaluation): Json {
    return this.#placed({ ...whole, offset: piece.offset }, () => {
      const value = this.#compile(piece.text).run(evaluation);
      evaluation.work.spendText(measure(value));
      return value;
    });
  }

  #checkPiece(piece: Piece, text: string, field: string, { variables }: CheckOptions): void {
    this.#placed({ text, offset: piece.offset, field }, () => {
      for (const [name, index] of this.#compile(piece.text).variables) {
        if (variables && !variables.has(name)) throw new ExpressionFault(unknownName(name), index);
      }
    });
  }

  #compile(expression: string): CompiledExpression {
    return this.#compiled.get(expression, () => compile(expression));
  }

  /** Processes a text and adds the position in it to an error. */
  #placed<T>(place: ExpressionPlace, act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (error instanceof HearthError) throw error;
      const fault = faultOf(error);
      throw fault ? new ExpressionError(fault, place) : error;
    }
  }
}

function eachText(value: Json, path: string, visit: (text: string, path: string) => void): void {
  if (typeof value === 'string') visit(value, path);
  else if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) eachText(item, `${path}[${index}]`, visit);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) eachText(item ?? null, fieldPath(path, key), visit);
  }
}

function fieldPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
