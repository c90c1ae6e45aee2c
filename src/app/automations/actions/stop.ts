import { shorten } from '../../../home/vocabulary/values.ts';
import { optional, withDefault } from '../parsing/field.ts';
import { flag } from '../parsing/field-kinds.ts';
import { actionKind } from './action-kind.ts';
import { template, variableName } from './fields.ts';
import { renderText } from './rendered.ts';

/** Ends the run, or the enclosing script. The script returns the named variable, if there is one. */
export const stop = actionKind({
  type: 'stop',
  fields: {
    reason: optional(template('Why, for the trace. May hold templates.')),
    error: withDefault(flag('Whether the run has failed.'), false),
    responseVariable: optional(variableName('The variable that a script returns.')),
  },
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
});
