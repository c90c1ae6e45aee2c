import { afterEach, describe, expect, it } from 'vitest';
import type { Program } from '../../../../src/app/automations/program.ts';
import type { CharacteristicValue, Scene } from '../../../../src/home/model.ts';
import { newId } from '../../../../src/kernel/ids.ts';
import type { Json } from '../../../../src/kernel/json.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { createActionHome } from './run-actions.ts';

const POWER = '25';
const BRIGHTNESS = '8';
const LOCK_TARGET = '1E';
const TEN_MINUTES_MS = 10 * 60_000;

let home: ReturnType<typeof createActionHome>;
const open = (options: Parameters<typeof createActionHome>[0] = {}): typeof home => {
  home = createActionHome(options);
  return home;
};
let directory: TempDirectory | undefined;
afterEach(async () => {
  await home.stop();
  directory?.remove();
});

describe('set_characteristic', () => {
  it('sets one thing and returns the value that the device confirmed', async () => {
    const { runActions, named, shown } = open();
    const accessoryId = named('Lamp').id;
    const { trace, output } = await runActions([
      { id: 'dim', type: 'set_characteristic', accessoryId, characteristicType: 'brightness', value: 40 },
    ]);
    expect(trace.status).toBe('success');
    expect(output('dim')).toEqual({ accessoryId, characteristicType: 'brightness', value: 40, success: true });
    expect(shown('Lamp', BRIGHTNESS)).toBe(40);
  });

  it('takes a template, whose value keeps its type', async () => {
    const { runActions, named, shown } = open();
    const accessoryId = named('Lamp').id;
    const characteristicType = 'brightness';
    await runActions(
      [{ id: 'dim', type: 'set_characteristic', accessoryId, characteristicType, value: '{{ level * 2 }}' }],
      { variables: { level: 15 } },
    );
    expect(shown('Lamp', BRIGHTNESS)).toBe(30);
  });

  it('fails with the name of the accessory and the reason, and stops the run', async () => {
    const { runActions, named, driver } = open();
    const lamp = named('Lamp');
    driver.setReachable(lamp.address.source, false);
    const write = { type: 'set_characteristic', accessoryId: lamp.id, characteristicType: 'power_state', value: true };
    const { trace, step } = await runActions([
      { id: 'on', ...write },
      { id: 'never', ...write },
    ]);
    const refusals = [{ accessoryId: lamp.id, code: 'accessory_unreachable' }];
    const whyNot = { error: 'Lamp: Accessory unreachable', reason: 'accessory_unreachable', refusals };
    expect(step('on')).toMatchObject({ result: 'error', ...whyNot });
    expect(step('on').output).toMatchObject({ accessoryId: lamp.id, value: true, success: false });
    expect(trace).toMatchObject({ status: 'error', ...whyNot });
    expect(trace.steps.some(({ nodeId }) => nodeId === 'never')).toBe(false);
  });

  it('lets a run that wants to go on read that it failed', async () => {
    const { runActions, named, driver } = open();
    const lamp = named('Lamp');
    driver.setReachable(lamp.address.source, false);
    const { trace, output } = await runActions([
      {
        id: 'on',
        type: 'set_characteristic',
        accessoryId: lamp.id,
        characteristicType: 'power_state',
        value: true,
        onError: 'continue',
      },
      { id: 'seen', type: 'variables', variables: { ok: "{{ nodes['on'].data.success }}" } },
    ]);
    expect(trace.status).toBe('success');
    expect(output('seen')).toEqual({ ok: false });
  });

  it('refuses a value that the device does not take, before anything is sent', async () => {
    const { runActions, named, driver } = open();
    const accessoryId = named('Lamp').id;
    const characteristicType = 'brightness';
    const { step } = await runActions(
      [{ id: 'dim', type: 'set_characteristic', accessoryId, characteristicType, value: '{{ level }}' }],
      { variables: { level: 140 } },
    );
    expect(step('dim').error).toMatch(/Lamp: Invalid value.*100/);
    expect(driver.writes).toEqual([]);
  });
});

