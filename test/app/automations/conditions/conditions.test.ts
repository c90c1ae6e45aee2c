import { beforeEach, describe, expect, it } from 'vitest';
import type { Condition, ConditionBlock } from '../../../../src/app/automations/conditions/index.ts';
import { summarizeConditions } from '../../../../src/app/automations/conditions/index.ts';
import { type ConditionHome, createConditionHome } from './condition-home.ts';

const YES: Condition = { type: 'template', expression: 'true' };
const NO: Condition = { type: 'template', expression: 'false' };

let home: ConditionHome;
beforeEach(() => {
  home = createConditionHome();
});

describe('a block of conditions', () => {
  it.each([
    ['and', [], true],
    ['or', [], true],
    ['not', [], true],
    ['and', [YES, YES], true],
    ['and', [YES, NO], false],
    ['or', [NO, YES], true],
    ['or', [NO, NO], false],
    ['not', [NO, NO], true],
    ['not', [NO, YES], false],
    ['and', [YES, { operator: 'or', conditions: [NO, { operator: 'not', conditions: [NO] }] }], true],
    ['not', [{ operator: 'and', conditions: [YES, NO] }], true],
    ['and', [{ operator: 'and', conditions: [] }], true],
  ] as const)('%s %j: %s', (operator, conditions, passed) => {
    expect(home.judge({ operator, conditions }).passed).toBe(passed);
  });

  it('reports what each condition found, nested as they are, as far as it looked', () => {
    const block: ConditionBlock = {
      operator: 'and',
      conditions: [YES, { operator: 'or', conditions: [NO, YES, NO] }, NO, YES],
    };
    const yes = { type: 'template', summary: 'true is true', passed: true, found: { value: true } };
    const no = { type: 'template', summary: 'false is true', passed: false, found: { value: false } };
    expect(home.judge(block).results).toEqual({
      operator: 'and',
      passed: false,
      conditions: [yes, { operator: 'or', passed: true, conditions: [no, yes] }, no],
    });
  });
});

describe('a template condition', () => {
  it('holds where the expression counts as true', () => {
    home.set('Lamp', '9', true);
    expect(
      home.holds({ type: 'template', expression: 'states("Lamp") and variable > 2' }, undefined, {
        variables: { variable: 3 },
      }),
    ).toBe(true);
    expect(home.holds({ type: 'template', expression: '"off"' })).toBe(false);
    expect(home.holds({ type: 'template', expression: '{{ 1 == 1 }}' })).toBe(true);
  });

  it('does not hold where it can not be evaluated, with the reason', () => {
    expect(home.holds({ type: 'template', expression: '1 / 0 == 1' })).toBe(false);
    expect(home.found({ type: 'template', expression: 'gone > 1' })).toEqual({
      error: expect.stringContaining("there is no variable 'gone'"),
    });
  });
});

describe('a trigger condition', () => {
  const byMotion: Condition = { type: 'trigger', triggerId: 'motion' };

  it('holds where that trigger fired', () => {
    const trigger = { id: 'motion', type: 'state', timestamp: Date.parse('2026-01-15T12:00:00Z') / 1000 } as const;
    expect(home.holds(byMotion, undefined, { trigger })).toBe(true);
    expect(home.holds(byMotion, undefined, { trigger: { ...trigger, id: 'door' } })).toBe(false);
  });

  it('does not hold in a run that a person started', () => {
    expect(home.holds(byMotion)).toBe(false);
    const trigger = { id: null, type: 'manual', timestamp: Date.parse('2026-01-15T12:00:00Z') / 1000 } as const;
    expect(home.holds(byMotion, undefined, { trigger })).toBe(false);
  });
});

describe('a presence condition', () => {
  const anna = { id: 'anna', name: 'Anna', atHome: true };
  const ben = { id: 'ben', name: 'Ben', atHome: false };
  const cleo = { id: 'cleo', name: 'Cleo', atHome: null };

  it.each([
    ['atHome', 'anyone', [anna, ben], true],
    ['atHome', 'everyone', [anna, ben], false],
    ['atHome', 'everyone', [anna], true],
    ['notAtHome', 'anyone', [anna, ben], true],
    ['notAtHome', 'everyone', [ben], true],
    ['notAtHome', 'everyone', [anna, ben], false],
    ['atHome', 'anyone', [ben, cleo], false],
    ['atHome', 'everyone', [anna, cleo], false],
    ['notAtHome', 'everyone', [ben, cleo], false],
    ['atHome', 'anyone', [], false],
    ['atHome', 'everyone', [], false],
    ['notAtHome', 'everyone', [], false],
    ['atHome', ['anna'], [anna, ben], true],
    ['atHome', ['anna', 'ben'], [anna, ben], false],
    ['notAtHome', ['ben'], [anna, ben], true],
    ['atHome', ['anna', 'gone'], [anna], false],
    ['atHome', [], [anna], false],
  ] as const)('%s %j of %j: %s', (event, who, people, passed) => {
    home.setPeople(people);
    expect(home.holds({ type: 'presence', event, who })).toBe(passed);
  });

  it('reports who was where', () => {
    home.setPeople([anna, cleo]);
    expect(home.found({ type: 'presence', event: 'atHome', who: 'everyone' })).toEqual({
      people: [
        { name: 'Anna', atHome: true },
        { name: 'Cleo', atHome: null },
      ],
    });
  });
});

describe('summaries', () => {
  it('state in one line what a block asks', () => {
    const block: ConditionBlock = {
      operator: 'and',
      conditions: [
        { type: 'state', accessoryId: home.idOf('Motion'), characteristicType: 'motion_detected', value: true },
        {
          type: 'numeric_state',
          accessoryId: home.idOf('Lamp'),
          characteristicType: 'brightness',
          above: 10,
          below: 20,
        },
        {
          operator: 'or',
          conditions: [
            { type: 'time', after: '22:00', before: '06:00', weekdays: [5] },
            { type: 'sun', after: 'sunset', afterOffset: { minutes: -30 }, before: 'sunrise' },
          ],
        },
        { operator: 'not', conditions: [{ type: 'presence', event: 'atHome', who: 'anyone' }] },
      ],
    };
    expect(summarizeConditions(block, home.state)).toBe(
      'Motion detected of Motion is on and Brightness of Lamp is above 10 and below 20 and ' +
        '(It is after 22:00, before 06:00, on Friday or It is after 30 minutes before sunset and before sunrise) and ' +
        '(Not Someone is at home)',
    );
    expect(summarizeConditions({ operator: 'and', conditions: [] }, home.state)).toBe('No conditions');
  });

  it('never fail, regardless of what is gone', () => {
    const gone = '00000000-0000-4000-8000-999999999999';
    const conditions: readonly Condition[] = [
      { type: 'state', accessoryId: gone, characteristicType: 'brightness', value: 1, operator: 'at_least' },
      { type: 'state', serviceGroupId: gone, characteristicType: 'nothing_known_2', value: null, operator: 'neq' },
      { type: 'trigger', triggerId: 'gone' },
      { type: 'presence', event: 'notAtHome', who: [gone] },
      { type: 'sun' },
      { type: 'time' },
    ];
    for (const condition of conditions) {
      expect(summarizeConditions({ operator: 'not', conditions: [condition, condition] }, home.state)).toMatch(
        /^Not any of: ./,
      );
    }
  });
});
