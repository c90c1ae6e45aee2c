import { z } from 'zod';
import type { Home } from '../../../home/model.ts';
import { presentSecond } from '../../present/time.ts';
import { presentTree, summarize } from '../../state/present-state.ts';
import { type StateFilters, selectState } from '../../state/select-state.ts';
import { type McpTool, READS, type ToolContext } from './mcp-tool.ts';
import { describePlaces, homesOf } from './places.ts';

const DESCRIPTION = `Reads the state of accessories, as a tree: home key > room key > accessory key > properties.
"_settable" lists what set_state may write to an accessory; "_scenes" lists the scenes of a home. Temperatures are in °C.
Filters match a part of a name or key; leave them all out for everything. In large homes, filter.`;

const input = z.strictObject({
  filter_by_home: z.string().optional().describe('Part of a home’s name or key'),
  filter_by_room: z.string().optional().describe('Part of a room’s name or key'),
  filter_by_type: z
    .string()
    .optional()
    .describe(
      'A type: light, switch, outlet, climate, lock, alarm, fan, blind, valve, speaker, motion, contact, temperature, light_sensor, camera, doorbell, button, or a virtual one such as input_number',
    ),
  filter_by_name: z.string().optional().describe('Part of an accessory’s name or key'),
});

const output = z
  .object({
    _homes: z.record(z.string(), z.string()).describe('The id of each home, by its key'),
    _meta: z.object({ fetched_at: z.string(), message: z.string() }),
  })
  .catchall(z.record(z.string(), z.unknown()).describe('A home: its rooms by key, and "_scenes"'));

/** The tree of GET /rest/state. */
export const getState: McpTool<typeof input, typeof output> = {
  name: 'get_state',
  title: 'Get state',
  description: (context) => `${DESCRIPTION}\n${describePlaces(context)}`,
  needs: 'view',
  annotations: READS,
  input,
  output,
  run(context, { filter_by_home, filter_by_room, filter_by_type, filter_by_name }) {
    const filters = Object.entries({
      home: filter_by_home,
      room: filter_by_room,
      type: filter_by_type,
      name: filter_by_name,
    }).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim().toLowerCase()]] : []));
    return readState(context, homesOf(context), Object.fromEntries(filters));
  },
};

/** Applies the filters to `homes`, which the caller may see. */
export function readState(context: ToolContext, homes: readonly Home[], filters: StateFilters): object {
  const { caller, deps } = context;
  const selected = selectState(deps, caller, homes, filters);
  return {
    ...presentTree(deps, selected, homes),
    _meta: { fetched_at: presentSecond(deps.clock.now()), message: summarize(selected, homes, filters) },
  };
}
