import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemCaller } from '../support/test-home.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
  for (const part of Object.values(daemon.home.automation.startables)) await part.start();
});
afterEach(() => daemon.stop());

const automation = (...words: string[]) => daemon.hearthd('automation', ...words);
const flows = () => daemon.home.flows.list(systemCaller);

describe('hearthd automation blueprints', () => {
  it('lists them with what the home lacks', async () => {
    const { out } = await automation('blueprints');
    const lines = out.trim().split('\n');
    expect(lines[0]?.split(/\s{2,}/)).toEqual(['ID', 'NAME', 'DOES', 'LACKS']);
    expect(lines).toHaveLength(11);
    expect(lines.find((line) => line.startsWith('laundry_done'))).toMatch(/Plug$/);
    expect(lines.find((line) => line.startsWith('motion_light'))).toMatch(/a while\.$/);
    const json = JSON.parse((await automation('blueprints', '--language', 'de', '--json')).out);
    expect(json[0]).toMatchObject({ id: 'motion_light', blueprint: { name: 'Licht bei Bewegung' } });
  });

  it('shows the inputs of one', async () => {
    const { out } = await automation('blueprints', 'motion_light');
    expect(out).toContain(
      'sensors: Motion sensors (one or more: accessory; with motion_detected or occupancy_detected)',
    );
    expect(out).toContain('after: Turn off after (duration such as 90s, 5m or 2h; default: {"minutes":5})');
    expect(out).toContain('brightness: Brightness (number in %; optional)');
    expect((await automation('blueprints', 'nothing')).code).toBe(4);
  });
});

describe('hearthd automation apply', () => {
  it('creates an automation, with accessories by name', async () => {
    const inputs = [
      '--input',
      'sensors=Motion',
      '--input',
      'lights=Lamp',
      '--input',
      'lights=Kettle',
      '--input',
      'after=90s',
    ];
    const shown = await automation('apply', 'motion_light', ...inputs, '--input', 'only_dark=false', '--dry-run');
    expect(shown.out).toContain('Motion detected of Motion becomes on');
    expect(flows()).toEqual([]);
    const { out } = await automation('apply', 'motion_light', ...inputs, '--name', 'Hall');
    expect(out).toBe('Created the automation Hall (<id>).\n');
    expect(JSON.stringify(flows()[0]?.actions)).toContain('{"seconds":90}');
  });

  it('reads days, people, numbers and times', async () => {
    daemon.home.people.create(systemCaller, { homeId: daemon.home.home.id, name: 'Ada' });
    const light = ['--input', 'lights=Lamp'];
    const wake = ['--input', 'at=07:15', '--input', 'weekdays=sat,sunday', '--input', 'brightness=40'];
    expect((await automation('apply', 'wake_up_light', ...light, ...wake)).code).toBe(0);
    expect(flows()[0]?.triggers[0]).toMatchObject({ at: '07:15', weekdays: [0, 6] });
    expect((await automation('apply', 'presence_lights', ...light, '--input', 'people=Ada')).code).toBe(0);
  });

  it('reports an input that is missing, unknown or of the wrong form', async () => {
    const { code, err } = await automation('apply', 'motion_light', '--input', 'lights=Lamp');
    expect([code, err]).toEqual([2, expect.stringContaining('“Motion sensors” is missing')]);
    expect((await automation('apply', 'motion_light', '--input', 'lamps=Lamp')).err).toContain(
      'It has sensors, lights',
    );
    expect((await automation('apply', 'motion_light', '--input', 'lights')).code).toBe(2);
    expect((await automation('apply', 'motion_light', '--input', 'after=soon')).err).toContain('90s');
    expect((await automation('apply', 'low_battery', '--input', 'weekdays=sunshine')).err).toContain('weekday');
    const wrong = await automation('apply', 'motion_light', '--input', 'lights=Motion', '--input', 'sensors=Motion');
    expect(wrong.err).toContain('Motion is not of the type light or switch or outlet');
  });

  it('takes a file, as export writes it', async () => {
    const action = { type: 'set_characteristic', characteristicType: 'on', value: true };
    daemon.home.flows.save(systemCaller, {
      homeId: daemon.home.home.id,
      data: { name: 'Evening', actions: [{ ...action, accessoryId: daemon.home.named('Lamp').id }] },
    });
    const file = join(daemon.dataDir, 'evening.json');
    await automation('export', 'Evening', '--blueprint', '--output', file);
    const document = readFileSync(file, 'utf8');
    expect(document).toContain('"hearthd_blueprint": 1');
    expect(document).not.toContain(daemon.home.named('Lamp').id);
    expect((await automation('import', file)).err).toContain('hearthd automation apply');
    expect((await automation('apply', file, '--input', 'light=Kettle')).out).toContain(
      'Created the automation Evening 2',
    );
    writeFileSync(file, document.replace('"hearthd_blueprint": 1', '"hearthd_blueprint": 2'));
    const { code, err } = await automation('apply', file);
    expect([code, err]).toEqual([2, expect.stringContaining('made by a newer hearthd (version 2); this one reads 1')]);
    writeFileSync(file, 'no');
    expect((await automation('apply', file)).err).toContain('not JSON');
  });
});
