import { shorten } from '../../../home/vocabulary/values.ts';
import type { ActionKind } from './action-kind.ts';
import { renderText } from './rendered.ts';

/** Ends the run, or the enclosing script. The script returns the named variable, if there is one. */
export const stop: ActionKind<'stop'> = {
  type: 'stop',
  effect: 'none',
  summarize: ({ reason, error }) => {
    const how = error ? 'Stop with an error' : 'Stop';
    return reason === undefined ? how : `${how}: ${shorten(reason)}`;
  },
  execute({ reason, error, responseVariable }, run) {
    const { variables } = run.scope;
    const isSet = responseVariable !== undefined && Object.hasOwn(variables, responseVariable);
    return run.stop({
      reason: reason === undefined ? null : renderText(run, reason, 'reason'),
      isError: error,
      response: isSet ? (variables[responseVariable] ?? null) : null,
    });
  },
};
