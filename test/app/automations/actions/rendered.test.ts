import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunContext } from '../../../../src/app/automations/actions/action-kind.ts';
import {
  renderDuration,
  renderNumber,
  renderText,
  renderWholeNumber,
} from '../../../../src/app/automations/actions/rendered.ts';
import type { TemplateDuration } from '../../../../src/app/automations/field-types.ts';
import { HearthError } from '../../../../src/kernel/errors.ts';
import type { Json } from '../../../../src/kernel/json.ts';

const MAX_DURATION_MS = 86_400_000;

/** A run whose templates render to the given values. */
function coming(to: Json): RunContext {
  return { render: () => to } as unknown as RunContext;
}

const duration = (value: Json): number =>
  renderDuration(coming(value), value as TemplateDuration, 'duration', MAX_DURATION_MS);

describe('a duration', () => {
  it.each<[Json, number]>([
    [0, 0],
    [1.5, 1_500],
    ['90', 90_000],
    [' 90 ', 90_000],
    ['1:30', 90_000],
    ['0:00:01.5', 1_500],
    ['24:00:00', MAX_DURATION_MS],
    [{}, 0],
    [{ hours: 1, minutes: '2', seconds: 3.25 }, 3_723_250],
  ])('%j is %i ms', (value, ms) => {
    expect(duration(value)).toBe(ms);
  });

  it.each<[Json]>([
    [-1],
    ['-1'],
    [''],
    ['1:2:3:4'],
    ['1h'],
    [true],
    [[]],
    [{ hours: -1 }],
    [{ hours: null }],
    [86_400.001],
    ['1e9'],
  ])('%j is none', (value) => {
    expect(() => duration(value)).toThrow(HearthError);
  });

  it('is whole milliseconds within its bounds, or a refusal with a short sentence, for every input', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          const ms = duration(value as Json);
          expect(Number.isSafeInteger(ms) && ms >= 0 && ms <= MAX_DURATION_MS).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_value' });
          expect((error as Error).message.length).toBeLessThan(300);
        }
      }),
    );
  });
});

describe('a number', () => {
  it.each<[Json, number]>([
    [3, 3],
    ['3.5', 3.5],
    ['1e2', 100],
  ])('%j is %d', (value, number) => {
    expect(renderNumber(coming(value), '', 'step')).toBe(number);
  });

  it.each<[Json]>([['NaN'], ['Infinity'], ['1e999'], ['0x'], [null], [false], [{}], [-0.5]])('%j is none', (value) => {
    expect(() => renderNumber(coming(value), '', 'step')).toThrow(
      /^step came to .*; give a number that is not negative$/,
    );
  });

  it('is whole where it must be', () => {
    expect(renderWholeNumber(coming('4'), '', 'count')).toBe(4);
    expect(() => renderWholeNumber(coming(4.5), '', 'count')).toThrow('count is 4.5; give a whole number');
  });
});

describe('a text', () => {
  it.each<[Json, string]>([
    ['', ''],
    [5, '5'],
    [false, 'false'],
  ])('%j is %j', (value, text) => {
    expect(renderText(coming(value), '', 'title')).toBe(text);
  });

  it.each<[Json]>([[null], [[]], [{}]])('%j is none', (value) => {
    expect(() => renderText(coming(value), '', 'title')).toThrow(/^title came to .*; it must be a text$/);
  });
});
