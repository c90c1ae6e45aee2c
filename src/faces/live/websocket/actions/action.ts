/** An action that clients ask for by name: what its payload must look like, and the one operation that it stands for. */
import type { z } from 'zod';
import type { Caller } from '../../../../app/access/caller.ts';
import { checkEnvelope } from '../../../rest/request.ts';
import type { RestDeps } from '../../../rest/routes.ts';

export interface ActionContext {
  readonly caller: Caller;
  readonly deps: RestDeps;
}

type Answer = object | Promise<object>;

/** @returns the payload of the answer. @throws HearthErrors, as REST does */
export type Action = (payload: unknown, context: ActionContext) => Answer;

/** Fields that a schema does not name are passed over: existing clients send more than is needed. */
export function action<T extends z.ZodType>(
  schema: T,
  perform: (payload: z.output<T>, context: ActionContext) => Answer,
): Action {
  return (payload, context) => perform(checkEnvelope(payload, schema), context);
}
