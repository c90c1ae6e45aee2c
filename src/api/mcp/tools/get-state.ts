import { z } from 'zod';
import { StateFilters, StateTree } from '../../../contract/state.ts';
import type { Home } from '../../../home/model.ts';
import { presentSecond } from '../../present/time.ts';
import { presentTree, summarize } from '../../state/present-state.ts';
import { selectState } from '../../state/select-state.ts';
import { type McpTool, READS, type ToolContext } from './mcp-tool.ts';
import { describePlaces, homesOf } from './places.ts';

const DESCRIPTION = `Reads the state of accessories, as a tree: home key > room key > accessory key > properties.
"_settable" lists what set_state may write to an accessory; "_scenes" lists the scenes of a home. Temperatures are in °C.
Filters match a part of a name or key; leave them all out for everything. In large homes, filter.`;

const FILTERS = StateFilters.keyof().options;

type Filters = {
  readonly [Name in keyof typeof StateFilters.shape as `filter_by_${Name}`]: z.ZodOptional<z.ZodString>;
};

const input = z.strictObject(
  Object.fromEntries(FILTERS.map((name) => [`filter_by_${name}`, StateFilters.shape[name]])) as unknown as Filters,
);

const output = StateTree.catchall(
  z.record(z.string(), z.unknown()).describe('A home: its rooms by key, and "_scenes"'),
).meta({ id: 'GetState' });

/** The tree of GET /rest/state. */
export const getState: McpTool<typeof input, typeof output> = {
  name: 'get_state',
  title: 'Get state',
  description: (context) => `${DESCRIPTION}\n${describePlaces(context)}`,
  needs: 'view',
  annotations: READS,
  input,
  output,
  run(context, wanted) {
    const filters = FILTERS.flatMap((name) => {
      const text = wanted[`filter_by_${name}`]?.trim().toLowerCase();
      return text ? [[name, text]] : [];
    });
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
