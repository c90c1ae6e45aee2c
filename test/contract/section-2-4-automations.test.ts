/**
 * API §2.4 (PlatformAutomation and its parts), §3 (automations), §4.2 (their fields), §7.4 (platform privileges);
 * wire-facts §4.3, §6.1.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../src/api/graphql/schema.ts';
import { createGraphqlFixture, type GraphqlFixture } from '../api/graphql/graphql-fixture.ts';
import { type AutomationHome, createAutomationHome } from '../support/automation-home.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { systemCaller } from '../support/test-home.ts';

let home: AutomationHome;
let fixture: GraphqlFixture;
let rest: RestClient;

beforeEach(() => {
  home = createAutomationHome({ sample: true });
  fixture = createGraphqlFixture(home, createSchema());
  rest = createRestClient(createTestApi(home), createToken(home));
});
afterEach(() => home.stop());

const PLACE = 'accessoryId accessoryName characteristicType';
const PRESENCE = 'presenceType presenceEvent personIds';
const EVENT = `type ${PLACE} triggerValue thresholdMin thresholdMax significantEvent offsetMinutes calendarComponents durationSeconds
  latitude longitude radius notifyOnEntry notifyOnExit ${PRESENCE}`;
const CONDITION = `type ${PLACE} operator value beforeTime afterTime beforeEvent afterEvent predicateFormat ${PRESENCE}`;
const AUTOMATION = `id name isEnabled homeId lastFireDate
  trigger { type fireDate recurrence timeZone events { ${EVENT} } endEvents { ${EVENT} } conditions { ${CONDITION} } recurrences executeOnce activationState }
  actions { ${PLACE} targetValue }`;
const CREATE = `mutation($homeId: String!, $name: String!, $trigger: String!, $actions: String!) {
  createAutomation(homeId: $homeId, name: $name, trigger: $trigger, actions: $actions) { ${AUTOMATION} }
}`;
const UPDATE = `mutation($automationId: String!, $homeId: String, $name: String, $trigger: String, $actions: String, $enabled: Boolean) {
  updateAutomation(automationId: $automationId, homeId: $homeId, name: $name, trigger: $trigger, actions: $actions, enabled: $enabled) { ${AUTOMATION} }
}`;
const UUID = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

const id = (name: string) => home.named(name).id;
const lampOn = () => ({ accessoryId: id('Lamp'), characteristicType: 'power_state', targetValue: true });
const motion = () => ({
  type: 'characteristic',
  accessoryId: id('Motion'),
  characteristicType: 'motion_detected',
  triggerValue: true,
});
const event = (...events: object[]) => ({ type: 'event', events });
const TIMER = { type: 'timer', fireDate: '2030-01-02T07:00:00Z' };

async function ask(document: string, variables: object) {
  const { body } = await fixture.ask(document, { homeId: home.home.id, ...variables });
  return body;
}
async function create(trigger: object, actions: readonly object[] = [lampOn()], name = 'Evening') {
  const body = await ask(CREATE, { name, trigger: JSON.stringify(trigger), actions: JSON.stringify(actions) });
  expect(body.errors).toBeUndefined();
  return body.data.createAutomation;
}
async function fireTrigger(): Promise<void> {
  home.driver.event('10:00:00:00:00:04', '1', '9', true);
  await home.settle();
}
const query = async (automationId: string) =>
  (
    await ask(`query($automationId: String!) { automation(automationId: $automationId) { ${AUTOMATION} } }`, {
      automationId,
    })
  ).data.automation;

describe('PlatformAutomation', () => {
  it('has id, name, isEnabled, trigger, actions, lastFireDate and homeId', async () => {
    const made = await create(event(motion()));
    expect(made).toMatchObject({
      id: UUID,
      name: 'Evening',
      isEnabled: true,
      lastFireDate: null,
      homeId: home.home.id,
    });
    expect(await query(made.id)).toEqual(made);
    const { data } = await ask(`query($homeId: String!) { automations(homeId: $homeId) { ${AUTOMATION} } }`, {});
    expect(data.automations).toEqual([made]);
  });

  it('lastFireDate is when it acted last', async () => {
    const made = await create(event(motion()));
    await fireTrigger();
    expect((await query(made.id)).lastFireDate).toBe(new Date(home.clock.now()).toISOString());
  });
});

describe('AutomationTrigger', () => {
  it('of type timer has fireDate in ISO 8601, recurrence as JSON-encoded date components, and the IANA timeZone', async () => {
    const { trigger } = await create({ ...TIMER, recurrence: { weekday: 2, hour: 7 }, timeZone: 'Europe/Berlin' });
    expect(trigger).toMatchObject({
      type: 'timer',
      fireDate: '2030-01-02T07:00:00.000Z',
      recurrence: '{"weekday":2,"hour":7}',
      timeZone: 'Europe/Berlin',
      events: null,
      endEvents: null,
      recurrences: null,
    });
  });

  it('of type timer takes hour and minute for the next occurrence, and recurrenceType daily, weekly or once', async () => {
    const next = async (recurrenceType: string) =>
      (await create({ type: 'timer', hour: 13, minute: 5, recurrenceType, timeZone: 'UTC' }, undefined, recurrenceType))
        .trigger;
    expect(await next('daily')).toMatchObject({ fireDate: '2026-01-15T13:05:00.000Z', recurrence: '{"day":1}' });
    expect(await next('weekly')).toMatchObject({ recurrence: '{"day":7}' });
    expect(await next('once')).toMatchObject({ recurrence: null });
  });

  it('of type event has events, endEvents, recurrences as a JSON-encoded array of date components, and executeOnce', async () => {
    const { trigger } = await create({
      ...event(motion()),
      endEvents: [{ ...motion(), triggerValue: false }],
      recurrences: [{ weekday: 7 }, { weekday: 1 }],
      executeOnce: true,
    });
    expect(trigger).toMatchObject({
      type: 'event',
      fireDate: null,
      recurrence: null,
      timeZone: null,
      events: [{ type: 'characteristic', triggerValue: 'true' }],
      endEvents: [{ type: 'characteristic', triggerValue: 'false' }],
      recurrences: '[{"weekday":1},{"weekday":7}]',
      executeOnce: true,
    });
  });

  it('activationState is enabled, disabled, or disabledNoLocation where a sun or location event has no home position', async () => {
    const plain = await create(event(motion()), undefined, 'Plain');
    const sun = await create(event({ type: 'significantTime', significantEvent: 'sunset' }), undefined, 'Sun');
    const place = { type: 'location', latitude: 52, longitude: 13, radius: 100 };
    const location = await create(event(place), undefined, 'Place');
    expect(plain.trigger.activationState).toBe('enabled');
    expect(sun.trigger.activationState).toBe('disabledNoLocation');
    expect(location.trigger.activationState).toBe('disabledNoLocation');
    home.homes.update(systemCaller, home.home.id, { location: { latitude: 52, longitude: 13, radius: 100 } });
    expect((await query(sun.id)).trigger.activationState).toBe('enabled');
    home.automations.setEnabled(systemCaller, sun.id, false);
    expect((await query(sun.id)).trigger.activationState).toBe('disabled');
  });
});

describe('AutomationEvent', () => {
  const shown = async (one: object) => (await create(event(one))).trigger.events[0];

  it('characteristic has accessoryId, accessoryName, characteristicType and a JSON-encoded triggerValue', async () => {
    expect(await shown(motion())).toMatchObject({
      type: 'characteristic',
      accessoryId: id('Motion'),
      accessoryName: 'Motion',
      characteristicType: 'motion_detected',
      triggerValue: 'true',
    });
  });

  it('characteristic takes triggerValue JSON-encoded, and means any change without it', async () => {
    const lock = { type: 'characteristic', accessoryId: id('Front Door'), characteristicType: 'lock_current_state' };
    const { trigger } = await create(event({ ...lock, triggerValue: '1' }, lock));
    expect(trigger.events).toMatchObject([{ triggerValue: '1' }, { triggerValue: null }]);
  });

  it('characteristic has thresholdMin and thresholdMax instead of a value for a range', async () => {
    const temperature = { accessoryId: id('Thermostat'), characteristicType: 'current_temperature' };
    const range = { type: 'characteristic', ...temperature, thresholdMin: 18.5, thresholdMax: 22 };
    expect(await shown(range)).toMatchObject({ thresholdMin: 18.5, thresholdMax: 22, triggerValue: null });
  });

  it('significantTime has significantEvent sunrise or sunset and offsetMinutes, negative = before', async () => {
    const sunset = { type: 'significantTime', significantEvent: 'sunset', offsetMinutes: -20 };
    expect(await shown(sunset)).toMatchObject(sunset);
  });

  it('location has latitude, longitude, radius, notifyOnEntry and notifyOnExit', async () => {
    const place = {
      type: 'location',
      latitude: 52.5,
      longitude: 13.4,
      radius: 150,
      notifyOnEntry: true,
      notifyOnExit: true,
    };
    expect(await shown(place)).toMatchObject(place);
  });

  it.each(['atHome', 'notAtHome', 'firstArrival', 'lastDeparture'])(
    'presence has presenceType and presenceEvent %s',
    async (presenceEvent) => {
      for (const presenceType of ['allUsers', 'currentUser']) {
        const made = await create(event({ type: 'presence', presenceType, presenceEvent }), undefined, presenceType);
        expect(made.trigger.events).toMatchObject([{ type: 'presence', presenceType, presenceEvent }]);
      }
      const { id: person } = home.people.create(systemCaller, { homeId: home.home.id, name: 'Ann' });
      const custom = { type: 'presence', presenceType: 'customUsers', presenceEvent, personIds: [person] };
      expect(await shown(custom)).toMatchObject(custom);
    },
  );

  it('calendar has calendarComponents as a JSON text, duration has durationSeconds', async () => {
    const { trigger } = await create({
      ...event({ type: 'calendar', calendarComponents: { hour: 7, minute: 30 } }),
      endEvents: [{ type: 'duration', durationSeconds: 90 }],
    });
    expect(trigger.events).toMatchObject([{ type: 'calendar', calendarComponents: '{"hour":7,"minute":30}' }]);
    expect(trigger.endEvents).toMatchObject([{ type: 'duration', durationSeconds: 90 }]);
  });
});

describe('conditions of a trigger', () => {
  it('have the fields that clients read, each type its own', async () => {
    const lamp = { type: 'characteristic', accessoryId: id('Lamp'), characteristicType: 'brightness' };
    const { trigger } = await create({
      ...event(motion()),
      conditions: [
        { ...lamp, operator: 'lessThan', value: 40 },
        { type: 'time', afterTime: { hour: 22 }, beforeTime: { hour: 6 } },
        { type: 'significantEvent', afterEvent: 'sunset', beforeEvent: 'sunrise' },
        { type: 'presence', presenceEvent: 'atHome' },
      ],
    });
    expect(trigger.conditions).toMatchObject([
      { ...lamp, accessoryName: 'Lamp', operator: 'lessThan', value: '40', predicateFormat: null },
      { type: 'time', afterTime: '{"hour":22,"minute":0}', beforeTime: '{"hour":6,"minute":0}' },
      { type: 'significantEvent', afterEvent: 'sunset', beforeEvent: 'sunrise' },
      { type: 'presence', presenceEvent: 'atHome' },
    ]);
  });

  it.each(['equalTo', 'lessThan', 'greaterThan', 'lessThanOrEqualTo', 'greaterThanOrEqualTo'])(
    'take the operator %s',
    async (operator) => {
      const lamp = { type: 'characteristic', accessoryId: id('Lamp'), characteristicType: 'brightness' };
      const { trigger } = await create({ ...event(motion()), conditions: [{ ...lamp, operator, value: 40 }] });
      expect(trigger.conditions).toMatchObject([{ operator }]);
    },
  );
});

describe('AutomationAction', () => {
  it('has accessoryId, accessoryName, characteristicType and a JSON-encoded targetValue', async () => {
    const dim = { accessoryId: id('Lamp'), characteristicType: 'brightness', targetValue: '40' };
    const { actions } = await create(event(motion()), [lampOn(), dim]);
    expect(actions).toEqual([
      { accessoryId: id('Lamp'), accessoryName: 'Lamp', characteristicType: 'power_state', targetValue: 'true' },
      { accessoryId: id('Lamp'), accessoryName: 'Lamp', characteristicType: 'brightness', targetValue: '40' },
    ]);
  });
});

describe('what is read can be written', () => {
  it('as it is: the trigger and the actions of the answer come down to the same', async () => {
    const made = await create({
      ...event(motion(), { type: 'calendar', calendarComponents: { hour: 7 } }),
      endEvents: [{ type: 'duration', durationSeconds: 60 }],
      conditions: [{ type: 'time', afterTime: { hour: 22 } }],
      recurrences: [{ weekday: 2 }],
    });
    const body = await ask(UPDATE, {
      automationId: made.id,
      trigger: JSON.stringify(made.trigger),
      actions: JSON.stringify(made.actions),
    });
    expect(body.errors).toBeUndefined();
    expect(body.data.updateAutomation).toEqual(made);
  });

  it('over REST too, where it is JSON and not text', async () => {
    const input = {
      homeId: home.home.id,
      name: 'Rest',
      trigger: { ...TIMER, recurrence: { day: 1 } },
      actions: [lampOn()],
    };
    const { body: made } = await rest.post('/rest/automations', input);
    expect(made).toMatchObject({ trigger: { recurrence: { day: 1 } }, actions: [{ targetValue: true }] });
    const { trigger, actions } = made;
    expect((await rest.patch(`/rest/automations/${made.id}`, { trigger, actions })).body).toEqual(made);
    expect((await rest.get(`/rest/automations?home=${home.home.id}`)).body).toEqual([made]);
  });
});

describe('the mutations', () => {
  it('updateAutomation changes what is given and keeps the id, which homeId must fit', async () => {
    const made = await create(event(motion()));
    const renamed = await ask(UPDATE, { automationId: made.id, name: 'Night' });
    expect(renamed.data.updateAutomation).toEqual({ ...made, name: 'Night' });
    const timed = await ask(UPDATE, { automationId: made.id, trigger: JSON.stringify(TIMER) });
    expect(timed.data.updateAutomation).toMatchObject({ id: made.id, trigger: { type: 'timer' } });
    const elsewhere = await ask(UPDATE, { automationId: made.id, homeId: crypto.randomUUID(), name: 'X' });
    expect(elsewhere.errors[0].extensions.code).toBe('NOT_FOUND');
  });

  it('setAutomationEnabled and updateAutomation(enabled) return the automation with isEnabled as given', async () => {
    const { id: automationId } = await create(event(motion()));
    const set = `mutation($automationId: String!, $enabled: Boolean!) { setAutomationEnabled(automationId: $automationId, enabled: $enabled) { id isEnabled } }`;
    expect((await ask(set, { automationId, enabled: false })).data.setAutomationEnabled).toEqual({
      id: automationId,
      isEnabled: false,
    });
    expect((await ask(UPDATE, { automationId, enabled: true })).data.updateAutomation.isEnabled).toBe(true);
  });

  it('deleteAutomation returns success and automationId; of what is not there, why not', async () => {
    const { id: automationId } = await create(event(motion()));
    const remove = `mutation($automationId: String!) { deleteAutomation(automationId: $automationId) { success automationId error } }`;
    expect((await ask(remove, { automationId })).data.deleteAutomation).toEqual({
      success: true,
      automationId,
      error: null,
    });
    expect((await ask(remove, { automationId })).data.deleteAutomation).toEqual({
      success: false,
      automationId,
      error: 'Automation not found',
    });
  });

  it('a trigger with executeOnce fires once and is disabled then', async () => {
    const made = await create({ ...event(motion()), executeOnce: true });
    await fireTrigger();
    expect(await query(made.id)).toMatchObject({ isEnabled: false, trigger: { activationState: 'disabled' } });
  });

  it('take trigger and actions as objects too', async () => {
    const document = CREATE.replace('$trigger: String!', '$trigger: JSON!').replace(
      '$actions: String!',
      '$actions: JSON!',
    );
    const body = await ask(document, { name: 'Objects', trigger: event(motion()), actions: [lampOn()] });
    expect(body.data.createAutomation).toMatchObject({ name: 'Objects' });
  });

  it('name the place of what is wrong', async () => {
    const wrong = event(motion(), { type: 'significantTime', significantEvent: 'sunset', offsetMinutes: 'ten' });
    const { data, errors } = await ask(CREATE, {
      name: 'Wrong',
      trigger: JSON.stringify(wrong),
      actions: JSON.stringify([lampOn()]),
    });
    expect(data.createAutomation).toBeNull();
    expect(errors[0].message).toContain('trigger.events[1].offsetMinutes');
    expect(errors[0].extensions).toMatchObject({ code: 'INVALID_VALUE', field: 'trigger.events[1].offsetMinutes' });
  });

  it('nextFireDates shows when the clock fires it next', async () => {
    const made = await create({ ...TIMER, recurrence: { day: 1 }, timeZone: 'UTC' });
    const next = `query($automationId: String!, $count: Int) { nextFireDates(automationId: $automationId, count: $count) }`;
    expect((await ask(next, { automationId: made.id, count: 2 })).data.nextFireDates).toEqual([
      '2030-01-02T07:00:00.000Z',
      '2030-01-03T07:00:00.000Z',
    ]);
    expect((await ask(next, { automationId: made.id, count: 0 })).errors[0].extensions.code).toBe('INVALID_VALUE');
  });
});

describe('a relay whose account may only view the home', () => {
  const EXTENSIONS = { code: 'INSUFFICIENT_PLATFORM_PRIVILEGES' };

  it('refuses to create, edit, enable and delete, with exactly this sentence and code', async () => {
    const { id: automationId } = await create(event(motion()));
    home.homes.update(systemCaller, home.home.id, { privileges: 'view' });
    const input = { name: 'B', trigger: JSON.stringify(event(motion())), actions: JSON.stringify([lampOn()]) };
    const answers = [
      await ask(CREATE, input),
      await ask(UPDATE, { automationId, name: 'C' }),
      await ask(`mutation { setAutomationEnabled(automationId: "${automationId}", enabled: false) { id } }`, {}),
      await ask(`mutation { deleteAutomation(automationId: "${automationId}") { success } }`, {}),
    ];
    for (const { errors } of answers) {
      expect(errors).toMatchObject([{ message: 'Insufficient platform privileges', extensions: EXTENSIONS }]);
    }
    const answer = await rest.delete(`/rest/automations/${automationId}`);
    expect([answer.status, answer.body.message]).toEqual([403, 'Insufficient platform privileges']);
    expect(answer.body.code).toBe('insufficient_platform_privileges');
  });

  it('makes, changes and runs the service’s own automations as before', async () => {
    home.homes.update(systemCaller, home.home.id, { privileges: 'view' });
    const actions = [{ type: 'set_characteristic', accessoryId: id('Lamp'), characteristicType: 'on', value: true }];
    const flow = (await rest.post('/rest/flows', { homeId: home.home.id, name: 'Own', actions })).body;
    expect((await rest.patch(`/rest/flows/${flow.id}`, { name: 'Ours' })).body.name).toBe('Ours');
    expect((await rest.post(`/rest/flows/${flow.id}/run`)).body.success).toBe(true);
    await home.settle();
    expect(home.state.characteristic({ accessoryId: id('Lamp'), iid: '9' })?.value).toBe(true);
    expect((await rest.delete(`/rest/flows/${flow.id}`)).body.success).toBe(true);
  });

  it('reads them, and controls devices and scenes as before', async () => {
    const made = await create(event(motion()));
    home.homes.update(systemCaller, home.home.id, { privileges: 'view' });
    expect(await query(made.id)).toEqual(made);
    const scene = await rest.post('/rest/scenes', { homeId: home.home.id, name: 'Movie', actions: [lampOn()] });
    expect((await rest.post(`/rest/scenes/${scene.body.id}/execute`)).body.success).toBe(true);
  });
});
