/**
 * Operations of virtual accessories that a plain write can't express: increment a counter, start a timer. Errors appear
 * as those of writes do.
 */

import commonTexts from 'texts:common';
import { act } from '../api/client.ts';
import { graphql } from '../api/graphql.ts';
import { homeStore } from '../home/home-store.ts';
import { readTimer } from '../home/timer-times.ts';
import { textsNow } from '../texts/texts.ts';
import { errorText } from '../ui/error-text.ts';
import { showToast } from '../ui/toasts.tsx';

const OperateVirtual = graphql(`
  mutation OperateVirtualAccessory($accessoryId: String!, $operation: String!, $value: JSON) {
    operateVirtualAccessory(accessoryId: $accessoryId, operation: $operation, value: $value) {
      success
      error
      code
      reason
    }
  }
`);

/** Executes one operation; a toast shows an error. */
export async function operateVirtual(accessoryId: string, operation: string, value?: unknown): Promise<void> {
  try {
    await act(OperateVirtual, { accessoryId, operation, ...(value !== undefined && { value }) });
    // A timer that is restarted keeps its state: no event reports the later end.
    if (homeStore.accessory(accessoryId)?.type === 'timer') await readTimer(accessoryId);
  } catch (error) {
    const name = homeStore.accessory(accessoryId)?.name ?? '';
    showToast({ tone: 'bad', text: textsNow(commonTexts).refused({ what: name, why: errorText(error) }) });
  }
}
