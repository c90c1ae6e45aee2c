/**
 * Why a pairing failed, for people of any language. The relay says it in one English sentence, each cause with its own
 * (`src/drivers/hap/pairing/pair-setup-error.ts`); what is not known here is told in that sentence.
 */
import { ApiError } from '../../api/api-error.ts';

/** By how the relay's sentence begins, the more particular ones first. */
const SENTENCES = [
  ['wrongCode', /^The setup code is wrong/],
  ['pause', /^The accessory wants a pause/],
  ['full', /^The accessory has no room/],
  ['locked', /^The accessory has seen too many wrong/],
  ['taken', /^The accessory is already paired/],
  ['busy', /^The accessory is busy|being paired or unpaired/],
  ['unreachable', /^The accessory can't be reached|^The accessory stopped answering/],
  ['halfWay', /^Pairing stopped half-way|^The last step of pairing failed/],
  ['wrongDevice', /^The accessory that answered is/],
  ['impostor', /^What answers as the accessory/],
  ['refused', /^The accessory refused to pair|^The accessory could not verify|^The accessory's answer in step/],
  ['here', /is paired here already/],
  ['paused', /^The home is paused/],
  ['unseen', /^No accessory .* has been seen/],
] as const;

export type PairingFailure = (typeof SENTENCES)[number][0] | 'tooMany';

/** @returns `undefined`: the relay's own sentence says it best. */
export function pairingFailure(error: unknown): PairingFailure | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'rate_limited') return 'tooMany';
  return SENTENCES.find(([, beginning]) => beginning.test(error.message))?.[0];
}
