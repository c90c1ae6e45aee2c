/** An action that clients call by name: the schema of its payload, and the one operation that it calls. */
import type { z } from 'zod';
import type { Caller } from '../../../../app/access/caller.ts';
import type { Input } from '../../../../contract/parse.ts';
import type { ApiDeps } from '../../../api-deps.ts';
import { checkEnvelope, checkTypes } from '../../../read-body.ts';

export interface SocketActionContext {
  readonly caller: Caller;
  readonly deps: ApiDeps;
}

type Answer = object | Promise<object>;

/** @returns the payload of the response. @throws HearthErrors, as REST does */
export type SocketAction = (payload: unknown, context: SocketActionContext) => Answer;

/** Unknown fields are ignored: existing clients send more than is needed. */
export function action<T extends z.ZodType>(
  schema: T,
  perform: (payload: z.output<T>, context: SocketActionContext) => Answer,
): SocketAction {
  return (payload, context) => perform(checkEnvelope(payload, schema), context);
}

/** As `action`, by a schema of the contract. */
export function inputAction<T extends z.ZodType>(
  schema: T,
  perform: (payload: Input<T>, context: SocketActionContext) => Answer,
): SocketAction {
  return (payload, context) => perform(checkTypes(payload, schema), context);
}
