import { z } from 'zod';
import { withIds } from './blueprint-inputs.ts';
import { ADDS, type McpTool } from './mcp-tool.ts';
import { describeHomes, findHome, homeName, keyOf } from './places.ts';

const input = z.strictObject({
  home: homeName,
  blueprint: z.string().describe('The id of one, from get_blueprints'),
  inputs: z
    .record(z.string(), z.unknown())
    .describe('Values by the ids of inputs: keys of accessories, people …; a list where it takes several'),
  name: z.string().optional().describe('Of the automation; the blueprint’s if left out'),
});
const output = z.object({ home: z.string(), id: z.string(), name: z.string(), message: z.string() });

export const applyBlueprint: McpTool<typeof input, typeof output> = {
  name: 'apply_blueprint',
  title: 'Apply a blueprint',
  description: (context) =>
    `Creates a flow from a blueprint that get_blueprints lists. A duration is {hours, minutes, seconds}, a time HH:MM, weekdays 0 (Sunday) to 6.\n${describeHomes(context)}`,
  needs: 'manage',
  annotations: ADDS,
  input,
  output,
  async run(context, { home: homeText, blueprint: blueprintId, inputs, name }) {
    const { caller, deps } = context;
    const home = findHome(context, homeText);
    deps.access.authorizeHome(caller, 'manage', home);
    const { blueprint } = deps.blueprints.get(caller, home.id, blueprintId);
    const flow = await deps.blueprints.apply(caller, {
      homeId: home.id,
      blueprintId,
      inputs: withIds(context, home, blueprint.inputs, inputs),
      ...(name !== undefined && { name }),
    });
    return { home: keyOf(home), id: flow.id, name: flow.name, message: `Created the flow "${flow.name}"` };
  },
};
