/** `hearthd automation test`: what an automation would do, asked at the command line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { systemCaller } from '../support/test-home.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;
let directory: TempDirectory;

beforeEach(async () => {
  directory = createTempDirectory();
  daemon = await startDaemon();
  for (const part of Object.values(daemon.home.automation.startables)) await part.start();
  daemon.home.homes.update(systemCaller, daemon.home.home.id, { timeZone: 'UTC' });
});
afterEach(async () => {
  await daemon.stop();
  directory.remove();
});

const test = (...words: string[]) => daemon.hearthd('automation', 'test', ...words);
const json = async (...words: string[]) => JSON.parse((await test(...words, '--json')).out);
const id = (name: string): string => daemon.home.named(name).id;

function saveFlow(data: object = {}) {
  return daemon.home.flows.save(systemCaller, {
    homeId: daemon.home.home.id,
    data: {
      name: 'Hall light',
      triggers: [{ id: 'seen', type: 'state', accessoryId: id('Motion'), characteristicType: 'motion', to: true }],
      actions: [{ type: 'set_characteristic', accessoryId: id('Lamp'), characteristicType: 'on', value: true }],
      ...data,
    },
  });
}

describe('hearthd automation test', () => {
  it('shows the trace of what a change would trigger, and does nothing', async () => {
    saveFlow();
    const { code, out, err } = await test('Hall light', '--set', 'Motion.motion=true@30s');
    expect(code).toBe(0);
    expect(out).toContain('Hall light');
    expect(out).toContain('Motion detected of Motion becomes on');
    expect(out).toContain('Set power state of Lamp to on');
    expect(err).toContain('No device was changed.');
    expect(daemon.home.driver.writes).toEqual([]);
    const report = await json('Hall light', '--set', 'My Home/Living Room/Motion.motion=true@30s', '--for', '1m');
    const at = (text: string): number => Date.parse(text) - Date.parse(report.startedAt);
    expect(report.writes.map((write: { at: string }) => at(write.at))).toEqual([30_000]);
    expect(at(report.endedAt)).toBe(60_000);
  });

  it('reports that nothing would happen', async () => {
    saveFlow();
    expect((await test('Hall light')).out).toContain('Nothing would happen.');
  });

  it('begins on request, and triggers the automation by hand or by a trigger', async () => {
    saveFlow({ triggers: [{ id: 'seven', type: 'time', at: '07:00' }] });
    const byClock = await json('Hall light', '--at', '06:59', '--for', '90s');
    expect(byClock.startedAt).toMatch(/T06:59:00.000Z$/);
    expect(byClock.writes.map(({ at }: { at: string }) => at.slice(11, 19))).toEqual(['07:00:00']);
    expect(byClock.nextFireDates).toHaveLength(5);
    const byHand = await json('Hall light', '--at', '2030-01-01T00:00:00Z', '--for', '1s', '--trigger', 'now');
    expect(byHand.runs[0].triggerData.type).toBe('manual');
    const byTrigger = await json('Hall light', '--for', '1s', '--trigger', 'seven');
    expect(byTrigger.runs[0].triggerData).toMatchObject({ id: 'seven', type: 'time' });
  });

  it('takes a file: an exported flow in YAML, or a flow in JSON that is not saved', async () => {
    const flow = saveFlow();
    const yaml = join(directory.path, 'hall.yaml');
    writeFileSync(yaml, await daemon.home.flows.export(systemCaller, flow.id, 'yaml'));
    daemon.home.flows.delete(systemCaller, flow.id);
    expect((await json(yaml, '--trigger', 'now')).writes).toHaveLength(1);
    const file = join(directory.path, 'flow.json');
    writeFileSync(file, JSON.stringify({ name: 'New', actions: [{ type: 'notify', message: 'Hello' }] }));
    expect((await json(file, '--trigger', 'now')).notifications).toHaveLength(1);
  });

  it('takes a native automation, a whole scenario and the other automations', async () => {
    daemon.home.automations.create(systemCaller, {
      homeId: daemon.home.home.id,
      name: 'Morning',
      trigger: { type: 'timer', hour: 7, minute: 0, recurrenceType: 'daily', timeZone: 'UTC' },
      actions: [{ accessoryId: id('Lamp'), characteristicType: 'on', targetValue: true }],
    });
    saveFlow({
      triggers: [{ type: 'state', accessoryId: id('Lamp'), characteristicType: 'on', to: true }],
      actions: [{ type: 'notify', message: 'Good morning' }],
    });
    const file = join(directory.path, 'scenario.json');
    writeFileSync(file, JSON.stringify({ start: '2030-01-01T06:00:00Z', durationS: 7_200 }));
    const report = await json('Morning', '--scenario', file, '--others');
    expect(report.notifications.map(({ at }: { at: string }) => at)).toEqual(['2030-01-01T07:00:00.000Z']);
  });

  it('shows what is wrong with what was typed', async () => {
    saveFlow();
    const refusals: readonly (readonly [words: readonly string[], code: number, message: string])[] = [
      [['Nobody'], 4, 'No automation "Nobody"'],
      [['Hall light', '--set', 'Motion'], 2, 'is not in the form accessory.property=value@time'],
      [['Hall light', '--set', 'Nothing.on=true'], 4, 'No accessory "Nothing"'],
      [['Hall light', '--set', 'Motion.smell=1'], 2, 'scenario.events[0].set.characteristicType'],
      [['Hall light', '--for', 'long'], 2, 'is not a duration'],
      [['Hall light', '--at', 'tomorrow'], 2, 'scenario.start'],
      [['Hall light', '--trigger', 'eight'], 2, 'it must be one of seen'],
      [['missing.yaml'], 2, 'Cannot read missing.yaml'],
    ];
    for (const [words, code, answered] of refusals) {
      const answer = await test(...words);
      expect([words, answer.code, answer.err]).toEqual([words, code, expect.stringContaining(answered)]);
    }
  });
});

describe('hearthd automation evaluate', () => {
  const evaluate = (...words: string[]) => daemon.hearthd('automation', 'evaluate', ...words);

  it('prints what an expression or a text comes to now', async () => {
    expect(await evaluate('states("Lamp") || level > 40', '--var', 'level=45')).toMatchObject({
      code: 0,
      out: 'true\n',
    });
    expect((await evaluate('Lamp: {{ states("Lamp") }}')).out).toBe('Lamp: false\n');
    expect((await evaluate('trigger.to_value')).err).toContain('only a run knows');
    const { value, error } = JSON.parse((await evaluate('states("Lamp")', '--json')).out);
    expect({ value, error }).toEqual({ value: false, error: null });
  });

  it('prints what is wrong with it, and where', async () => {
    expect(await evaluate('On\n{{ nope(1) }}')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Line 2, column 4: /),
    });
    expect((await evaluate('level', '--var', 'level')).code).toBe(2);
  });
});
