import { z } from 'zod';
import { insufficientPermissions } from '../../../app/access/authorize.ts';
import type { TargetOutcome } from '../../../app/groups/service-groups.ts';
import { SettableProperties } from '../../../contract/settable-properties.ts';
import { StateReport } from '../../../contract/state.ts';
import type { Accessory } from '../../../home/model.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { StateTarget } from '../../state/parse-write.ts';
import { reportStateWrite } from '../../state/write-report.ts';
import { CHANGES, type McpTool, type ToolContext } from './mcp-tool.ts';
import {
  accessoriesIn,
  Directory,
  describePlaces,
  findHome,
  findRoom,
  homeName,
  keyOf,
  pickAccessory,
} from './places.ts';

const DESCRIPTION = `Sets properties of accessories and service groups, and waits for the devices. Each update names one by home, room and accessory, with the keys of get_state, and contains what to set; "_settable" of get_state lists what it takes.
"errors" lists failed updates; the others are done.`;

/** The maximum of one call: as many as the accessories of any home. */
const MAX_UPDATES = 500;

/** The maximum of errors that list alternatives; the errors of a completely wrong call must not take a megabyte. */
const MAX_EXPLAINED = 20;

const update = z
  .object({
    home: homeName,
    room: z.string().describe('Key of the room'),
    accessory: z.string().describe('Key of the accessory or service group'),
    ...SettableProperties.shape,
  })
  .catchall(z.union([z.boolean(), z.number(), z.string()]).describe('Any other property of _settable, such as on_2'));

const input = z.strictObject({ updates: z.array(update).max(MAX_UPDATES) });

const output = StateReport.omit({ success: true }).meta({ id: 'SetStateReport' });

type Update = z.output<typeof update>;

/** POST /rest/state by names (wire-facts §2.7). */
export const setState: McpTool<typeof input, typeof output> = {
  name: 'set_state',
  title: 'Set state',
  description: (context) => `${DESCRIPTION}\n${describePlaces(context)}`,
  needs: 'control',
  annotations: CHANGES,
  input,
  output,
  async run(context, { updates }) {
    const { caller, deps } = context;
    if (updates.length === 0) {
      return { updated: 0, failed: 0, changes: [], errors: [], message: 'No updates provided' };
    }
    const write = readUpdates(context, updates);
    const homeIds = [...write.homeIds];
    if (homeIds.length > 0 && !homeIds.some((id) => deps.access.mayIn(caller, 'control', id))) {
      throw insufficientPermissions();
    }
    const outcomes = await deps.serviceGroups.setProperties(caller, write.targets);
    return { ...reportStateWrite({ ...write, withSuccess: false }, outcomes), message: sentenceOf(write, outcomes) };
  },
  failed: (result) => 'updated' in result && result.updated === 0 && 'failed' in result && result.failed !== 0,
};

interface Write {
  readonly targets: readonly StateTarget[];
  readonly errors: readonly string[];
  readonly homeIds: ReadonlySet<string>;
}

/** An unknown name becomes a line of the report; the other updates go on. */
function readUpdates(context: ToolContext, updates: readonly Update[]): Write {
  const targets: StateTarget[] = [];
  const errors: string[] = [];
  const homeIds = new Set<string>();
  const byRoom = new Map<string, Directory<Accessory>>();
  for (const { home: homeName, room: roomName, accessory: accessoryName, ...settings } of updates) {
    const path = [homeName, roomName, accessoryName].map((name) => shorten(name)).join('/');
    try {
      const home = findHome(context, homeName);
      homeIds.add(home.id);
      const room = findRoom(context, home, roomName);
      const inRoom = byRoom.get(room.id) ?? new Directory(accessoriesIn(context, { home, room, groups: true }));
      byRoom.set(room.id, inRoom);
      if (errors.length >= MAX_EXPLAINED && inRoom.matching(accessoryName).length === 0) {
        errors.push(`${path}: not found`);
        continue;
      }
      const accessory = pickAccessory(inRoom, { home, room }, accessoryName);
      if (Object.keys(settings).length === 0) errors.push(`${path}: add what to set`);
      else targets.push({ path: [home, room, accessory].map(keyOf).join('/'), accessoryId: accessory.id, settings });
    } catch (error) {
      if (!(error instanceof HearthError)) throw error;
      errors.push(`${path}: ${error.message}`);
    }
  }
  return { targets, errors, homeIds };
}

function sentenceOf({ errors }: Write, outcomes: readonly TargetOutcome[]): string {
  const updated = outcomes.filter(({ settings }) => settings.some(({ ok }) => ok)).length;
  const failed = errors.length + outcomes.filter(({ settings }) => settings.some(({ ok }) => !ok)).length;
  if (updated === 0) return `All ${failed} updates failed`;
  const done = `Updated ${updated} ${updated === 1 ? 'accessory' : 'accessories'}`;
  return failed === 0 ? done : `${done}, ${failed} failed`;
}