describe('set_service_group', () => {
  const group = () => {
    const { serviceGroups, named } = home;
    const accessoryIds = [named('Heater').id, named('Kettle').id];
    return serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Kitchen power', accessoryIds });
  };

  it('sets every member in one go', async () => {
    const { runActions, driver, shown } = open();
    const groupId = group().id;
    const { output } = await runActions([
      { id: 'on', type: 'set_service_group', groupId, characteristicType: 'power_state', value: true },
    ]);
    expect(output('on')).toMatchObject({
      groupId,
      value: true,
      success: true,
      affectedCount: 2,
      failed: 0,
      errors: [],
    });
    expect([shown('Heater', POWER), shown('Kettle', POWER)]).toEqual([true, true]);
    expect(driver.writes).toHaveLength(1);
  });

  it('fails naming the member that failed, and reports what the others did', async () => {
    const { runActions, driver, named } = open();
    const groupId = group().id;
    const { address } = named('Kettle');
    driver.setReachable(address.source, false, address.aid);
    const { step } = await runActions([
      { id: 'on', type: 'set_service_group', groupId, characteristicType: 'power_state', value: true },
    ]);
    expect(step('on').error).toMatch(/^Kitchen power: Kettle.*unreachable/);
    expect(step('on')).toMatchObject({
      reason: 'not_all_done',
      refusals: [{ accessoryId: named('Kettle').id, code: 'accessory_unreachable' }],
    });
    expect(step('on').output).toMatchObject({ success: false, affectedCount: 1, failed: 1 });
  });
});

describe('execute_scene', () => {
  it('carries out a scene; what failed in it is named', async () => {
    const { runActions, scenes, named, driver, shown } = open();
    const actions = ['Lamp', 'Heater'].map((name) => ({
      accessoryId: named(name).id,
      characteristicType: 'power_state',
      targetValue: true,
    }));
    const scene = scenes.create(systemCaller, { homeId: home.home.id, name: 'Evening', actions });
    const good = await runActions([{ id: 'evening', type: 'execute_scene', sceneId: scene.id }]);
    expect(good.output('evening')).toEqual({ sceneId: scene.id, success: true, failed: 0, errors: [] });
    expect(shown('Heater', POWER)).toBe(true);

    driver.setReachable(named('Lamp').address.source, false);
    const bad = await runActions([{ id: 'evening', type: 'execute_scene', sceneId: scene.id }]);
    expect(bad.step('evening')).toMatchObject({
      result: 'error',
      error: expect.stringContaining('Lamp.power_state: Accessory unreachable'),
      refusals: [{ accessoryId: named('Lamp').id, code: 'accessory_unreachable' }],
      output: { sceneId: scene.id, success: false, failed: 1 },
    });
  });

  it('fails where the scene is gone', async () => {
    const { engine, settle, tracesOf } = open();
    const id = put([{ type: 'execute_scene', sceneId: newId() }]);
    engine.trigger(id, {});
    await settle();
    expect(tracesOf(id)[0]).toMatchObject({ status: 'error', error: expect.stringContaining('Scene not found') });
  });
});

/** A native automation's program: the actions of flows, and `restore_state` besides. */
function nativeProgram(actions: readonly object[], id = newId()): Program {
  return {
    id,
    kind: 'native',
    homeId: home.home.id,
    name: 'Night light',
    enabled: true,
    mode: 'restart',
    maxRunning: 1,
    triggers: [],
    conditions: { operator: 'and', conditions: [] },
    actions: actions.map((action, index) => ({
      id: `a${index}`,
      enabled: true,
      onError: 'stop',
      ...action,
    })) as unknown as Program['actions'],
    variables: {},
  };
}

function put(actions: readonly object[]): string {
  const program = nativeProgram(actions);
  home.engine.put(program);
  return program.id;
}

