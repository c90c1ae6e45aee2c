// biome-ignore-all lint/suspicious/noThenProperty: the record's name (wire-facts §6.2) for a list, never awaited
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTION_TYPES } from '../../../../src/app/automations/actions/index.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { createFlowFixture, type FlowFixture, faultOf, NATIVE_ID, UNKNOWN_ID } from './flow-fixture.ts';

let fixture: FlowFixture;
let scriptId: string;
beforeAll(() => {
  fixture = createFlowFixture();
  scriptId = fixture.save({ name: 'Script' }).id;
});
afterAll(() => fixture.close());

type Fields = Readonly<Record<string, unknown>>;

const STOP = { type: 'stop', id: 'end' };
const STOPPED = { id: 'end', type: 'stop', enabled: true, onError: 'stop', error: false };
const YES = { operator: 'and', conditions: [{ type: 'template', expression: 'true' }] };

function parse(action: Fields): Fields {
  const [parsed] = fixture.parse({ actions: [action] }).definition.actions;
  return parsed as unknown as Fields;
}

const TAKEN: readonly (readonly [string, () => Fields, () => Fields])[] = [
  [
    'set_characteristic with a word',
    () => ({
      type: 'set_characteristic',
      accessoryId: fixture.id('Thermostat'),
      characteristicType: 'hvac_mode',
      value: 'cool',
    }),
    () => ({
      type: 'set_characteristic',
      accessoryId: fixture.id('Thermostat'),
      characteristicType: 'heating_cooling_target',
      value: 2,
    }),
  ],
  [
    'set_characteristic, snapped to the step',
    () => ({
      type: 'set_characteristic',
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'public.hap.characteristic.brightness',
      value: '40.4',
    }),
    () => ({
      type: 'set_characteristic',
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'brightness',
      value: 40,
    }),
  ],
  [
    'set_characteristic with a template',
    () => ({
      type: 'set_characteristic',
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'on',
      value: '{{ trigger.to_value }}',
    }),
    () => ({
      type: 'set_characteristic',
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'power_state',
      value: '{{ trigger.to_value }}',
    }),
  ],
  [
    'set_characteristic with a template in the words of a property',
    () => ({
      type: 'set_characteristic',
      accessoryId: fixture.id('Thermostat'),
      characteristicType: 'hvac-mode',
      value: '{{ "heat" }}',
    }),
    () => ({
      type: 'set_characteristic',
      accessoryId: fixture.id('Thermostat'),
      characteristicType: 'hvac_mode',
      value: '{{ "heat" }}',
    }),
  ],
  [
    'set_service_group',
    () => ({
      type: 'set_service_group',
      groupId: fixture.group.id.toUpperCase(),
      homeId: fixture.homeId,
      characteristicType: 'on',
      value: 'off',
    }),
    () => ({ type: 'set_service_group', groupId: fixture.group.id, characteristicType: 'power_state', value: false }),
  ],
  [
    'execute_scene',
    () => ({ type: 'execute_scene', sceneId: fixture.scene.id.toUpperCase() }),
    () => ({ type: 'execute_scene', sceneId: fixture.scene.id }),
  ],
  [
    'delay, partly by an expression',
    () => ({ type: 'delay', duration: { minutes: '{{ 2 * 3 }}', seconds: 5 } }),
    () => ({ type: 'delay', duration: { minutes: '{{ 2 * 3 }}', seconds: 5 } }),
  ],
  [
    'wait_for_trigger',
    () => ({
      type: 'wait_for_trigger',
      triggers: [{ type: 'duration', seconds: 9, id: 'nine' }],
      timeout: { hours: 1 },
    }),
    () => ({
      type: 'wait_for_trigger',
      triggers: [{ type: 'duration', seconds: 9, id: 'nine', enabled: true }],
      timeout: { hours: 1 },
      continueOnTimeout: true,
    }),
  ],
  [
    'wait_for_template',
    () => ({ type: 'wait_for_template', expression: '{{ now() != "" }}', continueOnTimeout: false }),
    () => ({ type: 'wait_for_template', expression: 'now() != ""', continueOnTimeout: false }),
  ],
  [
    'choose',
    () => ({ type: 'choose', choices: [{ alias: 'Yes', conditions: YES.conditions, actions: [] }], default: [STOP] }),
    () => ({
      type: 'choose',
      choices: [{ alias: 'Yes', conditions: YES, actions: [] }],
      default: [STOPPED],
    }),
  ],
  [
    'if_then_else',
    () => ({ type: 'if_then_else', condition: YES, then: [STOP] }),
    () => ({ type: 'if_then_else', condition: YES, then: [STOPPED], else: [] }),
  ],
  [
    'repeat, so often',
    () => ({ type: 'repeat', mode: 'count', count: 3, sequence: [STOP] }),
    () => ({ type: 'repeat', mode: 'count', count: 3, sequence: [STOPPED] }),
  ],
  [
    'repeat, while',
    () => ({ type: 'repeat', mode: 'while', whileCondition: YES, sequence: [] }),
    () => ({ type: 'repeat', mode: 'while', whileCondition: YES, sequence: [] }),
  ],
  [
    'repeat, until',
    () => ({ type: 'repeat', mode: 'until', untilCondition: YES, sequence: [] }),
    () => ({ type: 'repeat', mode: 'until', untilCondition: YES, sequence: [] }),
  ],
  [
    'repeat, for each',
    () => ({ type: 'repeat', mode: 'for_each', forEachItems: [1, { a: '{{ 1 }}' }], sequence: [] }),
    () => ({ type: 'repeat', mode: 'for_each', forEachItems: [1, { a: '{{ 1 }}' }], sequence: [] }),
  ],
  [
    'repeat, for each of a list as text',
    () => ({ type: 'repeat', mode: 'for_each', forEachItems: '["a", 2]', sequence: [] }),
    () => ({ type: 'repeat', mode: 'for_each', forEachItems: '["a", 2]', sequence: [] }),
  ],
  [
    'parallel',
    () => ({ type: 'parallel', branches: [[STOP], []] }),
    () => ({ type: 'parallel', branches: [[STOPPED], []] }),
  ],
  [
    'variables',
    () => ({ type: 'variables', variables: { a: '{{ 1 }}', b: [null] } }),
    () => ({ type: 'variables', variables: { a: '{{ 1 }}', b: [null] } }),
  ],
  [
    'stop',
    () => ({ type: 'stop', reason: 'Done at {{ now() }}', error: true, responseVariable: 'a' }),
    () => ({ type: 'stop', reason: 'Done at {{ now() }}', error: true, responseVariable: 'a' }),
  ],
  [
    'fire_event',
    () => ({ type: 'fire_event', eventType: 'house.quiet', eventData: { since: '{{ now() }}' } }),
    () => ({ type: 'fire_event', eventType: 'house.quiet', eventData: { since: '{{ now() }}' } }),
  ],
  [
    'fire_webhook',
    () => ({ type: 'fire_webhook', url: 'http://192.168.1.5/x', headers: { 'X-Key': '{{ 1 }}' }, body: { a: 1 } }),
    () => ({
      type: 'fire_webhook',
      url: 'http://192.168.1.5/x',
      method: 'POST',
      headers: { 'X-Key': '{{ 1 }}' },
      body: { a: 1 },
    }),
  ],
  [
    'toggle_automation of a flow',
    () => ({ type: 'toggle_automation', automationId: scriptId, action: 'disable' }),
    () => ({ type: 'toggle_automation', automationId: scriptId, action: 'disable' }),
  ],
  [
    'toggle_automation of a native one',
    () => ({ type: 'toggle_automation', automationId: NATIVE_ID.toUpperCase(), action: 'trigger' }),
    () => ({ type: 'toggle_automation', automationId: NATIVE_ID, action: 'trigger' }),
  ],
  [
    'call_script',
    () => ({ type: 'call_script', scriptId, variables: { a: '{{ 1 }}' }, responseVariable: 'answer' }),
    () => ({ type: 'call_script', scriptId, variables: { a: '{{ 1 }}' }, responseVariable: 'answer' }),
  ],
  [
    'notify',
    () => ({ type: 'notify', message: 'It is {{ now() }}', title: 'Time', icon: 'clock', data: { a: ['{{ 1 }}'] } }),
    () => ({ type: 'notify', message: 'It is {{ now() }}', title: 'Time', icon: 'clock', data: { a: ['{{ 1 }}'] } }),
  ],
  [
    'notify with buttons, their titles trimmed',
    () => ({ type: 'notify', message: 'Open', tag: ' garage ', buttons: [{ id: 'close', title: ' Close garage ' }] }),
    () => ({ type: 'notify', message: 'Open', buttons: [{ id: 'close', title: 'Close garage' }], tag: 'garage' }),
  ],
  [
    'merge',
    () => ({ type: 'merge', id: 'all', mode: 'combine', combineKey: 'id', inputIds: ['all', 'all'] }),
    () => ({ type: 'merge', mode: 'combine', combineKey: 'id', inputIds: ['all'] }),
  ],
  [
    'virtual',
    () => ({ type: 'virtual', accessoryId: fixture.counter.id, operation: 'set', value: '7' }),
    () => ({ type: 'virtual', accessoryId: fixture.counter.id, operation: 'set', value: 7 }),
  ],
  [
    'virtual with a step by an expression',
    () => ({ type: 'virtual', accessoryId: fixture.counter.id, operation: 'increment', step: '{{ 1 + 1 }}' }),
    () => ({ type: 'virtual', accessoryId: fixture.counter.id, operation: 'increment', step: '{{ 1 + 1 }}' }),
  ],
  // The palette's words (wire-facts §6.3).
  [
    'set_device of an accessory',
    () => ({ type: 'set_device', accessoryId: fixture.id('Lamp'), characteristicType: 'on', value: 1 }),
    () => ({
      type: 'set_characteristic',
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'power_state',
      value: true,
    }),
  ],
  [
    'set_device of a group',
    () => ({ type: 'set_device', serviceGroupId: fixture.group.id, characteristicType: 'on', value: 1 }),
    () => ({ type: 'set_service_group', groupId: fixture.group.id, characteristicType: 'power_state', value: true }),
  ],
  [
    'run_scene',
    () => ({ type: 'run_scene', sceneId: fixture.scene.id }),
    () => ({ type: 'execute_scene', sceneId: fixture.scene.id }),
  ],
  [
    'delay in parts',
    () => ({ type: 'delay', hours: 0, minutes: 1, seconds: 30 }),
    () => ({ type: 'delay', duration: { hours: 0, minutes: 1, seconds: 30 } }),
  ],
  [
    'delay of nothing',
    () => ({ type: 'delay', hours: 0, minutes: 0, seconds: 0 }),
    () => ({ type: 'delay', duration: { hours: 0, minutes: 0, seconds: 0 } }),
  ],
  [
    'http_request',
    () => ({ type: 'http_request', url: 'https://example.org/{{ 1 }}' }),
    () => ({ type: 'fire_webhook', url: 'https://example.org/{{ 1 }}', method: 'GET' }),
  ],
  [
    'if with rows',
    () => ({
      type: 'if',
      join: 'or',
      rows: [
        { accessoryId: fixture.id('Lamp'), characteristicType: 'brightness', operator: 'above', threshold: 40 },
        { accessoryId: fixture.id('Lamp'), characteristicType: 'on', operator: 'neq', value: true },
      ],
      then: [STOP],
    }),
    () => ({
      type: 'if_then_else',
      condition: {
        operator: 'or',
        conditions: [
          { type: 'numeric_state', accessoryId: fixture.id('Lamp'), characteristicType: 'brightness', above: 40 },
          {
            type: 'state',
            accessoryId: fixture.id('Lamp'),
            characteristicType: 'power_state',
            value: true,
            operator: 'neq',
          },
        ],
      },
      then: [STOPPED],
      else: [],
    }),
  ],
  [
    'if with an expression',
    () => ({ type: 'if', expression: '{{ true }}' }),
    () => ({ type: 'if_then_else', condition: YES, then: [], else: [] }),
  ],
  [
    'wait for an expression',
    () => ({ type: 'wait', expression: 'true', timeoutSeconds: 30, continueOnTimeout: false }),
    () => ({ type: 'wait_for_template', expression: 'true', timeout: { seconds: 30 }, continueOnTimeout: false }),
  ],
  [
    'wait for a trigger',
    () => ({ type: 'wait', triggers: [{ type: 'event', id: 'tap', eventType: 'notification_action' }] }),
    () => ({
      type: 'wait_for_trigger',
      triggers: [{ id: 'tap', type: 'event', enabled: true, eventType: 'notification_action' }],
      continueOnTimeout: true,
    }),
  ],
  ['sub_workflow', () => ({ type: 'sub_workflow', automationId: scriptId }), () => ({ type: 'call_script', scriptId })],
  [
    'merge with mergeMode',
    () => ({ type: 'merge', id: 'm', mergeMode: 'wait_all', inputIds: ['m'] }),
    () => ({ type: 'merge', mode: 'wait_all', inputIds: ['m'] }),
  ],
];

