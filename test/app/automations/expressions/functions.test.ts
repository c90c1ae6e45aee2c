import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/kernel/json.ts';
import { createExpressionHome, EMPTY_SCOPE, HOME_ID } from './expression-home.ts';

const { evaluate } = createExpressionHome();

function gives(table: readonly (readonly [string, Json])[]): void {
  it.each(table)('%s', (expression, value) => {
    expect(evaluate(expression)).toEqual(value);
  });
}

describe('functions of numbers', () => {
  gives([
    ['min(3, 1, 2)', 1],
    ['max([3, 1, 2])', 3],
    ['min([])', null],
    ['max([null, 2, null])', 2],
    ['abs(-2.5)', 2.5],
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(1.005, 2)', 1.01],
    ['round(1e-7, 3)', 0],
    ['round(1.5e20)', 1.5e20],
    ['floor(-1.5)', -2],
    ['ceil(1.2)', 2],
    ['sqrt(9)', 3],
    ['log(1)', 0],
    ['log(8, 2)', 3],
    ['int("12")', 12],
    ['int(-2.9)', -2],
    ['int("abc", 0)', 0],
    ['float(" 21.5 ")', 21.5],
    ['float(null, null)', null],
    ['int(true)', 1],
    ['is_number("1e3")', true],
    ['is_number("1x")', false],
    ['is_number(null)', false],
  ]);

  it.each(['sqrt(-1)', 'log(0)', 'int("abc")', 'round(1, 2.5)', 'round(1, 99)', 'abs("1")', 'min("a")'])(
    '%s has no answer',
    (expression) => {
      expect(() => evaluate(expression)).toThrow(/line 1, column/);
    },
  );
});

describe('functions of texts and lists', () => {
  gives([
    ['str(1.5) + str(true) + str(null)', '1.5true'],
    ['str({a: [1]})', '{"a":[1]}'],
    ['bool("off")', false],
    ['bool("anything")', true],
    ['len("abc") + len([1, 2]) + len({a: 1}) + len(null)', 6],
    ['"abc".size()', 3],
    ['upper("äb")', 'ÄB'],
    ['"ABC".lower()', 'abc'],
    ['trim("  a ")', 'a'],
    ['contains("Living Room", "Room")', true],
    ['[1, 2].contains("2")', true],
    ['contains({a: 1}, "b")', false],
    ['"abc".startsWith("ab") and "abc".endsWith("bc")', true],
    ['replace("a.b.c", ".", "$&")', 'a$&b$&c'],
    ['"a, b".split(", ")', ['a', 'b']],
    ['join([1, "a", null, true], "-")', '1-a--true'],
    ['["a", "b"].join()', 'ab'],
    ['substring("abcdef", 2, 4)', 'cd'],
    ['iif(0, "yes", "no")', 'no'],
    ['range(3)', [0, 1, 2]],
    ['range(1, 4)', [1, 2, 3]],
    ['range(5, 0, -2)', [5, 3, 1]],
    ['range(0)', []],
    ['[1] + ["a"]', [1, 'a']],
  ]);

  it.each(['len(1)', 'upper(1)', 'join("a")', 'replace("a", "", "b")', 'range(1, 2, 0)', 'contains(1, 1)', '[1] + 1'])(
    '%s has no answer',
    (expression) => {
      expect(() => evaluate(expression)).toThrow(/line 1, column/);
    },
  );
});

describe('functions of time', () => {
  // 12:00 UTC on 15 January: 13:00 in Berlin, a Thursday.
  const noon = Date.UTC(2026, 0, 15, 12) / 1000;
  gives([
    ['now()', noon],
    ['today_at("07:30")', noon - 5.5 * 3600],
    ['today_at("07:30:15") - today_at("07:30")', 15],
    ['now() > today_at("12:59:59")', true],
    ['timestamp("2026-01-15T12:00:00Z") == now()', true],
    ['now().getHours()', 13],
    ['getMinutes(now() + 90)', 1],
    ['getSeconds(now() + 90)', 30],
    ['now().getDayOfWeek()', 4],
    ['now().getFullYear()', 2026],
    ['now().getMonth()', 0],
    ['now().getDate()', 15],
    ['now().getDayOfMonth()', 14],
    ['getHours("2026-07-01T00:00:00Z")', 2],
  ]);

  it.each(['today_at("25:00")', 'today_at(7)', 'timestamp("yesterday")', 'getHours(1e300)', 'getHours(null)'])(
    '%s is no time',
    (expression) => {
      expect(() => evaluate(expression)).toThrow(/line 1, column/);
    },
  );
});

