/** What the pages of automations make of the relay's answers: lists, runs, dry runs, versions. */

import runTexts from 'texts:automation-runs';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { checkDocument } from '../../../src/api/graphql/limits.ts';
import { BLOCKED_REASONS } from '../../../src/contract/automation-runs.ts';
import { RUN_REASONS } from '../../../src/kernel/reasons.ts';
import { differencesOf } from '../../../src/web/dashboard/pages/automations/details/flow-diff.ts';
import { scenarioOf, timelineOf, unmetRunsOf } from '../../../src/web/dashboard/pages/automations/dry-run/timeline.ts';
import { toFlowRecord } from '../../../src/web/dashboard/pages/automations/flow/flow-record.ts';
import {
  type AutomationEntry,
  found,
  groupsOf,
  hasWebhook,
  roomIdsOf,
  troubleOf,
} from '../../../src/web/dashboard/pages/automations/list/automation-list.ts';
import { parseListView, presentListView } from '../../../src/web/dashboard/pages/automations/list/list-view.ts';
import { AT_ONCE, documentFor, readStatuses } from '../../../src/web/dashboard/pages/automations/list/statuses.ts';
import { foldRuns } from '../../../src/web/dashboard/pages/automations/runs/condition-not-met.ts';
import { treeOf } from '../../../src/web/dashboard/pages/automations/runs/step-tree.ts';
import {
  blockedText,
  branchText,
  failureText,
  tipFor,
} from '../../../src/web/dashboard/pages/automations/runs/trace-words.ts';

const NO_LISTS = { writes: [], notifications: [], requests: [], events: [], commands: [], blocked: [], runs: [] };

describe('the list of automations', () => {
  const entry = (name: string, isEnabled: boolean): AutomationEntry => ({
    ...{ kind: 'flows', id: name, name, isEnabled, lastRunAt: null, isWithoutPlace: false, flow: undefined },
  });
  const all = [entry('Morning light', true), entry('Night', false)];
  const names = (search: string, filter: 'all' | 'active' | 'off' | 'trouble') =>
    found(
      all,
      { search, filter },
      ({ name }) => name,
      ({ name }) => name === 'Night',
    ).map(({ name }) => name);

  it('is found by all of the words, in any order, and by its state', () => {
    expect(names('LIGHT morn', 'all')).toEqual(['Morning light']);
    expect(names('light', 'off')).toEqual([]);
    expect(names('', 'off')).toEqual(['Night']);
    expect(names(' ', 'active')).toEqual(['Morning light']);
    expect(names('', 'trouble')).toEqual(['Night']);
  });

  it('has a webhook that ends with it if a trigger is one, or if it can not be read', () => {
    const flow = (type: string) => toFlowRecord({ name: 'It', triggers: [{ type, webhookId: 'x' }], actions: [] });
    const one = entry('It', true);
    expect(hasWebhook({ ...one, kind: 'flows', flow: flow('webhook') })).toBe(true);
    expect(hasWebhook({ ...one, kind: 'flows', flow: flow('time') })).toBe(false);
    expect(hasWebhook({ ...one, kind: 'flows', flow: undefined })).toBe(true);
    expect(hasWebhook({ ...one, kind: 'native', draft: {} as never })).toBe(false);
  });

  it('belongs to the rooms of its accessories and of the members of its groups', () => {
    const home = {
      accessories: [
        { id: 'lamp-1', roomId: 'hall' },
        { id: 'lamp-2', roomId: 'attic' },
        { id: 'lamp-3', roomId: 'cellar' },
      ],
      serviceGroups: [{ id: 'group-1', accessoryIds: ['lamp-2'] }],
    };
    const flow = toFlowRecord({
      name: 'Both',
      triggers: [{ type: 'template', expression: 'state("lamp-1").on' }],
      actions: [{ type: 'set_service_group', groupId: 'group-1' }],
    });
    expect([...roomIdsOf({ ...entry('Both', true), kind: 'flows', flow }, home)]).toEqual(['hall', 'attic']);
    expect([...roomIdsOf(entry('Unreadable', true), home)]).toEqual([]);
  });

  it('keeps its filters in the address, and takes no unknown ones from there', () => {
    const view = { search: 'lamp & fan', filter: 'off', roomId: 'hall' } as const;
    expect(parseListView(presentListView(view))).toEqual(view);
    expect(presentListView({ search: '', filter: 'all', roomId: '' })).toBe('');
    expect(parseListView('?show=everything')).toEqual({ search: '', filter: 'all', roomId: '' });
  });

  it('is grouped by the room in which each acts, else by that of its triggers', () => {
    const home = {
      accessories: [
        { id: 'lamp-1', roomId: 'hall' },
        { id: 'lamp-2', roomId: 'attic' },
        { id: 'door-1', roomId: 'hall' },
      ],
      serviceGroups: [{ id: 'group-1', accessoryIds: ['lamp-1', 'lamp-2'] }],
    };
    const doing = (name: string, triggers: string[], actions: string[]) => {
      const flow = toFlowRecord({
        name,
        triggers: triggers.map((accessoryId) => ({ type: 'state', accessoryId })),
        actions: actions.map((accessoryId) => ({ type: 'set_characteristic', accessoryId })),
      });
      return { ...entry(name, true), kind: 'flows' as const, flow };
    };
    const entries = [
      doing('elsewhere', ['door-1'], ['lamp-2']),
      doing('notifies', ['door-1'], []),
      doing('both', [], ['group-1']),
      doing('two', ['door-1'], ['lamp-1', 'lamp-2']),
      doing('nowhere', [], ['gone']),
      doing('hall', ['lamp-2'], ['lamp-1']),
      entry('Unreadable', true),
    ];
    const groups = groupsOf(entries, home, ['attic', 'cellar', 'hall']);
    expect(groups.map(({ place, entries: some }) => [place, some.map(({ name }) => name)])).toEqual([
      ['attic', ['elsewhere']],
      ['hall', ['notifies', 'hall']],
      ['several', ['both', 'two']],
      ['none', ['nowhere', 'Unreadable']],
    ]);
  });

  it('asks for as many automations at once as one request may name', () => {
    const ids = Array.from({ length: AT_ONCE }, (_, index) => `id-${index}`);
    expect(() => checkDocument(parse(documentFor(ids)))).not.toThrow();
  });

  it('reads the newest run and the next moment of each, and takes nothing else for one', () => {
    expect(documentFor(['x'])).toContain('t0: flowTraces(flowId: "x", limit: 1)');
    const answer = {
      t0: [{ id: 't', status: 'error', error: 'No', blockedReason: null, startedAt: '2026-01-01T00:00:00Z' }],
      n0: ['2026-01-02T00:00:00Z'],
      t1: null,
      n1: 7,
    };
    const statuses = readStatuses(['a', 'b'], answer);
    expect(troubleOf(statuses.get('a'))).toBe('failed');
    expect(statuses.get('a')?.nextAt).toBe('2026-01-02T00:00:00Z');
    expect(statuses.get('b')).toEqual({ last: undefined, blockedReason: null, nextAt: null });
  });
});

