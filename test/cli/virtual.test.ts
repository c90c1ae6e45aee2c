import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { durationText } from '../../src/cli/commands/virtual.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
});
afterEach(() => daemon.stop());

const virtual = (...args: string[]) => daemon.hearthd('virtual', ...args);

describe('virtual', () => {
  it('creates, lists, shows, changes, operates and deletes', async () => {
    expect(
      await virtual('create', 'mode', 'Home Mode', '--option', 'Home', '--option', 'Away', '--initial', 'Away'),
    ).toEqual({
      code: 0,
      out: 'Created Home Mode in Default Room (<id>).\n',
      err: '',
    });
    expect((await virtual('create', 'timer', 'Tea', '--duration', '1:30:00', '--room', 'living room')).code).toBe(0);
    expect((await virtual('list')).out).toBe(
      [
        'HOME     ROOM          NAME       TYPE          VALUE  ID',
        'My Home  Default Room  Home Mode  input_select  Away   <id>',
        'My Home  Living Room   Tea        timer         idle   <id>',
        '',
      ].join('\n'),
    );
    expect((await virtual('show', 'Living Room/Tea')).out).toBe(
      [
        'name              Tea',
        'room              Living Room',
        'type              timer',
        'value             idle',
        'durationMs        1:30:00',
        'restoreOnRestart  true',
        'controllable      yes',
        'operations        start, pause, resume, cancel, finish',
        'id                <id>',
        '',
      ].join('\n'),
    );
    expect((await virtual('operate', 'tea', 'start', '90s')).out).toBe('Tea: active, 1:30 left\n');
    expect((await virtual('operate', 'tea', 'cancel')).out).toBe('Tea: idle\n');
    expect((await virtual('set', 'Home Mode', 'home')).out).toBe('Home Mode: Home\n');
    const updated = await virtual(
      'update',
      'Home Mode',
      '--name',
      'Mood',
      '--option',
      'Up',
      '--option',
      'Down',
      '--read-only',
    );
    expect(updated.out).toContain('options       Up, Down');
    expect(updated.out).toContain('controllable  no');
    expect((await virtual('update', 'Mood', '--controllable', '--room', 'Living Room')).out).toContain('Living Room');
    expect((await virtual('delete', 'Mood')).out).toBe('Deleted Mood.\n');
    expect((await virtual('show', 'Mood')).code).toBe(4);
  });

  it('takes the API’s names of the kinds, too, and every field', async () => {
    const args = [
      '--min',
      '5',
      '--max',
      '25',
      '--step',
      '0.5',
      '--unit',
      'celsius',
      '--control',
      'field',
      '--initial',
      '20',
    ];
    const number = await virtual('create', 'input_number', 'Wanted', ...args, '--icon', 'thermometer', '--json');
    expect(JSON.parse(number.out)).toMatchObject({
      virtualType: 'input_number',
      virtualIcon: 'thermometer',
      virtualConfig: { min: 5, max: 25, step: 0.5, unit: 'celsius', control: 'field', initialValue: 20 },
    });
    const text = await virtual(
      'create',
      'text',
      'Note',
      '--min-length',
      '0',
      '--max-length',
      '9',
      '--pattern',
      '[a-z]*',
      '--json',
    );
    expect(JSON.parse(text.out)).toMatchObject({ virtualConfig: { minLength: 0, maxLength: 9, pattern: '[a-z]*' } });
    const date = await virtual('create', 'date', 'Birthday', '--no-time', '--json');
    expect(JSON.parse(date.out)).toMatchObject({ virtualHasDate: true, virtualHasTime: false });
    const counter = await virtual('create', 'counter', 'Guests', '--max', '9', '--json');
    expect(JSON.parse(counter.out)).toMatchObject({ virtualConfig: { min: null, max: 9 } });
    expect(JSON.parse((await virtual('update', 'Guests', '--max', 'none', '--json')).out)).toMatchObject({
      virtualConfig: { max: null },
    });
    expect((await virtual('list', '--home', 'my home')).out.split('\n')).toHaveLength(6);
  });

  it('is set and read like any other accessory', async () => {
    await virtual('create', 'counter', 'Guests');
    expect((await daemon.hearthd('set', 'Guests', 'count=3')).out).toBe('Guests: count=3\n');
    expect((await daemon.hearthd('accessories', '--type', 'counter')).out).toContain('Guests');
    expect((await daemon.hearthd('identify', 'Guests')).code).toBe(0);
  });

  it.each([
    [['create', 'lamp', 'X'], 2, 'switch, mode'],
    [['create', 'number', 'X', '--min', 'low'], 2, '--min takes a number'],
    [['create', 'mode', 'X', '--min', '5'], 2, 'a mode takes'],
    [['create', 'mode', 'Heater'], 5, 'already'],
    [['create', 'timer', 'X', '--duration', 'soon'], 2, '90s, 5m, 1:30:00'],
    [['create', 'mode', 'X', '--room', 'Cellar'], 4, 'No room "Cellar"'],
    [['show', 'Lamp'], 4, 'No accessory "Lamp"'],
    [['update', 'Guests'], 2, 'Pass at least one option'],
    [['operate', 'Guests', 'start'], 2, 'increment, decrement'],
    [['set', 'Guests', 'many'], 2, 'a whole number'],
    [['operate', 'Tea', 'pause'], 5, 'The timer is idle'],
  ])('%j ends with %i', async (args, code, sentence) => {
    await virtual('create', 'counter', 'Guests');
    await virtual('create', 'timer', 'Tea');
    const answer = await virtual(...args);
    expect([answer.code, answer.err]).toEqual([code, expect.stringContaining(sentence)]);
  });
});

it.each([
  [0, '0:00'],
  [1, '0:01'],
  [90_000, '1:30'],
  [3_600_000, '1:00:00'],
  [5_400_500, '1:30:01'],
])('%i ms are shown as %s', (ms, text) => expect(durationText(ms)).toBe(text));