describe('functions of the home', () => {
  it('read a characteristic in any spelling, of an accessory by name, key or id', () => {
    const home = createExpressionHome();
    const id = home.idOf('Lamp');
    home.set('Lamp', '10', 40);
    for (const accessory of ['Lamp', 'lamp', ' LAMP ', id, id.toUpperCase(), `lamp_${id.slice(-4)}`]) {
      for (const characteristic of ['brightness', 'Brightness', 'public.hap.characteristic.brightness', '8']) {
        expect(home.evaluate(`states("${accessory}", "${characteristic}")`)).toBe(40);
      }
    }
  });

  it('read whether it is on, or the first thing that it shows, where no characteristic is named', () => {
    const home = createExpressionHome();
    home.set('Lamp', '9', true);
    expect(home.evaluate('states("Lamp")')).toBe(true);
    expect(home.evaluate('states("Thermostat")')).toBe(20.5);
    expect(home.evaluate('states("Motion")')).toBe(false);
    expect(home.evaluate('states("Level")')).toBe(7);
  });

  it('know nothing of what is gone or has no value, and of no one else', () => {
    const home = createExpressionHome();
    expect(home.evaluate('states("Nobody")')).toBeNull();
    expect(home.evaluate('states(null)')).toBeNull();
    expect(home.evaluate('states("00000000-0000-4000-8000-999999999999", "brightness")')).toBeNull();
    expect(home.evaluate('is_state("Nobody", null)')).toBe(false);
    expect(home.evaluate('state_attr("Nobody", "room")')).toBeNull();
    expect(home.evaluate('last_changed("Nobody")')).toBeNull();
    expect(home.evaluate('count_changed_within("Nobody", 60)')).toBe(0);
    expect(home.evaluate('virtual("Nobody")')).toBeNull();
    expect(home.expressions.evaluate('states("Lamp")', EMPTY_SCOPE, 'another home')).toBeNull();
    const lamp = home.state.accessory(home.idOf('Lamp'));
    if (lamp) home.state.putAccessories([{ ...lamp, vanishedAt: 1 }]);
    expect(home.evaluate('states("Lamp")')).toBeNull();
  });

  it('refuse a characteristic that a thing has not, and a name that two have', () => {
    const home = createExpressionHome();
    expect(() => home.evaluate('states("Lamp", "humidity")')).toThrow(/has no 'humidity' \(line 1, column 1/);
    home.add({ aid: '1', name: 'lamp', category: 1, services: [] });
    expect(() => home.evaluate('states("Lamp")')).toThrow(/2 things are called 'Lamp'/);
  });

  it('take a name before a key that is like it, and no name that only a vanished thing has too', () => {
    const home = createExpressionHome();
    const key = `lamp_${home.idOf('Lamp').slice(-4)}`;
    const named = home.add({ aid: '1', name: key, category: 1, services: [] });
    expect(home.evaluate(`state_attr("${key}", "id")`)).toBe(named);
    const twin = home.state.accessory(home.add({ aid: '1', name: 'Motion', category: 1, services: [] }));
    expect(() => home.evaluate('states("Motion")')).toThrow(/2 things are called/);
    if (twin) home.state.putAccessories([{ ...twin, vanishedAt: 1 }]);
    expect(home.evaluate('states("Motion")')).toBe(false);
  });

  it('follow renamed things', () => {
    const home = createExpressionHome();
    const lamp = home.state.accessory(home.idOf('Lamp'));
    expect(home.evaluate('states("Lamp")')).toBe(false);
    if (lamp) home.state.putAccessories([{ ...lamp, name: 'Reading Light' }]);
    expect(home.evaluate('states("Lamp")')).toBeNull();
    expect(home.evaluate('states("reading light")')).toBe(false);
  });

  it('see a service group as the one accessory that it is', () => {
    const home = createExpressionHome();
    const members = ['Lamp', 'Lamp 2'].map((name) => ({ accessoryId: home.idOf(name), serviceIid: '8' }));
    home.state.serviceGroups.put({
      id: GROUP_ID,
      homeId: HOME_ID,
      name: 'All Lamps',
      kind: 'light',
      members,
      icon: null,
      createdAt: 0,
    });
    expect(home.evaluate('states("All Lamps")')).toBe(false);
    home.set('Lamp 2', '9', true);
    expect(home.evaluate('states("All Lamps")')).toBe(true);
    expect(home.evaluate(`last_changed("${GROUP_ID}")`)).toBe(home.clock.now() / 1000);
    const { dependencies } = home.expressions.evaluateWatching('states("All Lamps")', EMPTY_SCOPE, HOME_ID);
    expect([...dependencies.accessoryIds].sort()).toEqual(members.map(({ accessoryId }) => accessoryId).sort());
  });

  it('compare states loosely', () => {
    const home = createExpressionHome();
    home.set('Lamp', '9', true);
    for (const value of ['true', '1', '"on"']) expect(home.evaluate(`is_state("Lamp", ${value})`)).toBe(true);
    expect(home.evaluate('is_state("Lamp", "brightness", 50)')).toBe(true);
    expect(home.evaluate('is_state("Lamp", false)')).toBe(false);
  });

  it('report what there is to know about a thing', () => {
    const home = createExpressionHome();
    home.state.setReachable(home.idOf('Lamp'), true);
    expect(home.evaluate('["id", "name", "room", "type", "reachable"].map(a, state_attr("Lamp", a))')).toEqual([
      home.idOf('Lamp'),
      'Lamp',
      'Living Room',
      'light',
      true,
    ]);
    expect(home.evaluate('state_attr("Lamp", "last_seen") == now()')).toBe(true);
    expect(home.evaluate('state_attr("Motion", "battery_level")')).toBe(80);
  });

  it('know when something changed and how often', async () => {
    const home = createExpressionHome();
    expect(home.evaluate('last_changed("Motion")')).toBeNull();
    for (const value of [true, false, true]) {
      home.set('Motion', '9', value);
      await home.clock.advance(60_000);
    }
    expect(home.evaluate('now() - last_changed("Motion")')).toBe(60);
    expect(home.evaluate('count_changed_within("Motion", 130)')).toBe(2);
    expect(home.evaluate('count_changed_within("Motion", "motion_detected", {minutes: 5})')).toBe(3);
    expect(() => home.evaluate('count_changed_within("Motion", "motion_detected", {years: 5})')).toThrow(/seconds/);
    expect(() => home.evaluate('count_changed_within("Motion", -1)')).toThrow(/seconds/);
  });

  it('distinguish what an automation did from what a person did', async () => {
    const home = createExpressionHome();
    expect(home.evaluate('manual_override("Lamp")')).toBe(false);
    home.causes.set(home.idOf('Lamp'), { chain: [{ automationId: 'a', name: 'A' }] });
    home.set('Lamp', '9', true);
    expect(home.evaluate('manual_override("Lamp")')).toBe(false);
    home.causes.clear();
    home.set('Lamp', '9', false);
    expect(home.evaluate('manual_override("Lamp")')).toBe(true);
    await home.clock.advance(120_000);
    expect(home.evaluate('manual_override("Lamp", 60)')).toBe(false);
    expect(home.evaluate('manual_override("Lamp", "on", {hours: 1})')).toBe(true);
    expect(home.evaluate('manual_override("Lamp", "brightness")')).toBe(false);
  });

  it('read virtual accessories and what their timers do', () => {
    const home = createExpressionHome();
    home.timers.set(home.idOf('Egg Timer'), {
      status: 'active',
      durationMs: 60_000,
      startedAt: 1_000,
      endsAt: 61_000,
      remainingMs: 30_000,
      finishedAt: null,
    });
    expect(home.evaluate('virtual("Level") + 1')).toBe(8);
    expect(home.evaluate('virtual("Egg Timer")')).toBe('active');
    expect(
      home.evaluate('["state", "duration", "remaining", "ends_at", "finished_at"].map(f, virtual("Egg Timer", f))'),
    ).toEqual(['active', 60, 30, 61, null]);
    expect(() => home.evaluate('virtual("Lamp")')).toThrow(/no virtual accessory/);
    expect(() => home.evaluate('virtual("Level", "remaining")')).toThrow(/no timer/);
    expect(() => home.evaluate('virtual("Egg Timer", "constructor")')).toThrow(/a timer has state, duration/);
  });

  it('show a press of a button for as long as it is shown', async () => {
    const home = createExpressionHome();
    expect(home.evaluate('states("Button")')).toBeNull();
    home.state.press(home.idOf('Button'), '9', 2);
    expect(home.evaluate('states("Button")')).toBe(2);
    expect(home.evaluate('last_changed("Button") == now()')).toBe(true);
  });
});

describe('evaluateWatching', () => {
  const watch = (expression: string) => {
    const home = createExpressionHome();
    const { accessoryIds, usesTime, missesThing } = home.expressions.watch(
      expression,
      EMPTY_SCOPE,
      HOME_ID,
    ).dependencies;
    const names = [...accessoryIds].map((id) => home.state.accessory(id)?.name);
    return { names, usesTime, missesThing };
  };

  it('reports which accessories were looked at', () => {
    expect(watch('states("Lamp") or is_state("Motion", true)')).toEqual({
      names: ['Lamp', 'Motion'],
      usesTime: false,
      missesThing: false,
    });
  });

  it('reports whether the time was looked at', () => {
    expect(watch('now() > 1').usesTime).toBe(true);
    expect(watch('today_at("10:00") > 1').usesTime).toBe(true);
    expect(watch('count_changed_within("Lamp", 60) > 1')).toMatchObject({ names: ['Lamp'], usesTime: true });
    expect(watch('timestamp("2026-01-01T00:00:00Z") > 1').usesTime).toBe(false);
  });

  it('reports that something was not there', () => {
    expect(watch('states("Nobody") == 1').missesThing).toBe(true);
  });

  it('reports what was looked at also where it ends with a fault', () => {
    expect(watch('states("Lamp", "brightness") + states("Motion") / 0').names).toEqual(['Lamp', 'Motion']);
    const home = createExpressionHome();
    const { value, error } = home.expressions.watch('1 / 0', EMPTY_SCOPE, HOME_ID);
    expect([value, error?.code]).toEqual([null, 'invalid_value']);
  });
});

const GROUP_ID = '00000000-0000-4000-8000-0000000000a1';
