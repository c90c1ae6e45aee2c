import { describe, expect, it } from 'vitest';
import {
  faultIn,
  fieldsOf,
  newFields,
  presentFields,
  VIRTUAL_KINDS,
  type VirtualFields,
  type VirtualKind,
} from '../../../src/web/dashboard/pages/virtual/virtual-kinds.ts';

describe('the form of a virtual accessory', () => {
  it.each(VIRTUAL_KINDS)('is fit to be sent as a new %s begins', (kind) => {
    expect(faultIn(kind, newFields(kind, ['Home', 'Away']))).toBeUndefined();
  });

  it.each<[VirtualKind, object]>([
    ['input_boolean', { initialValue: true }],
    ['input_select', { options: ['Home', 'Away'] }],
    ['input_number', { min: 5, max: 30, step: 0.5, initialValue: 21, unit: '°C', control: 'field' }],
    ['counter', { min: null, max: 10, step: 2, initialValue: 4 }],
    ['timer', { durationMs: 90_000 }],
    ['input_text', { minLength: 1, maxLength: 9, pattern: '[a-z]+', initialValue: 'abc' }],
    ['input_datetime', { hasDate: false, hasTime: true }],
  ])('gives back what a %s is configured to', (kind, config) => {
    expect(presentFields(kind, fieldsOf(config))).toEqual(config);
  });

  it('reads the start of a counter under the name that the relay has for it', () => {
    expect(fieldsOf({ initial: 7 }).start).toBe(7);
  });

  it.each([[null], ['text'], [[1]], [{ min: 'low', options: [1, 'a'], durationMs: null }]])(
    'begins as a new one where the configuration is %j',
    (config) => {
      expect(fieldsOf(config)).toMatchObject({ min: undefined, step: 1, durationMs: 300_000 });
    },
  );

  it.each<[VirtualKind, Partial<VirtualFields>, string]>([
    ['input_select', { options: ['Home', ' Home ', ''] }, 'twoModes'],
    ['input_number', { min: undefined }, 'bounds'],
    ['input_number', { min: 10, max: 10 }, 'order'],
    ['input_number', { step: 0 }, 'noStep'],
    ['input_number', { start: 101 }, 'outside'],
    ['counter', { max: -1 }, 'outside'],
    ['timer', { durationMs: 0 }, 'noDuration'],
    ['input_text', { minLength: 9, maxLength: 3 }, 'order'],
    ['input_datetime', { hasDate: false, hasTime: false }, 'dateOrTime'],
  ])('reports what is wrong with a %s of %j', (kind, fields, fault) => {
    expect(faultIn(kind, { ...newFields(kind, ['Home', 'Away']), ...fields })).toBe(fault);
  });
});
