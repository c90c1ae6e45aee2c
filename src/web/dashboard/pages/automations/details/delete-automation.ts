/** Deletes automations so that they can come back: the relay keeps nothing of a deleted one. */
import { act, ask } from '../../../api/client.ts';
import { ImportFlow, SetNativeEnabled } from '../list/list-document.ts';
import { CreateNative } from '../native/native-document.ts';
import { inputOf, type NativeDraft } from '../native/native-draft.ts';
import { DeleteFlow, DeleteNative, ExportFlow } from './details-document.ts';

export type DeletableAutomation =
  | {
      readonly kind: 'native';
      readonly id: string;
      readonly isEnabled: boolean;
      readonly draft: NativeDraft;
    }
  | { readonly kind: 'flows'; readonly id: string };

/** @returns brings it back under another id, which it returns */
export async function deleteAutomation(
  one: DeletableAutomation,
  homeId: string,
): Promise<() => Promise<string | undefined>> {
  if (one.kind === 'native') {
    await act(DeleteNative, { id: one.id });
    return () => createNative(homeId, one.draft, one.isEnabled);
  }
  const copy = (await ask(ExportFlow, { id: one.id, format: 'json' })).exportFlow ?? '';
  await act(DeleteFlow, { id: one.id });
  return async () => (await act(ImportFlow, { homeId, data: copy })).importFlow?.id;
}

export async function createNative(
  homeId: string,
  draft: NativeDraft,
  isEnabled: boolean,
): Promise<string | undefined> {
  const { createAutomation } = await act(CreateNative, { homeId, ...inputOf(draft) });
  if (createAutomation && !isEnabled) await act(SetNativeEnabled, { id: createAutomation.id, enabled: false });
  return createAutomation?.id;
}
