import { z } from 'zod';
import { readAutomation } from '../automations/read-automation.ts';
import { NATIVE_ACTION, NATIVE_TRIGGER } from '../automations/schemas.ts';
import { ADDS, type McpTool } from './mcp-tool.ts';
import { changedOutput, nativeWords, presentChanged } from './native-automation-parts.ts';
import { describeHomes, findHome, homeName, keyOf } from './places.ts';

const input = z.strictObject({
  home: homeName,
  name: z.string().describe('Must end with a letter or a number'),
  trigger: NATIVE_TRIGGER,
  actions: z.array(NATIVE_ACTION),
});

export const createAutomation: McpTool<typeof input, typeof changedOutput> = {
  name: 'create_automation',
  title: 'Create an automation',
  description: (context) =>
    `Makes an automation, enabled at once: when its trigger fires, its actions are set. For waits, notifications, scenes, webhooks or modes use create_flow.\n${describeHomes(context)}`,
  needs: 'manage',
  annotations: ADDS,
  input,
  output: changedOutput,
  run(context, { home: homeText, name, trigger, actions }) {
    const { caller, deps } = context;
    const home = findHome(context, homeText);
    deps.access.authorizeHome(caller, 'manage', home);
    const automation = readAutomation({ trigger, actions }, nativeWords(context, home), undefined, (record) =>
      deps.automations.create(caller, { homeId: home.id, name, trigger: record.trigger, actions: record.actions }),
    );
    const message = `Created the automation "${automation.name}"`;
    return { home: keyOf(home), automation: presentChanged(context, home, automation), message };
  },
};
