import { z } from 'zod';
import { StateFilters } from '../../../contract/state.ts';
import { presentForTools, WireAutomation } from '../automations/native-words.ts';
import { byHome, listMeta } from './automation-homes.ts';
import { type McpTool, READS } from './mcp-tool.ts';
import { nativeWords } from './native-automation-parts.ts';
import { describeHomes } from './places.ts';

const input = z.strictObject({ filter_by_home: StateFilters.shape.home });
const output = z.object({ _meta: listMeta }).catchall(z.array(WireAutomation).describe('The automations of a home'));

export const getAutomations: McpTool<typeof input, typeof output> = {
  name: 'get_automations',
  title: 'Get automations',
  description: (context) =>
    `Lists the automations of homes by key: a trigger (a timer, or events with conditions) and what is set on accessories then. For automations with waits, notifications, scenes or modes see get_flows.\n${describeHomes(context)}`,
  needs: 'view',
  annotations: READS,
  input,
  output,
  run(context, { filter_by_home }) {
    const { caller, deps } = context;
    return byHome(context, filter_by_home, 'automation', (home, mayChange) => {
      const around = nativeWords(context, home);
      return deps.automations.list(caller, home.id).map((one) => presentForTools(one, around, mayChange));
    });
  },
};