const REFUSED: readonly (readonly [string, () => Fields, string, string, RegExp])[] = [
  ['an unknown type', () => ({ type: 'set_caracteristic' }), 'type', 'invalid_value', /set_characteristic/],
  ['code', () => ({ type: 'code', code: '1' }), 'type', 'invalid_value', /do not exist here.*expressions/],
  ['a note', () => ({ type: 'sticky_note', text: 'x' }), 'type', 'invalid_value', /uiState/],
  ['an unknown field', () => ({ type: 'stop', reson: 'x' }), 'reson', 'invalid_request', /"reason"/],
  [
    'a prototype',
    () => JSON.parse('{"type": "stop", "__proto__": {"a": 1}}'),
    '__proto__',
    'invalid_request',
    /Unknown/,
  ],
  ['an unknown policy', () => ({ type: 'stop', onError: 'ignore' }), 'onError', 'invalid_value', /continue/],
  ['half a retry', () => ({ type: 'stop', maxRetries: 0.5 }), 'maxRetries', 'invalid_value', /whole/],
  ['a long pause', () => ({ type: 'stop', retryDelayMs: 30_001 }), 'retryDelayMs', 'invalid_value', /30000/],
  [
    'a long delay',
    () => ({ type: 'delay', duration: { hours: 24, seconds: 1 } }),
    'duration',
    'invalid_value',
    /24 hours/,
  ],
  ['no delay', () => ({ type: 'delay' }), 'duration', 'invalid_request', /missing/],
  ['a delay of something', () => ({ type: 'delay', duration: 'soon' }), 'duration', 'invalid_value', /\{\{/],
  [
    'a read-only characteristic',
    () => ({
      type: 'set_characteristic',
      accessoryId: fixture.id('Motion'),
      characteristicType: 'motion',
      value: true,
    }),
    'characteristicType',
    'characteristic_not_writable',
    /read only/,
  ],
  [
    'the same by a template',
    () => ({
      type: 'set_characteristic',
      accessoryId: fixture.id('Motion'),
      characteristicType: 'motion',
      value: '{{ 1 }}',
    }),
    'characteristicType',
    'characteristic_not_writable',
    /read only/,
  ],
  [
    'a value out of range',
    () => ({
      type: 'set_characteristic',
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'brightness',
      value: 101,
    }),
    'value',
    'invalid_value',
    /100/,
  ],
  [
    'a value of a group out of range',
    () => ({ type: 'set_service_group', groupId: fixture.group.id, characteristicType: 'on', value: 'maybe' }),
    'value',
    'invalid_value',
    /true or false/,
  ],
  [
    'a template with a fault',
    () => ({
      type: 'set_characteristic',
      accessoryId: fixture.id('Lamp'),
      characteristicType: 'on',
      value: '{{ 1 + }}',
    }),
    'value',
    'invalid_value',
    /line 1/,
  ],
  [
    'a template with a fault deep down',
    () => ({ type: 'notify', message: 'x', data: { a: [0, '{{ nosuch(1) }}'] } }),
    'data.a[1]',
    'invalid_value',
    /nosuch/,
  ],
  [
    "another home's accessory",
    () => ({ type: 'set_characteristic', accessoryId: fixture.id('Stove'), characteristicType: 'on', value: true }),
    'accessoryId',
    'accessory_not_found',
    /not found/,
  ],
  [
    'a scene that is not there',
    () => ({ type: 'execute_scene', sceneId: UNKNOWN_ID }),
    'sceneId',
    'scene_not_found',
    /Scene/,
  ],
  [
    'a scene elsewhere',
    () => ({ type: 'execute_scene', sceneId: fixture.scene.id, homeId: fixture.otherHome.id }),
    'homeId',
    'home_not_found',
    /Home not found/,
  ],
  ['no flow', () => ({ type: 'call_script', scriptId: UNKNOWN_ID }), 'scriptId', 'automation_not_found', /Automation/],
  [
    'a native automation as a script',
    () => ({ type: 'call_script', scriptId: NATIVE_ID }),
    'scriptId',
    'automation_not_found',
    /Automation/,
  ],
  [
    'an operation that the kind has not',
    () => ({ type: 'virtual', accessoryId: fixture.counter.id, operation: 'start' }),
    'operation',
    'invalid_value',
    /increment/,
  ],
  [
    'an operation on a device',
    () => ({ type: 'virtual', accessoryId: fixture.id('Lamp'), operation: 'toggle' }),
    'accessoryId',
    'invalid_value',
    /no virtual/,
  ],
  [
    'a value that a virtual accessory does not take',
    () => ({ type: 'virtual', accessoryId: fixture.counter.id, operation: 'set', value: 11 }),
    'value',
    'invalid_value',
    /10/,
  ],
  [
    'a value that a virtual accessory which people may only read does not take either',
    () => {
      const { id } = fixture.virtuals.create(systemCaller, {
        homeId: fixture.homeId,
        name: 'Tank',
        type: 'counter',
        max: 10,
        controllable: false,
      });
      return { type: 'virtual', accessoryId: id, operation: 'set', value: 11 };
    },
    'value',
    'invalid_value',
    /10/,
  ],
  [
    'a wait for nothing',
    () => ({ type: 'wait_for_trigger', triggers: [] }),
    'triggers',
    'invalid_value',
    /at least one/,
  ],
  [
    'a bad trigger in a wait',
    () => ({ type: 'wait_for_trigger', triggers: [{ type: 'time', at: 'noon' }] }),
    'triggers[0].at',
    'invalid_value',
    /noon/,
  ],
  ['no choice', () => ({ type: 'choose', choices: [] }), 'choices', 'invalid_value', /at least one/],
  [
    'a bad action in a branch',
    () => ({ type: 'choose', choices: [{ actions: [{ type: 'delay', duration: { seconds: -1 } }] }] }),
    'choices[0].actions[0].duration.seconds',
    'invalid_value',
    /at least 0/,
  ],
  ['an if without a condition', () => ({ type: 'if_then_else', then: [] }), 'condition', 'invalid_request', /missing/],
  [
    'too many rounds',
    () => ({ type: 'repeat', mode: 'count', count: 1_001, sequence: [] }),
    'count',
    'invalid_value',
    /1000/,
  ],
  ['a repeat of no kind', () => ({ type: 'repeat', count: 3 }), 'mode', 'invalid_request', /for_each/],
  [
    'a field of another mode',
    () => ({ type: 'repeat', mode: 'count', count: 3, whileCondition: YES }),
    'whileCondition',
    'invalid_request',
    /Unknown/,
  ],
  [
    'items that are none',
    () => ({ type: 'repeat', mode: 'for_each', forEachItems: 'a,b' }),
    'forEachItems',
    'invalid_value',
    /list/,
  ],
  ['a branch that is none', () => ({ type: 'parallel', branches: [{}] }), 'branches[0]', 'invalid_value', /list/],
  ['a bad name', () => ({ type: 'variables', variables: { '1st': 1 } }), 'variables.1st', 'invalid_value', /digit/],
  [
    'a taken name',
    () => ({ type: 'variables', variables: { trigger: 1 } }),
    'variables.trigger',
    'invalid_value',
    /nothing else/,
  ],
  ['a file', () => ({ type: 'fire_webhook', url: 'file:///etc/passwd' }), 'url', 'invalid_value', /http/],
  [
    'a header of our own',
    () => ({ type: 'fire_webhook', url: 'http://a/', headers: { Host: 'b' } }),
    'headers.Host',
    'invalid_value',
    /set by/,
  ],
  [
    'two lines',
    () => ({ type: 'fire_webhook', url: 'http://a/', headers: { X: 'a\r\nb' } }),
    'headers.X',
    'invalid_value',
    /line break/,
  ],
  [
    'a letter that no header has',
    () => ({ type: 'fire_webhook', url: 'http://a/', headers: { X: '5 €' } }),
    'headers.X',
    'invalid_value',
    /no header may have/,
  ],
  [
    "a proxy's header",
    () => ({ type: 'fire_webhook', url: 'http://a/', headers: { 'Proxy-Authorization': 'b' } }),
    'headers.Proxy-Authorization',
    'invalid_value',
    /set by/,
  ],
  [
    'a name that is none of a header',
    () => ({ type: 'fire_webhook', url: 'http://a/', headers: { 'X Y': 'b' } }),
    'headers.X Y',
    'invalid_value',
    /no name of a header/,
  ],
  [
    'a tag that is too long',
    () => ({ type: 'notify', message: 'x', tag: 'x'.repeat(65) }),
    'tag',
    'invalid_value',
    /64 characters/,
  ],
  ['nothing to say', () => ({ type: 'notify', message: '  ' }), 'message', 'invalid_value', /must not be empty/],
  [
    'an unknown method',
    () => ({ type: 'fire_webhook', url: 'http://a/', method: 'TRACE' }),
    'method',
    'invalid_value',
    /GET/,
  ],
  [
    'inputs that are not there',
    () => ({ type: 'merge', inputIds: ['nosuch'] }),
    'inputIds[0]',
    'invalid_value',
    /no action/,
  ],
  [
    'a step to restore that sets nothing',
    () => ({ type: 'restore_state', id: 'r', nodeId: 'r' }),
    'nodeId',
    'invalid_value',
    /executes a scene or sets a device/,
  ],
  ['no object', () => 7 as unknown as Fields, '', 'invalid_value', /object/],
];

describe('an action', () => {
  it.each(TAKEN)('is taken: %s', (_what, sent, kept) => {
    const { id, enabled, onError, ...parsed } = parse(sent());
    expect(parsed).toEqual(kept());
    expect({ enabled, onError }).toEqual({ enabled: true, onError: 'stop' });
    expect(id).toMatch(/^\w+$/);
  });

  it('is tested here in every kind', () => {
    const taken = new Set(TAKEN.map(([, , kept]) => kept().type));
    expect([...taken, 'restore_state'].sort()).toEqual([...ACTION_TYPES].sort());
  });

  it('may restore what a scene of the flow changed', () => {
    const actions = [
      { id: 'movie', type: 'execute_scene', sceneId: fixture.scene.id },
      { id: 'back', type: 'restore_state', nodeId: 'movie' },
    ];
    expect(fixture.parse({ actions }).definition.actions[1]).toMatchObject({ type: 'restore_state', nodeId: 'movie' });
  });

  it.each(REFUSED)('is refused with its path: %s', (_what, sent, field, code, sentence) => {
    const nested = { type: 'if_then_else', condition: [], then: [{ type: 'stop' }, sent()] };
    const { code: found, message, details } = faultOf(() => parse(nested));
    const path = ['actions[0].then[1]', field].filter((part) => part !== '').join('.');
    expect({ found, field: details.field }).toEqual({ found: code, field: path });
    expect(message).toMatch(sentence);
    expect(message).toContain(path);
  });

  it('keeps what all of them have', () => {
    const base = { id: 'x', alias: 'Goodbye', enabled: false, onError: 'retry', maxRetries: 5, retryDelayMs: 10 };
    expect(parse({ type: 'stop', ...base })).toEqual({ ...base, type: 'stop', error: false });
  });
});
