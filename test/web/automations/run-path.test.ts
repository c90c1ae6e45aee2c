/** The way of a run as a line: in order, with the branches that it went into and where it stopped. */
import { expect, it } from 'vitest';
import { pathOf } from '../../../src/web/dashboard/pages/automations/runs/run-path.ts';

const step = (index: number, nodeId: string, result: string, more: object = {}) => ({ index, nodeId, result, ...more });
const inside = (parentNodeId: string, branch: string, iteration: number | null = null) => ({
  parentNodeId,
  branch,
  iteration,
});
const lineOf = (steps: Parameters<typeof pathOf>[0], isWhole: boolean) =>
  pathOf(steps, isWhole).map(({ step: { nodeId }, branch, rounds, isEnd }) => [nodeId, branch, rounds, isEnd]);

it('names the branch where it begins, and goes on after it', () => {
  const steps = [
    step(0, 'check', 'executed'),
    step(1, 'lamp', 'executed', inside('check', 'else')),
    step(2, 'fan', 'executed', inside('check', 'else')),
    step(3, 'notify', 'executed'),
  ];
  expect(lineOf(steps, true)).toEqual([
    ['check', null, 1, false],
    ['lamp', 'else', 1, false],
    ['fan', null, 1, false],
    ['notify', null, 1, false],
  ]);
});

it('leaves out the condition of a branch, whose answer is the branch', () => {
  const steps = [
    step(0, 'check', 'executed'),
    step(1, 'condition', 'failed', { type: 'condition', ...inside('check', 'else') }),
    step(2, 'lamp', 'executed', inside('check', 'else')),
  ];
  expect(lineOf(steps, true)).toEqual([
    ['check', null, 1, false],
    ['lamp', 'else', 1, false],
  ]);
});

it('ends at the innermost step that failed', () => {
  const steps = [step(0, 'check', 'error'), step(1, 'lamp', 'error', inside('check', 'then'))];
  expect(lineOf(steps, false)).toEqual([
    ['check', null, 1, false],
    ['lamp', 'then', 1, true],
  ]);
});

it('ends at the condition that was not met', () => {
  const steps = [step(0, 'conditions', 'failed')];
  expect(lineOf(steps, false)).toEqual([['conditions', null, 1, true]]);
  expect(lineOf([step(0, 'lamp', 'executed')], false)).toEqual([['lamp', null, 1, false]]);
});

it('has the last round of a loop, with how many there were', () => {
  const steps = [
    step(0, 'loop', 'executed'),
    step(1, 'lamp', 'executed', inside('loop', 'sequence', 1)),
    step(2, 'lamp', 'executed', inside('loop', 'sequence', 2)),
  ];
  expect(pathOf(steps, true).map(({ step: { index }, branch, rounds }) => [index, branch, rounds])).toEqual([
    [0, null, 1],
    [2, 'sequence', 2],
  ]);
});
