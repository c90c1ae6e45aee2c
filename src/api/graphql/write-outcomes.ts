/** The outcome of each of several writes, as scenes and service groups report it. */
import type { CharacteristicOutcome } from '../../app/control/outcome.ts';
import { characteristicName } from '../../home/vocabulary/hap-names.ts';
import { builder } from './builder.ts';
import type { ActionResult } from './result.ts';

export type WriteResult = CharacteristicOutcome;

export const WriteOutcome = builder.objectRef<WriteResult>('WriteOutcome').implement({
  description: 'What became of one of several writes.',
  fields: (t) => ({
    accessoryId: t.exposeString('accessoryId', { nullable: false, description: 'The accessory that was written to.' }),
    characteristicType: t.string({
      nullable: false,
      description: 'What was written: its name in snake_case, or as the request spelled it.',
      resolve: ({ characteristicType }) => characteristicName(characteristicType),
    }),
    success: t.exposeBoolean('ok', { nullable: false, description: 'Whether the device confirmed it.' }),
    value: t.field({
      type: 'JSON',
      description: 'The value that the device confirmed; null if it did not.',
      resolve: (outcome) => (outcome.ok ? outcome.value : null),
    }),
    error: t.string({
      description: 'Why not, as a sentence for people.',
      resolve: (outcome) => (outcome.ok ? null : outcome.message),
    }),
    code: t.string({
      description: 'Why not, as a word for machines.',
      resolve: (outcome) => (outcome.ok ? null : outcome.code),
    }),
  }),
});

/** The outcome for several writes of which some failed: the first error. `null` if none failed. */
export function firstFailure(
  outcomes: readonly WriteResult[],
  errors: readonly string[],
): Pick<ActionResult, 'error' | 'code'> {
  const failed = outcomes.find((outcome) => !outcome.ok);
  return { error: errors[0] ?? null, code: failed && !failed.ok ? failed.code : null };
}