describe('a run', () => {
  it('is a tree: rounds and branches below the step that they are of, a later attempt beside the first', () => {
    const steps = [
      { index: 0, nodeId: 'on' },
      { index: 1, nodeId: 'loop' },
      { index: 2, nodeId: 'set', parentNodeId: 'loop', branch: 'sequence', iteration: 1 },
      { index: 3, nodeId: 'set', parentNodeId: 'loop', branch: 'sequence', iteration: 2 },
      { index: 4, nodeId: 'orphan', parentNodeId: 'unknown' },
    ];
    const tree = treeOf(steps);
    expect(tree.map(({ step }) => step.nodeId)).toEqual(['on', 'loop', 'orphan']);
    expect(tree[1]?.groups.map(({ branch, iteration, nodes }) => [branch, iteration, nodes.length])).toEqual([
      ['sequence', 1, 1],
      ['sequence', 2, 1],
    ]);
  });

  it.each(BLOCKED_REASONS)('that did not come about because of %s has a sentence in both languages', (reason) => {
    for (const language of ['en', 'de'] as const) {
      const text = blockedText(reason, runTexts.in(language));
      expect(text).not.toContain(reason);
      expect(text.endsWith('.')).toBe(true);
    }
  });

  it('shows in words of the page why a run or a step did not end well', () => {
    const texts = runTexts.in('de');
    expect(Object.keys(texts.reasons).sort()).toEqual([...RUN_REASONS].sort());
    const words = {
      texts,
      errors: { relay_not_connected: 'Nicht verbunden.' },
      nameOf: (id: string) => ({ a: 'Lampe', b: 'Dose' })[id],
      list: (names: readonly string[]) => names.join(' und '),
    };
    const write = (reason: string | null, codes: Readonly<Record<string, string>> = {}) => {
      const refusals = Object.entries(codes).map(([accessoryId, code]) => ({ accessoryId, code }));
      return failureText({ error: 'In English.', reason, refusals }, words);
    };
    expect(write('cancelled')).toBe(texts.reasons.cancelled);
    expect(write('expression')).toBe(`${texts.reasons.expression} Das Relay schreibt dazu auf Englisch: In English.`);
    expect(write('relay_not_connected')).toBe('Nicht verbunden.');
    expect(write(null)).toBe('In English.');
    expect(write('of a later relay')).toBe('In English.');
    expect(
      write('not_all_done', { a: 'accessory_unreachable', b: 'accessory_unreachable', c: 'accessory_not_found' }),
    ).toBe('Lampe und Dose antworten nicht. Ein entferntes Gerät gibt es nicht mehr.');
    expect(write('accessory_error', { a: 'accessory_error' })).toBe('Lampe hat nicht getan, was es sollte.');
    const tip = (reason: string) => tipFor({ error: '', reason }, 'error');
    expect(['accessory_unreachable', 'scene_not_found', 'web_timeout', 'new'].map(tip)).toEqual([
      'unreachable',
      'missing',
      'network',
      'other',
    ]);
  });

  it('names branches as people count', () => {
    const name = (branch: string) => branchText(branch, runTexts.in('en'), String);
    expect([name('then'), name('choices[1]'), name('branches[0]')]).toEqual(['Then', 'Case 2', 'Branch 1']);
  });
});

