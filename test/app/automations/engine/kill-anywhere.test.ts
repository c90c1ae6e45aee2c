/**
 * Random flows, killed at random commits: before it, when nothing of it is on the disk, and after it. However often
 * that happens, each count is made exactly once, also those that another flow makes when it is called, and no message
 * is sent twice.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HttpSender } from '../../../../src/home/http-sender.ts';
import { type AutomationHome, createAutomationHome } from '../../../support/automation-home.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { killAt } from './kill-at.ts';

/** What a flow is made of here, and how often it counts. */
type Part =
  | { readonly kind: 'count' | 'tell' | 'send' }
  | { readonly kind: 'delay'; readonly seconds: number }
  | { readonly kind: 'repeat'; readonly rounds: number; readonly parts: readonly Part[] }
  | { readonly kind: 'parallel'; readonly branches: readonly (readonly Part[])[] }
  | { readonly kind: 'choose'; readonly isTaken: boolean; readonly parts: readonly Part[] };

const leaf: fc.Arbitrary<Part> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Part>({ kind: 'count' }) },
  { weight: 1, arbitrary: fc.constant<Part>({ kind: 'tell' }) },
  { weight: 1, arbitrary: fc.constant<Part>({ kind: 'send' }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 20 }).map((seconds): Part => ({ kind: 'delay', seconds })) },
);

function partsOf(depth: number): fc.Arbitrary<Part[]> {
  return fc.array(
    depth === 0 ? leaf : fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 3, arbitrary: nest(depth) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
}

function nest(depth: number): fc.Arbitrary<Part> {
  const parts = partsOf(depth - 1);
  return fc.oneof(
    fc.record({ kind: fc.constant('repeat' as const), rounds: fc.integer({ min: 1, max: 3 }), parts }),
    fc.record({
      kind: fc.constant('parallel' as const),
      branches: fc.array(parts, { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('choose' as const), isTaken: fc.boolean(), parts }),
  );
}

function timesIn(parts: readonly Part[], kind: 'count' | 'tell' | 'send'): number {
  return parts
    .map((part): number => {
      switch (part.kind) {
        case 'repeat':
          return part.rounds * timesIn(part.parts, kind);
        case 'parallel':
          return part.branches.reduce((sum, branch) => sum + timesIn(branch, kind), 0);
        case 'choose':
          return part.isTaken ? timesIn(part.parts, kind) : 0;
        default:
          return part.kind === kind ? 1 : 0;
      }
    })
    .reduce((sum, times) => sum + times, 0);
}

function actionOf(part: Part, counter: string): Record<string, unknown> {
  const all = (parts: readonly Part[]) => parts.map((one) => actionOf(one, counter));
  switch (part.kind) {
    case 'count':
      return { type: 'virtual', accessoryId: counter, operation: 'increment' };
    case 'tell':
      return { type: 'fire_event', eventType: 'count' };
    case 'send':
      return { type: 'fire_webhook', url: 'http://192.168.7.7/x', onError: 'continue' };
    case 'delay':
      return { type: 'delay', duration: { seconds: part.seconds } };
    case 'repeat':
      return { type: 'repeat', mode: 'count', count: part.rounds, sequence: all(part.parts) };
    case 'parallel':
      return { type: 'parallel', branches: part.branches.map(all) };
    case 'choose': {
      const conditions = { operator: 'and', conditions: [{ type: 'template', expression: `{{ ${part.isTaken} }}` }] };
      return { type: 'choose', choices: [{ conditions, actions: all(part.parts) }] };
    }
  }
}

let directory: TempDirectory;
let files = 0;
beforeAll(() => {
  directory = createTempDirectory('kill-anywhere');
});
afterAll(() => directory.remove());

interface Life {
  readonly home: AutomationHome;
  readonly isDead: () => boolean;
}

function makeCounter({ virtuals, home }: AutomationHome, name: string) {
  return virtuals.create(systemCaller, { homeId: home.id, name, type: 'counter' });
}

/** One life of the daemon; it ends at this commit. */
function live(
  path: string,
  at: number,
  sent: { count: number },
  death: { commit: number; before: boolean } | null,
): Life {
  let isDead = (): boolean => false;
  const http: HttpSender = {
    send: async () => {
      if (isDead()) return new Promise(() => {});
      sent.count += 1;
      return { status: 200, statusText: 'OK', headers: {}, body: '' };
    },
  };
  const home = createAutomationHome({
    path,
    http,
    runsPerMinute: 1_000,
    clock: new TestClock(at),
    prepare: ({ database }) => {
      if (death) isDead = killAt(database, death.commit, death.before);
    },
  });
  return { home, isDead };
}

it('A run counts exactly once what it reports, and sends nothing twice, wherever it is killed', async () => {
  const deaths = fc.array(fc.record({ commit: fc.integer({ min: 1, max: 12 }), before: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(partsOf(2), deaths, async (parts, killings) => {
      files += 1;
      const path = directory.file(`${files}.db`);
      const sent = { count: 0 };
      let { home } = live(path, Date.UTC(2026, 0, 15), sent, null);
      const { id: counter } = makeCounter(home, 'Counter');
      const { id: reported } = makeCounter(home, 'Told');
      home.saveFlow({
        mode: 'parallel',
        maxRunning: 50,
        triggers: [{ type: 'event', eventType: 'count' }],
        actions: [actionOf({ kind: 'count' }, reported)],
      });
      // The first delay makes it a run that survives.
      const actions = [{ kind: 'delay', seconds: 1 } as const, ...parts].map((part) => actionOf(part, counter));
      const flow = home.saveFlow({ actions });
      const { runId } = home.run(flow.id);
      await home.settle();
      let at = home.clock.now();
      home.kill();
      for (const death of [...killings, null]) {
        const life = live(path, at, sent, death);
        ({ home } = life);
        for (let step = 0; step < 400 && !life.isDead() && home.engine.runsOf(flow.id).length > 0; step += 1) {
          await home.clock.advance(1_000);
        }
        at = home.clock.now() + 1_000;
        if (home.database.open && death) home.kill();
      }
      await home.settle();
      const { id, status } = home.tracesOf(flow.id)[0] ?? {};
      const [counted, reportedTo] = [counter, reported].map((accessoryId) => {
        const address = { accessoryId, characteristicType: 'virtual_count' };
        return home.control.getCharacteristic(systemCaller, address).value;
      });
      expect({ counted, reportedTo }).toEqual({
        counted: timesIn(parts, 'count'),
        reportedTo: timesIn(parts, 'tell'),
      });
      expect(sent.count).toBeLessThanOrEqual(timesIn(parts, 'send'));
      expect(home.database.prepare('SELECT id FROM runs').all()).toEqual([]);
      // A life that ended right after the run did may have taken its trace with it.
      if (id !== undefined) expect({ id, isRunning: status === 'running' }).toEqual({ id: runId, isRunning: false });
      home.kill();
    }),
    { numRuns: process.env.HEARTHD_SOAK === '1' ? 300 : 15 },
  );
});
