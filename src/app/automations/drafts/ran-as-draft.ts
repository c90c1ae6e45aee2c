/** What a run ran as a draft without name and state: a client shows it as it shows the automation. */
import type { HomeState } from '../../../home/home-state.ts';
import type { RunDefinition } from '../engine/run-definition.ts';
import { nativeAsDraft } from './native-as-draft.ts';

export function ranAsDraft(ran: RunDefinition, homeId: string, state: HomeState): object {
  if (ran.kind === 'flow') {
    const { kind: _, ...parts } = ran;
    return parts;
  }
  const { trigger, actions } = ran;
  const {
    name: _name,
    enabled: _enabled,
    ...draft
  } = nativeAsDraft({ homeId, name: '', enabled: true, trigger, actions }, state);
  return draft;
}
