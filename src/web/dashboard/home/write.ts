/** Sets values in the displayed home, through the API. */
import { ApiError } from '../api/api-error.ts';
import { ask } from '../api/client.ts';
import { graphql } from '../api/graphql.ts';
import { live } from '../live/live-connection.ts';
import { homeStore } from './home-store.ts';
import { type OnRefusal, type Write, Writer, type WriterResult } from './writer.ts';

export type { Write };

const SetCharacteristics = graphql(`
  mutation SetCharacteristics($writes: [CharacteristicWrite!]!) {
    setCharacteristics(writes: $writes) {
      success
      error
      code
      outcomes {
        accessoryId
        characteristicType
        success
        value
        error
        code
      }
    }
  }
`);

/** Sends writes through the API; the outcomes are in the order of the writes. */
async function sendToRelay(writes: readonly Write[]): Promise<readonly WriterResult[]> {
  // A write that waits for the network would execute when the user no longer expects it.
  const isOutOfReach = live.state.status === 'lost' || homeStore.keptAt !== undefined;
  if (isOutOfReach) throw new ApiError('offline', 'The relay does not answer.');
  const { setCharacteristics: answer } = await ask(SetCharacteristics, {
    writes: writes.map(({ accessoryId, serviceId, characteristicType, value }) => ({
      ...{ accessoryId, serviceId, characteristicType, value },
    })),
  });
  return writes.map((_, index) => {
    const outcome = answer?.outcomes[index];
    if (outcome?.success) return { success: true, value: outcome.value };
    const sentence = outcome?.error ?? answer?.error ?? 'It did not work.';
    return { success: false, error: new ApiError(outcome?.code ?? answer?.code ?? 'failed', sentence) };
  });
}

const refusalListeners = new Set<OnRefusal>();

/** @returns the function that ends the subscription. */
export function onRefusal(listener: OnRefusal): () => void {
  refusalListeners.add(listener);
  return () => refusalListeners.delete(listener);
}

export const writer = new Writer(homeStore, sendToRelay, (write, error) => {
  for (const listener of refusalListeners) listener(write, error);
});
