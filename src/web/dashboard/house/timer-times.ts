/** When the timers of the home end. Events tell a timer's state and nothing of its times: those are asked for when it changes. */
import { ApiError } from '../api/api-error.ts';
import { ask } from '../api/client.ts';
import { graphql } from '../api/graphql.ts';
import { houseStore } from './house-store.ts';

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
    if (accessory) houseStore.amend(accessoryId, accessory);
  } catch (error) {
    // The state is known all the same, and the home is read again when the relay is back.
    if (!(error instanceof ApiError)) throw error;
  }
}
