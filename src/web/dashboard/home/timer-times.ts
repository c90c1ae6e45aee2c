/** When the home's timers end. Events carry a timer's state but no times; they are requested when the state changes. */
import { ApiError } from '../api/api-error.ts';
import { ask } from '../api/client.ts';
import { graphql } from '../api/graphql.ts';
import { homeStore } from './home-store.ts';

const TimerRun = graphql(`
  query TimerRun($id: String!) {
    accessory(id: $id) {
      virtualTimerState
      virtualDurationMs
      virtualRemainingMs
      virtualEndsAt
    }
  }
`);

export async function readTimer(accessoryId: string): Promise<void> {
  try {
    const { accessory } = await ask(TimerRun, { id: accessoryId });
    if (accessory) homeStore.amend(accessoryId, accessory);
  } catch (error) {
    // The state is known anyway, and the home is refetched when the relay is back.
    if (!(error instanceof ApiError)) throw error;
  }
}
