import { z } from 'zod';
import { readAutomation } from '../automations/read-automation.ts';
import { PART } from '../automations/schemas.ts';
import { CHANGES, type McpTool } from './mcp-tool.ts';
import { changedOutput, findAutomation, nativeWords, presentChanged } from './native-automation-parts.ts';
import { describeHomes, findHome, homeName, keyOf } from './places.ts';

const input = z.strictObject({
  home: homeName,
  id: z.string().describe('Id or name of the automation'),
  name: z.string().optional().describe('Must end with a letter or a number'),
  trigger: PART.optional().describe('As create_automation takes it'),
  actions: z.array(PART).optional().describe('As create_automation takes them'),
  enabled: z.boolean().optional(),
});

export const updateAutomation: McpTool<typeof input, typeof changedOutput> = {
  name: 'update_automation',
  title: 'Change an automation',
  description: (context) =>
    `Changes what is given of an automation of get_automations: a new trigger or new actions take the place of all that it has; the rest stays. Send parts marked _unsupported back as they were shown.\n${describeHomes(context)}`,
  needs: 'manage',
  annotations: CHANGES,
  input,
  output: changedOutput,
  run(context, { home: homeText, id, name, trigger, actions, enabled }) {
    const { caller, deps } = context;
    const home = findHome(context, homeText);
    const current = findAutomation(context, home, id);
    deps.access.authorizeHome(caller, 'manage', home);
    const changes = { name, enabled };
    const isAnything = [name, trigger, actions, enabled].some((given) => given !== undefined);
    const automation = readAutomation({ trigger, actions }, nativeWords(context, home), current, (record) => {
      const isNothingNew =
        isAnything && [name, enabled, record.trigger, record.actions].every((one) => one === undefined);
      // A part that is sent back as it was shown changes nothing.
      return isNothingNew ? current : deps.automations.update(caller, current.id, { ...changes, ...record });
    });
    const message = `Changed the automation "${automation.name}"`;
    return { home: keyOf(home), automation: presentChanged(context, home, automation), message };
  },
};
