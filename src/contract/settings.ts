/** What clients keep for a user (wire-facts §10.5): an object that they define, except `developerMode`. */
import { z } from 'zod';
import { checked, flag } from './fields.ts';
import { invalidValue, type Output } from './parse.ts';

/** Enough for the layouts of many screens. */
const MAX_BYTES = 65_536;

/** More than any layout has: serializing recurses as deep as the value. */
const MAX_DEPTH = 32;

const OBJECT = { error: invalidValue('give an object') };

const DEVELOPER_MODE = flag('Whether sessions may manage access tokens and webhooks.', true);

export const Settings = z.looseObject({ developerMode: DEVELOPER_MODE }, OBJECT).partial();
export type Settings = Output<typeof Settings>;

export const SettingsChanges = checked(
  z
    .looseObject({ developerMode: z.unknown().meta({ ...DEVELOPER_MODE.meta(), type: ['boolean', 'null'] }) }, OBJECT)
    .partial()
    .describe('Replaces the keys that are given; `null` takes one away. All together 64 KiB at most.'),
  ({ developerMode = null }) =>
    developerMode === null || typeof developerMode === 'boolean' ? null : 'give developerMode as true or false',
);

/** As the operation parses it. */
export const SettingsInput = z.object({ data: SettingsChanges });

/** What is stored after a change. */
export const StoredSettings = z.object({
  data: checked(Settings, (settings) => {
    if (isDeeper(settings, MAX_DEPTH)) return `give at most ${MAX_DEPTH} objects and lists inside each other`;
    return Buffer.byteLength(JSON.stringify(settings)) > MAX_BYTES ? `give at most ${MAX_BYTES} bytes of JSON` : null;
  }),
});

/** Stops at that depth, so that deep input can't overflow the stack. */
function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}
