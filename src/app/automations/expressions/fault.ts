/** An error in an expression, with its position. Internal to this folder: outside it is a `HearthError`. */
import { HearthError } from '../../../kernel/errors.ts';

/** The number of characters of an expression that a message quotes. */
const QUOTED_LENGTH = 60;

export class ExpressionFault extends Error {
  override readonly name = 'ExpressionFault';
  /** The position in the expression, in UTF-16 units; `undefined` until a caller adds it. */
  readonly index: number | undefined;

  constructor(message: string, index?: number, options?: ErrorOptions) {
    super(message, options);
    this.index = index;
  }
}

/** A text that contains an expression, and the offset of the expression in it. */
export interface ExpressionPlace {
  readonly text: string;
  readonly offset: number;
  /** The field that holds the text, as a path. */
  readonly field: string | undefined;
}

/** The error of an expression, as a `HearthError` with its parts. */
export class ExpressionError extends HearthError {
  /** The cause alone. */
  readonly sentence: string;
  /** The position in the text, from 1. */
  readonly line: number;
  readonly column: number;

  constructor(fault: ExpressionFault, { text, offset, field }: ExpressionPlace) {
    const index = Math.min(offset + (fault.index ?? 0), text.length);
    const before = text.slice(0, index).split('\n');
    const line = before.length;
    const column = (before.at(-1)?.length ?? 0) + 1;
    const prefix = field === undefined ? '' : `${field}: `;
    super(
      'invalid_value',
      `${prefix}${fault.message} (line ${line}, column ${column} of the expression ${quote(text)})`,
      { reason: 'expression', ...(field !== undefined && { field }) },
      { cause: fault },
    );
    this.sentence = fault.message;
    this.line = line;
    this.column = column;
  }
}

export function quote(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return JSON.stringify(line.length <= QUOTED_LENGTH ? line : `${line.slice(0, QUOTED_LENGTH)}…`);
}
