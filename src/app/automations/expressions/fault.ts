/** What is wrong with an expression, and where. Only this folder sees it: outside it is a `HearthError`. */
import { HearthError } from '../../../kernel/errors.ts';

/** Characters of an expression that a message repeats. */
const QUOTED_LENGTH = 60;

export class Fault extends Error {
  override readonly name = 'Fault';
  /** Where in the expression, in UTF-16 units; `undefined` until whoever knows has said. */
  readonly index: number | undefined;

  constructor(message: string, index?: number, options?: ErrorOptions) {
    super(message, options);
    this.index = index;
  }
}

/** A text that an expression is in, and where in it the expression begins. */
export interface Place {
  readonly text: string;
  readonly offset: number;
  /** The field that holds the text, as a path. */
  readonly field: string | undefined;
}

/** The fault as people read it: what is wrong, on which line and column of the text (from 1), and the text, shortened. */
export function faultError(fault: Fault, { text, offset, field }: Place): HearthError {
  const index = Math.min(offset + (fault.index ?? 0), text.length);
  const before = text.slice(0, index).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  const prefix = field === undefined ? '' : `${field}: `;
  const message = `${prefix}${fault.message} (${place} of the expression ${quote(text)})`;
  return new HearthError(
    'invalid_value',
    message,
    { reason: 'expression', ...(field !== undefined && { field }) },
    { cause: fault },
  );
}

export function quote(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return JSON.stringify(line.length <= QUOTED_LENGTH ? line : `${line.slice(0, QUOTED_LENGTH)}…`);
}
