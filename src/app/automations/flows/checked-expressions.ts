/**
 * Checks the expressions of one flow before the flow is parsed: compiling them is most of the work, and this step can
 * pause after each. Valid expressions are not checked again. Errors are left to the parser, which knows the field and
 * the message.
 */
import { HearthError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/json.ts';
import type { SlicedWork } from '../../../kernel/slices.ts';
import type { Expressions } from '../expressions/expressions.ts';
import { hasTemplate, splitTemplates } from '../expressions/source.ts';

type Checks = Pick<Expressions, 'check' | 'checkTemplates'>;

/** The member that holds an expression without `{{ }}`. */
const EXPRESSION = 'expression';

export class CheckedExpressions implements Checks {
  readonly #checks: Checks;
  readonly #soundExpressions = new Set<string>();
  readonly #soundTemplates = new Set<string>();

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  /** Pauses after each expression. Does not throw. */
  *checkAll(input: unknown): SlicedWork<void> {
    if (typeof input === 'string') yield* this.#checkText(input);
    else if (typeof input === 'object' && input !== null) {
      for (const [name, value] of Object.entries(input)) {
        if (name === EXPRESSION && typeof value === 'string') yield* this.#checkExpression(value);
        yield* this.checkAll(value);
      }
    }
  }

  check(...args: Parameters<Checks['check']>): void {
    if (!this.#soundExpressions.has(args[0])) this.#checks.check(...args);
  }

  checkTemplates(...args: Parameters<Checks['checkTemplates']>): void {
    if (!this.#isSound(args[0])) this.#checks.checkTemplates(...args);
  }

  #isSound(value: Json): boolean {
    if (typeof value === 'string') return !hasTemplate(value) || this.#soundTemplates.has(value);
    return (
      typeof value !== 'object' || value === null || Object.values(value).every((one) => this.#isSound(one ?? null))
    );
  }

  *#checkExpression(text: string): SlicedWork<void> {
    if (this.#soundExpressions.has(text)) return;
    if (this.#passes(text)) this.#soundExpressions.add(text);
    yield;
  }

  *#checkText(text: string): SlicedWork<void> {
    if (!hasTemplate(text) || this.#soundTemplates.has(text)) return;
    let pieces: ReturnType<typeof splitTemplates>;
    try {
      pieces = splitTemplates(text);
    } catch {
      return;
    }
    yield;
    for (const piece of pieces) {
      if (piece.kind === 'text') continue;
      if (!this.#passes(`{{${piece.text}}}`)) return;
      yield;
    }
    this.#soundTemplates.add(text);
  }

  #passes(expression: string): boolean {
    try {
      this.#checks.check(expression, '');
      return true;
    } catch (error) {
      if (error instanceof HearthError) return false;
      throw error;
    }
  }
}
