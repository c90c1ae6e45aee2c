/**
 * The interface of a tool: one file here with one `McpTool`, listed in `index.ts`. A tool translates its arguments
 * (slug keys and names) into one call of an operation and presents the result. It holds no authorization rules: `needs`
 * only decides who sees the tool, and the operation decides the rest, as for every API.
 */
import type { z } from 'zod';
import type { AccessLevel } from '../../../app/access/authorize.ts';
import type { Caller } from '../../../app/access/caller.ts';
import type { Operations } from '../../../app/operations.ts';

export interface ToolContext {
  readonly caller: Caller;
  readonly deps: Readonly<Operations>;
  /** Aborted when the client cancels; long work stops then. */
  readonly signal: AbortSignal;
}

/** A tool's effects for clients (the protocol's own words). Hints only: they do not grant or refuse anything. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  /** Whether it may delete or overwrite existing data. */
  readonly destructiveHint: boolean;
  /** Whether a second identical call has no further effect. */
  readonly idempotentHint: boolean;
  /** Whether it reaches beyond the relay's data: `false` for everything in the home. */
  readonly openWorldHint: boolean;
}

/**
 * @typeParam Input a strict object of the arguments · @typeParam Output an object, since `structuredContent` has to be
 * one
 */
export interface McpTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  /** For the model; may name the caller's homes and rooms (`describePlaces`). */
  description(context: ToolContext): string;
  /** Listed only for callers who have this permission in some home. */
  readonly needs: Extract<AccessLevel, 'view' | 'control' | 'manage'>;
  readonly annotations: ToolAnnotations;
  readonly input: Input;
  readonly output: Output;
  /**
   * @returns a value of the output's schema.
   * @throws HearthError the operation's error; it becomes a result with `isError`, its message and its code
   */
  run(context: ToolContext, input: z.output<Input>): object | Promise<object>;
  /** Whether a result means that the call had no effect: then the whole result is marked with `isError`. */
  failed?(result: object): boolean;
}

/** Reads only. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds something new each time. */
export const ADDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** Sets state to the arguments: the same call again changes nothing. */
export const CHANGES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

/** Deletes; a second call finds nothing. */
export const DELETES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};
