/** Shared by the tools for native automations: their input, output and vocabulary. */
import { z } from 'zod';
import type { Automation } from '../../../app/automations/native/automation.ts';
import type { Home } from '../../../home/model.ts';
import { HomeWords } from '../automations/home-words.ts';
import { presentForTools, type TimedHomeWords, type WireAutomation } from '../automations/native-words.ts';
import { PART } from '../automations/schemas.ts';
import { findIn } from './automation-homes.ts';
import type { ToolContext } from './mcp-tool.ts';

export const automationOutput = z.object({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  editable: z.boolean().describe('Whether the caller may change it, and MCP can express all of its trigger'),
  trigger: z
    .looseObject({ type: z.enum(['timer', 'event']) })
    .describe('As create_automation takes it; parts marked _unsupported can be kept but not made'),
  actions: z.array(PART),
  scene_id: z.string().describe('The scene that holds its actions'),
  last_fired: z.string().nullable(),
});
export const changedOutput = z.object({ home: z.string(), automation: automationOutput, message: z.string() });

export function nativeWords(context: ToolContext, home: Home): TimedHomeWords {
  const { state, clock } = context.deps;
  return { words: new HomeWords(context, home), state, now: clock.now() };
}

export function findAutomation({ caller, deps }: ToolContext, home: Home, text: string): Automation {
  const words = { noun: 'automation', plural: 'automations' };
  return findIn(deps.automations.list(caller, home.id), text, home, words);
}

/** For an automation that the caller has just changed. */
export function presentChanged(context: ToolContext, home: Home, automation: Automation): WireAutomation {
  return presentForTools(automation, nativeWords(context, home), true);
}
