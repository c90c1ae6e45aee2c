/** Shared by the tools for native automations: their input, output and vocabulary. */
import { z } from 'zod';
import type { Automation } from '../../../app/automations/native/automation.ts';
import type { Home } from '../../../home/model.ts';
import { HomeWords } from '../automations/home-words.ts';
import { presentForTools, type TimedHomeWords, WireAutomation } from '../automations/native-words.ts';
import { findIn } from './automation-homes.ts';
import type { ToolContext } from './mcp-tool.ts';

export const changedOutput = z.object({ home: z.string(), automation: WireAutomation, message: z.string() });

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
