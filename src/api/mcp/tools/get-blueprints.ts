import { z } from 'zod';
import { presentBlueprint } from './blueprint-inputs.ts';
import { type McpTool, READS } from './mcp-tool.ts';
import { describeHomes, findHome, homeName, keyOf } from './places.ts';

const input = z.strictObject({ home: homeName });
const output = z.object({ home: z.string(), blueprints: z.array(z.unknown()) });

export const getBlueprints: McpTool<typeof input, typeof output> = {
  name: 'get_blueprints',
  title: 'Get blueprints',
  description: (context) =>
    `Lists proven automations that only need accessories and values: motion light, water leak, laundry done and others. Prefer them to create_flow where one fits.\n${describeHomes(context)}`,
  needs: 'view',
  annotations: READS,
  input,
  output,
  run(context, { home: homeText }) {
    const home = findHome(context, homeText);
    const offered = context.deps.blueprints.list(context.caller, home.id);
    return { home: keyOf(home), blueprints: offered.map((one) => presentBlueprint(context, home, one)) };
  },
};
