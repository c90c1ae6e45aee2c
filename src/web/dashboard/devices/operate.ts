/** What a plain write can't say to a virtual accessory: count up, start a timer. Refusals are told as those of writes are. */
import { act } from '../api/client.ts';
import { graphql } from '../api/graphql.ts';
import { houseStore } from '../house/house-store.ts';
import { readTimer } from '../house/timer-times.ts';
import { commonTexts } from '../texts/common/common.ts';
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

/** Carries out one operation; what is refused is told in a toast. */
export async function operateVirtual(accessoryId: string, operation: string, value?: unknown): Promise<void> {
  try {
    await act(OperateVirtual, { accessoryId, operation, ...(value !== undefined && { value }) });
    // A timer that is started again runs on: no event says that it ends later now.
    if (houseStore.accessory(accessoryId)?.type === 'timer') await readTimer(accessoryId);
  } catch (error) {
    const name = houseStore.accessory(accessoryId)?.name ?? '';
    showToast({ tone: 'bad', text: textsNow(commonTexts).refused(name, errorText(error)) });
  }
}
