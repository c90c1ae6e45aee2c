import { describe, expect, it } from 'vitest';
import { Frame } from '../../../../src/app/automations/engine/frame.ts';
import { EndedSignal, FailedSignal, missedEnd } from '../../../../src/app/automations/engine/signals.ts';
import { whyNotOf } from '../../../../src/app/automations/engine/why-not.ts';
import { HearthError } from '../../../../src/kernel/errors.ts';

function frame(): Frame {
  return new Frame({ trigger: { id: 't', type: 'event' } as never, cause: { chain: [] }, variables: { a: 1 } });
}

describe('what a run has', () => {
  it('is of the step that was last, in any order of their replay', () => {
    const some = frame();
    const wait = (name: string) => ({ name }) as never;
    some.setVariables({ b: 'second' }, 2);
    some.setVariables({ a: 'first', b: 'first' }, 1);
    expect(some.variables).toEqual({ a: 'first', b: 'second' });
    some.setVariables({ b: 'second again' }, 2);
    expect(some.variables).toEqual({ a: 'first', b: 'second again' });
    expect(some.wait).toBeNull();
    some.setWait(wait('second'), 2);
    some.setWait(wait('first'), 1);
    expect(some.wait).toEqual({ name: 'second' });
    some.setWait(wait('second again'), 2);
    expect(some.wait).toEqual({ name: 'second again' });
  });
});

describe('why something was not done', () => {
  it('is what the error knows of it', () => {
    const missed = { ...missedEnd('It came due'), reason: 'triggered_again' as const };
    expect(whyNotOf(new EndedSignal(missed))).toEqual({ reason: 'triggered_again' });
    expect(whyNotOf(new FailedSignal(frame(), 'x', { reason: 'interrupted' }))).toEqual({ reason: 'interrupted' });
    expect(whyNotOf(new HearthError('conflict', 'x', { reason: 'interrupted' }))).toEqual({ reason: 'interrupted' });
    expect(whyNotOf(new HearthError('conflict', 'x'))).toEqual({ reason: 'conflict' });
    expect(whyNotOf(new Error('x'))).toEqual({});
  });
});
