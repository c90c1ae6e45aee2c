/**
 * A furnished home with what automations are about, and the tools over it: called as a client calls them, without the
 * transport.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { WireFlow } from '../../../../src/api/mcp/automations/flow-words.ts';
import { HomeWords } from '../../../../src/api/mcp/automations/home-words.ts';
import type { WireAutomation } from '../../../../src/api/mcp/automations/native-words.ts';
import { callTool, findTool } from '../../../../src/api/mcp/tool-calls.ts';
import type { ToolContext } from '../../../../src/api/mcp/tools/mcp-tool.ts';
import type { Caller, HomePermissions } from '../../../../src/app/access/caller.ts';
import { createAutomationHome } from '../../../support/automation-home.ts';
import { plainSwitch } from '../../../support/sample-accessories.ts';
import { callerOf, systemCaller } from '../../../support/test-home.ts';

export type ToolFixture = ReturnType<typeof createToolFixture>;

/** What the tools for automations answer, each its own part of it. */
export interface Answer {
  readonly home: string;
  readonly flow: WireFlow;
  readonly automation: WireAutomation;
  readonly message: string;
  readonly [field: string]: unknown;
}

export interface Refusal {
  readonly sentence: string;
  readonly code: string;
  readonly field: string | undefined;
}

export function createToolFixture() {
  const home = createAutomationHome({ sample: true });
  const homeId = home.home.id;
  const id = (name: string): string => home.named(name).id;
  const group = home.serviceGroups.create(systemCaller, {
    homeId,
    name: 'Counter',
    accessoryIds: [id('Heater'), id('Kettle')],
  });
  const scene = home.scenes.create(systemCaller, {
    homeId,
    name: 'Movie',
    actions: [{ accessoryId: id('Lamp'), characteristicType: 'on', targetValue: true }],
  });
  const make = (fields: Readonly<Record<string, unknown>> & { name: string; type: string }) =>
    home.virtuals.create(systemCaller, { homeId, ...fields });
  make({ name: 'Visits', type: 'counter', max: 10 });
  make({ name: 'Mode', type: 'input_select', options: ['day', 'night'] });
  make({ name: 'Oven', type: 'timer', duration: 60 });
  make({ name: 'Guests', type: 'input_boolean' });
  const person = home.people.create(systemCaller, { homeId, name: 'Ada' });
  const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
  home.driver.attach(cabin.id, {
    deviceId: '20:00:00:00:00:01',
    name: 'Stove',
    setupCode: '031-45-160',
    accessories: [plainSwitch('Stove')],
  });

  const contextOf = (caller: Caller): ToolContext => ({ caller, deps: home, signal: new AbortController().signal });
  const unexpected: unknown[] = [];

  async function ask(name: string, args: unknown, caller: Caller = systemCaller): Promise<CallToolResult> {
    return callTool(contextOf(caller), { name, input: args }, (error) => unexpected.push(error));
  }

  return {
    ...home,
    homeId,
    cabin,
    id,
    group,
    scene,
    person,
    unexpected,
    ask,
    contextOf,
    words: () => new HomeWords(contextOf(systemCaller), home.home),

    /** A token that may do no more than this. */
    tokenFor: (homePermissions: HomePermissions): Caller =>
      callerOf({ kind: 'access_token', tokenId: 'token', homePermissions, makerId: null }),

    /** What a tool answers, which its schema describes. @throws where it refuses */
    async call(name: string, args: object, caller?: Caller): Promise<Answer> {
      const result = await ask(name, args, caller);
      if (result.isError) throw new Error(`${name} refused: ${JSON.stringify(result.content)}`);
      findTool(name)?.output.parse(result.structuredContent);
      return result.structuredContent as unknown as Answer;
    },

    /** What a tool refuses with. */
    async refusal(name: string, args: object, caller?: Caller): Promise<Refusal> {
      const result = await ask(name, args, caller);
      if (!result.isError) throw new Error(`${name} did not refuse: ${JSON.stringify(result.structuredContent)}`);
      const [content] = result.content;
      const { error, message, code, field } = JSON.parse(content?.type === 'text' ? content.text : '{}');
      return { sentence: message ?? error, code, field };
    },
  };
}
