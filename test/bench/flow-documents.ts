/**
 * How late the event loop of the built daemon is while a flow as large as one may be is imported for the first time,
 * exported, saved and restored. The baseline is the same daemon's while nothing else happens.
 */
import { BenchDaemon } from './bench-daemon.ts';
import { LoopProbe } from './loop-probe.ts';
import { printFinding } from './report.ts';

const SETTLE_MS = 3_000;
/** The probe reports the last second: a watch lasts until the report covers all of it. */
const WATCH_MS = 2_500;
const LOOK_EVERY_MS = 200;
const MAX_LATE_MS = 20;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Each action has an expression of its own. */
function largeFlow() {
  const expression = (n: number): string => `{{ ${Array(20).fill(`${n} + 1 > 3`).join(' || ')} ? 40 : ${n} }}`;
  const actions = Array.from({ length: 500 }, (_, n) => ({
    type: 'variables',
    variables: { brightness: expression(n) },
  }));
  return { name: 'Large', triggers: [], actions };
}

/** Fifty triggers, each with an expression of 2 KB. */
function flowOfTemplates() {
  const expression = (n: number): string => `{{ ${Array(100).fill(`${n} + 1 > 3000`).join(' || ')} }}`;
  const triggers = Array.from({ length: 50 }, (_, n) => ({ type: 'template', expression: expression(n) }));
  return { hearthd: 'flow/1', name: 'Templates', triggers, actions: [{ type: 'variables', variables: { a: 1 } }] };
}

export async function benchFlowDocuments(): Promise<void> {
  const probe = new LoopProbe();
  const daemon = await BenchDaemon.start([], { variables: probe.variables });
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await daemon.asSystem(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  try {
    const homeId = await daemon.homeId();
    await pause(SETTLE_MS);
    const idle = await watch(probe, () => Promise.resolve());
    const document = { hearthd: 'flow/1', ...largeFlow() };
    let flowId = '';
    const acts: Readonly<Record<string, () => Promise<unknown>>> = {
      'imported for the first time': async () => {
        flowId = (await ask('POST', `/rest/flows/import?home=${homeId}`, document)).id;
      },
      'imported with fifty template triggers': () =>
        ask('POST', `/rest/flows/import?home=${homeId}`, flowOfTemplates()),
      'exported as YAML': async () => {
        const headers = { Authorization: `Bearer ${daemon.token}` };
        await (await fetch(`${daemon.url}/rest/flows/${flowId}/export?format=yaml`, { headers })).text();
      },
      saved: () => ask('PUT', `/rest/flows/${flowId}`, { ...largeFlow(), name: 'Larger' }),
      restored: async () => {
        const versions = await ask('GET', `/rest/flows/${flowId}/versions`);
        await ask('POST', `/rest/flows/versions/${versions.at(-1).id}/restore`);
      },
    };
    for (const [what, act] of Object.entries(acts)) {
      printFinding({
        what: `event loop's longest delay while a large flow is ${what}`,
        ours: await watch(probe, act),
        baseline: idle,
        unit: 'ms',
        note: `to be reached: at most ${MAX_LATE_MS} ms`,
      });
    }
  } finally {
    await daemon.stop();
    probe.remove();
  }
}

/** @returns the longest delay meanwhile */
async function watch(probe: LoopProbe, act: () => Promise<unknown>): Promise<number> {
  const acted = act();
  let longest = 0;
  for (const end = performance.now() + WATCH_MS; performance.now() < end; ) {
    await pause(LOOK_EVERY_MS);
    longest = Math.max(longest, probe.read().max);
  }
  await acted;
  return longest;
}