describe('runs in a row whose conditions did not hold', () => {
  const run = (id: number, ...steps: { type: string; result: string; parentNodeId?: string | null }[]) => ({
    id,
    steps,
  });
  const notMet = (id: number) => run(id, { type: 'condition', result: 'failed', parentNodeId: null });

  it('are one entry; others and those of a step within stay alone', () => {
    const done = run(3, { type: 'condition', result: 'passed' }, { type: 'action', result: 'executed' });
    const within = run(
      4,
      { type: 'action', result: 'executed' },
      { type: 'condition', result: 'failed', parentNodeId: 'choose' },
    );
    const runs = [notMet(1), notMet(2), done, within, run(5), notMet(6)];
    expect(foldRuns(runs).map((some) => some.map(({ id }) => id))).toEqual([[1, 2], [3], [4], [5], [6]]);
  });
});

describe('a dry run', () => {
  it('is shown in the order of its clock, without what this dashboard does not know', () => {
    const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
    const timeline = timelineOf({
      ...NO_LISTS,
      writes: [{ at: at(3), accessoryId: 'a', accessoryName: 'A', characteristicType: 'power_state', value: true }, 5],
      notifications: [{ at: at(1), message: 'Hello' }],
      blocked: [{ at: 'never', reason: 'loop' }],
      runs: [{ finishedAt: at(2), error: 'Broken', blockedReason: null }],
    });
    expect(timeline.map(({ kind }) => kind)).toEqual(['notification', 'failure', 'write']);
  });

  it('names the condition that kept a run from doing anything, and does not count the run', () => {
    const conditions = [
      { type: 'time', summary: 'between', passed: true },
      { type: 'sun', summary: 'It is dark', passed: false },
    ];
    const step = { type: 'condition', nodeSummary: 'All', result: 'failed', parentNodeId: null };
    const startedAt = '2026-01-01T08:08:00.000Z';
    const runs = [
      { startedAt, steps: [{ ...step, output: { operator: 'and', passed: false, conditions } }] },
      { startedAt, steps: [{ ...step, output: { operator: 'or', passed: false, conditions } }] },
      {
        startedAt,
        steps: [
          { ...step, result: 'passed' },
          { type: 'action', result: 'executed' },
        ],
      },
      { startedAt },
    ];
    expect(unmetRunsOf({ runs })).toEqual({
      unmet: [
        { at: Date.parse(startedAt), summary: 'It is dark', index: 1 },
        { at: Date.parse(startedAt), summary: 'All', index: undefined },
      ],
      done: 2,
    });
  });

  it('sends the pretended values, without what is not complete yet', () => {
    const change = { accessoryId: 'a', characteristicType: 'power_state', value: false, afterMs: 5_000 };
    const trial = { isAtOnce: true, start: '', lengthMs: 60_000, others: false };
    expect(scenarioOf({ ...trial, changes: [change, { ...change, accessoryId: '' }] })).toEqual({
      durationS: 60,
      others: false,
      trigger: {},
      events: [{ at: 5, set: { accessoryId: 'a', characteristicType: 'power_state', value: false } }],
    });
  });
});

describe('two versions of a flow', () => {
  const set = (id: string, value: boolean) => ({ id, type: 'set_characteristic', accessoryId: 'a', value });
  const inside = (actions: readonly object[]) => ({ id: 'if', type: 'repeat', sequence: actions });

  it('differ in the nodes that came, went and changed, however deep they lie', () => {
    const before = toFlowRecord({ name: 'A', triggers: [], actions: [inside([set('one', true), set('two', true)])] });
    const after = toFlowRecord({
      name: 'A',
      mode: 'queued',
      triggers: [],
      actions: [inside([set('two', false), set('new', true)])],
    });
    const reported = differencesOf(before, after).map((each) =>
      each.kind === 'changed'
        ? `changed ${each.after.id}`
        : 'node' in each
          ? `${each.kind} ${each.node.id}`
          : each.kind,
    );
    expect(reported).toEqual(['changed if', 'changed two', 'added new', 'removed one', 'setting']);
  });

  it('do not differ by the order of their fields', () => {
    const before = toFlowRecord({ name: 'A', actions: [{ id: 'x', type: 'stop', reason: 'r' }] });
    const after = toFlowRecord({ name: 'B', actions: [{ reason: 'r', type: 'stop', id: 'x' }] });
    expect(differencesOf(before, after)).toEqual([]);
  });
});
