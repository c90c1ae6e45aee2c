/**
 * What a tool is: one file here with one `McpTool`, listed in `index.ts`. A tool translates the words of its arguments (slug
 * keys and names) into one call of an operation and says what came of it. It holds no rule about who may do what: `needs`
 * only decides who is shown the tool, and the operation decides the rest, as for every face.
 */
import type { z } from 'zod';
import type { Action } from '../../../app/access/authorize.ts';
import type { Caller } from '../../../app/access/caller.ts';
import type { Operations } from '../../../app/operations.ts';

export interface ToolContext {
  readonly caller: Caller;
  readonly deps: Readonly<Operations>;
  /** Fires when the client has given up; long work stops then. */
  readonly signal: AbortSignal;
}

/** What clients are told of a tool's effects (the protocol's own words). Hints only: nothing here grants or refuses anything. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  /** Whether it may take away or overwrite something that was there. */
  readonly destructiveHint: boolean;
  /** Whether doing it twice is as good as once. */
  readonly idempotentHint: boolean;
  /** Whether it reaches beyond what is known here: `false` for everything in the house. */
  readonly openWorldHint: boolean;
}

/** @typeParam Input a strict object of the arguments · @typeParam Output an object, whatever it holds: `structuredContent` has to be one */
export interface McpTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  /** For the model that reads it; may name the caller's homes and rooms (`describePlaces`). */
  description(context: ToolContext): string;
  /** Listed only for callers who may do this in some home. */
  readonly needs: Extract<Action, 'view' | 'control' | 'manage'>;
  readonly annotations: ToolAnnotations;
  readonly input: Input;
  readonly output: Output;
  /**
   * @returns what the output's schema describes.
   * @throws HearthError what the operation refused; it becomes a result with `isError`, its sentence and its code
   */
  run(context: ToolContext, input: z.output<Input>): object | Promise<object>;
  /** Whether a result means that nothing came of the call: then it is marked with `isError`, whole as it is. */
  failed?(result: object): boolean;
}

/** What reads and changes nothing. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** What adds something new each time. */
export const ADDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** What sets something to what the arguments say: the same again changes nothing. */
export const CHANGES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

/** What takes something away; a second time it is not there any more. */
export const DELETES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};