describe('restore_state', () => {
  type Wanted = readonly (readonly [name: string, type: string, value: CharacteristicValue])[];

  it('puts back what a scene of people’s own changed, in a flow too', async () => {
    open();
    const lamp = home.named('Lamp');
    const action = { accessoryId: lamp.id, characteristicType: 'brightness', targetValue: 11 };
    const scene = home.scenes.create(systemCaller, { homeId: home.home.id, name: 'Movie', actions: [action] });
    const brightness = () => home.control.getCharacteristic(systemCaller, { ...action }).value;
    const before = brightness();
    const flow = home.saveFlow({
      actions: [
        { id: 'movie', type: 'execute_scene', sceneId: scene.id },
        { type: 'delay', duration: { minutes: 10 } },
        { type: 'restore_state', nodeId: 'movie' },
      ],
    });
    home.run(flow.id);
    await home.settle();
    expect(brightness()).toBe(11);
    await home.clock.advance(TEN_MINUTES_MS);
    await home.settle();
    expect(before).not.toBe(11);
    expect(brightness()).toBe(before);
  });

  it('puts back what one setting changed, and leaves it where it was so before', async () => {
    open();
    const power = { characteristicType: 'power_state', value: true };
    const [lamp, heater] = ['Lamp', 'Heater'].map((name) => ({ accessoryId: home.named(name).id, ...power }));
    const shown = (one: typeof lamp) => home.control.getCharacteristic(systemCaller, one as never).value;
    await home.control.writeCharacteristics(systemCaller, [heater as never]);
    const flow = home.saveFlow({
      actions: [
        { id: 'lamp', type: 'set_characteristic', ...lamp },
        { id: 'heater', type: 'set_characteristic', ...heater },
        { type: 'delay', duration: { minutes: 10 } },
        { type: 'restore_state', nodeId: 'lamp' },
        { type: 'restore_state', nodeId: 'heater' },
      ],
    });
    home.run(flow.id);
    await home.settle();
    expect([shown(lamp), shown(heater)]).toEqual([true, true]);
    await home.clock.advance(TEN_MINUTES_MS);
    await home.settle();
    expect([shown(lamp), shown(heater)]).toEqual([false, true]);
  });

  /** An automation that runs its own scene, waits ten minutes and puts everything back. */
  async function runAndRestore(
    wanted: Wanted,
    meanwhile: (program: Program, scene: Scene) => void | Promise<void> = () => {},
    before: Parameters<typeof nativeProgram>[0] = [],
  ) {
    const id = newId();
    const scene: Scene = {
      id: newId(),
      homeId: home.home.id,
      name: 'Night light',
      actions: wanted.map(([name, type, value]) => ({
        accessoryId: home.named(name).id,
        serviceIid: null,
        type,
        value,
      })),
      automationId: id,
      icon: null,
      color: null,
      createdAt: home.clock.now(),
    };
    const program = nativeProgram(
      [
        ...before,
        { type: 'execute_scene', sceneId: scene.id },
        { type: 'delay', duration: { minutes: 10 } },
        { type: 'restore_state', nodeId: `a${before.length}` },
      ],
      id,
    );
    home.state.scenes.put(scene);
    home.engine.put(program);
    home.engine.trigger(id, {});
    await home.settle();
    await meanwhile(program, scene);
    await home.clock.advance(TEN_MINUTES_MS);
    await home.settle();
    const [trace] = home.tracesOf(id);
    const step = trace?.steps.findLast(({ nodeId }) => nodeId === `a${before.length + 2}`);
    return { trace, output: step?.output as Record<string, Json>, step };
  }

  it('puts back in one go what the scene found', async () => {
    const { driver, shown } = open();
    const { output } = await runAndRestore([
      ['Lamp', POWER, true],
      ['Lamp', BRIGHTNESS, 90],
      ['Heater', POWER, true],
    ]);
    expect(output).toEqual({ nodeId: 'a0', success: true, restored: 3, left: [], failed: 0, errors: [] });
    expect([shown('Lamp', POWER), shown('Lamp', BRIGHTNESS), shown('Heater', POWER)]).toEqual([false, 50, false]);
    expect(driver.writes).toHaveLength(2);
  });

  it('leaves alone what a person has changed since, and what was so before', async () => {
    const { registry, named, shown, driver } = open();
    const { output } = await runAndRestore(
      [
        ['Lamp', BRIGHTNESS, 90],
        ['Heater', POWER, false],
      ],
      () => {
        const { source, aid } = named('Lamp').address;
        registry.report(source, [{ aid, iid: '10', value: 20, via: 'event' }]);
      },
    );
    expect(output).toMatchObject({
      restored: 0,
      left: [{ what: 'Lamp.brightness', reason: 'its value was changed since' }],
    });
    expect(shown('Lamp', BRIGHTNESS)).toBe(20);
    expect(driver.writes).toHaveLength(1);
  });

  it.each([
    ['follows later', 90, 50, []],
    ['never follows', undefined, 50, [{ what: 'Lamp.brightness', reason: 'it has its earlier value' }]],
    ['is set by a person instead', 20, 20, [{ what: 'Lamp.brightness', reason: 'its value was changed since' }]],
  ])('puts back what a device that did not answer %s', async (_what, reported, end, left) => {
    const { driver, registry, named, shown } = open();
    const flow = home.saveFlow({
      actions: [
        {
          id: 'lamp',
          type: 'set_characteristic',
          accessoryId: named('Lamp').id,
          characteristicType: 'brightness',
          value: 90,
          onError: 'continue',
        },
        { type: 'delay', duration: { minutes: 10 } },
        { id: 'back', type: 'restore_state', nodeId: 'lamp' },
      ],
    });
    driver.scriptWrites(() => 'unreachable');
    home.run(flow.id);
    await home.settle();
    driver.scriptWrites(undefined);
    const { source, aid } = named('Lamp').address;
    if (reported !== undefined) registry.report(source, [{ aid, iid: '10', value: reported, via: 'event' }]);
    await home.clock.advance(TEN_MINUTES_MS);
    await home.settle();
    const step = home.tracesOf(flow.id)[0]?.steps.findLast(({ nodeId }) => nodeId === 'back');
    expect(step?.output).toMatchObject({ restored: left.length === 0 ? 1 : 0, left });
    expect(shown('Lamp', BRIGHTNESS)).toBe(end);
  });

  it('never unlocks by itself, and reports it', async () => {
    const { shown, named, control } = open();
    await control.setCharacteristic(systemCaller, {
      accessoryId: named('Front Door').id,
      characteristicType: LOCK_TARGET,
      value: 0,
    });
    const { output } = await runAndRestore([
      ['Front Door', LOCK_TARGET, 1],
      ['Lamp', POWER, true],
    ]);
    expect(output).toMatchObject({ restored: 1, success: true });
    expect(output.left).toEqual([
      { what: 'Front Door.lock_target_state', reason: expect.stringContaining('nothing is unlocked') },
    ]);
    expect(shown('Front Door', LOCK_TARGET)).toBe(1);
    expect(shown('Lamp', POWER)).toBe(false);
  });

  it('locks again what the scene unlocked', async () => {
    const { shown, named, control } = open();
    await control.setCharacteristic(systemCaller, {
      accessoryId: named('Front Door').id,
      characteristicType: LOCK_TARGET,
      value: 1,
    });
    await runAndRestore([['Front Door', LOCK_TARGET, 0]]);
    expect(shown('Front Door', LOCK_TARGET)).toBe(1);
  });

  it('fails naming what could not be put back, after the rest is', async () => {
    const { shown, driver, named } = open();
    const { step, trace } = await runAndRestore(
      [
        ['Lamp', POWER, true],
        ['Heater', POWER, true],
      ],
      () => {
        const { source, aid } = named('Heater').address;
        driver.scriptWrites((write) =>
          write.address.source === source && write.address.aid === aid ? 'busy' : { value: write.value },
        );
      },
    );
    expect(trace?.status).toBe('error');
    expect(step?.error).toMatch(/^1 value could not be put back: Heater\.power_state/);
    expect(shown('Lamp', POWER)).toBe(false);
  });

  it('knows after a kill what was there before the scene', async () => {
    directory = createTempDirectory('restore');
    const path = directory.file('relay.db');
    open({ path });
    const { trace, output } = await runAndRestore([['Lamp', BRIGHTNESS, 90]], async (program, scene) => {
      const at = home.clock.now();
      home.kill();
      open({
        path,
        clock: new TestClock(at),
        prepare({ state, automation, registry, named }) {
          state.scenes.put(scene);
          automation.engine.put(program);
          // The lamp itself was never off.
          const { source, aid } = named('Lamp').address;
          registry.report(source, [{ aid, iid: '10', value: 90, via: 'read' }]);
        },
      });
      await home.settle();
      expect(home.shown('Lamp', BRIGHTNESS)).toBe(90);
    });
    expect(trace?.status).toBe('success');
    expect(output).toMatchObject({ restored: 1, left: [] });
    expect(home.shown('Lamp', BRIGHTNESS)).toBe(50);
    expect(home.driver.writes.flat().map(({ value }) => value)).toEqual([50]);
  });

  it('knows it also where the kill comes while the scene is being sent', async () => {
    directory = createTempDirectory('restore');
    const path = directory.file('relay.db');
    open({ path });
    const { output } = await runAndRestore(
      [['Lamp', BRIGHTNESS, 90]],
      async (program, scene) => {
        home.driver.writeDelayMs = 60_000;
        await home.clock.advance(1_000);
        await home.settle();
        expect(home.database.prepare('SELECT step FROM run_steps').all()).toContainEqual({ step: 'actions[1]?found' });
        const at = home.clock.now();
        home.kill();
        open({
          path,
          clock: new TestClock(at),
          prepare({ state, automation, registry, named }) {
            state.scenes.put(scene);
            automation.engine.put(program);
            // It reached the lamp.
            const { source, aid } = named('Lamp').address;
            registry.report(source, [{ aid, iid: '10', value: 90, via: 'read' }]);
          },
        });
        await home.settle();
      },
      [{ type: 'delay', duration: { seconds: 1 } }],
    );
    expect(output).toMatchObject({ restored: 1, left: [] });
    expect(home.shown('Lamp', BRIGHTNESS)).toBe(50);
  });

  it('has nothing to put back where the scene did not run', async () => {
    const { engine, settle, tracesOf } = open();
    const id = put([{ type: 'restore_state', nodeId: 'nowhere' }]);
    engine.trigger(id, {});
    await settle();
    expect(tracesOf(id)[0]?.steps.at(-1)?.output).toMatchObject({ restored: 0, success: true, left: [] });
  });
});
