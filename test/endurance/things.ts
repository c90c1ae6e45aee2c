/** Things that come due by themselves, each with a counter of its own: one, in the end. */
import type { AutomationClient } from '../e2e/automation-fixture.ts';
import { beginThing } from '../e2e/automation-things.ts';
import type { Answer } from '../support/e2e-relay.ts';
import type { Ledger } from './ledger.ts';
import type { Waiting } from './waiting.ts';
import type { WallClock } from './wall-clock.ts';

interface ThingsDeps {
  readonly client: AutomationClient;
  readonly clock: WallClock;
  readonly ledger: Ledger;
  readonly waiting: Waiting;
}

/** A thing comes due this long after it was begun. */
const DUE_MS = { from: 5_000, to: 25_000 };
/** What would act a second time has done so by then. */
const SETTLE_MS = 3_000;
/** The automation's own limit to being late is five minutes. */
const LATE_MS = 240_000;
const CLEARED_WITHIN_MS = 180_000;
const KINDS = ['delay', 'wait', 'hold', 'moment', 'timer'] as const;
/** The one that is due at a time, and not after a while. */
const MOMENT = KINDS.indexOf('moment');

export class Things {
  readonly #deps: ThingsDeps;
  #next = 0;

  constructor(deps: ThingsDeps) {
    this.#deps = deps;
  }

  /** One thing comes due. Resolves when that was judged and nothing is left of it. */
  async one(): Promise<void> {
    const { client, clock, ledger, waiting } = this.#deps;
    const n = this.#next++;
    const afterMs = DUE_MS.from + Math.random() * (DUE_MS.to - DUE_MS.from);
    const dueAt = Date.now() + afterMs;
    const thing = { n, dueAt, dueOnClock: clock.shownAt(dueAt), farJumps: clock.farJumps };
    try {
      await client.virtual(counterOf(n), 'counter');
      await beginThing({ client, ...thing, actions: [client.count(counterOf(n))] });
      ledger.timers.begun += 1;
      await waiting.pause(dueAt - Date.now());
      await this.#judge(thing);
    } catch {
      ledger.timers.notAcknowledged += 1;
    }
    await this.#clearAway(n);
  }

  async #judge(thing: Thing): Promise<void> {
    const { ledger, waiting } = this.#deps;
    const { n } = thing;
    const isOver = async (): Promise<boolean> =>
      (await this.#count(n)) > 0 || this.#isExcused(thing) || (await this.#isRefused(n));
    if (await waiting.comes(isOver, LATE_MS)) {
      await waiting.pause(SETTLE_MS);
      await waiting.comes(isOver, LATE_MS);
    }
    let times = 0;
    let isRefused = false;
    // Through the end of any daemon.
    const isKnown = await waiting.comes(async () => {
      times = await this.#count(n);
      isRefused = await this.#isRefused(n);
      return true;
    }, LATE_MS);
    if (waiting.isCutShort || !isKnown) return;
    if (times > 1) ledger.wrong('doubledTimer', `${nameOf(n)}, is at ${times}`);
    else if (times === 1) ledger.timers.counted += 1;
    else if (this.#isExcused(thing)) ledger.timers.excused += 1;
    else if (isRefused) ledger.timers.refusedByDisk += 1;
    else ledger.wrong('missedTimer', `${nameOf(n)}: ${JSON.stringify(await this.#traces(n).catch(() => 'no traces'))}`);
  }

  /** It came due, and reports that the full disk could not take its count. */
  async #isRefused(n: number): Promise<boolean> {
    return (await this.#traces(n)).some(({ reason }) => reason === 'storage_unavailable');
  }

  async #traces(n: number): Promise<Answer['body'][]> {
    const { client } = this.#deps;
    const kind = KINDS[n % KINDS.length] ?? '';
    const flows: Answer['body'][] = await client.ask('GET', '/rest/flows');
    const flow = flows.find(({ name }) => name.toLowerCase() === `${kind} ${n}`);
    return flow ? client.traces(flow.id) : [];
  }

  /** It may be too late by a clock that was set far ahead, or, as a moment, still to come by one that was set back. */
  #isExcused({ n, dueOnClock, farJumps }: Thing): boolean {
    const { clock } = this.#deps;
    const isPutOff = n % KINDS.length === MOMENT && clock.now() < dueOnClock;
    return clock.farJumps > farJumps || isPutOff;
  }

  async #count(n: number): Promise<number> {
    return Number(await this.#deps.client.valueOf(counterOf(n)));
  }

  /** What a thing made, through the end of any daemon. */
  async #clearAway(n: number): Promise<void> {
    const { client, waiting } = this.#deps;
    const isOfThing = ({ name }: Answer['body']): boolean => name.endsWith(` ${n}`) && /^[A-Z][a-z]+ \d+$/.test(name);
    await waiting.comes(async () => {
      for (const [list, path] of [
        ['/rest/flows', '/rest/flows'],
        [`/rest/virtual-accessories?home=${client.homeId}`, '/rest/virtual-accessories'],
      ] as const) {
        const found: Answer['body'][] = (await client.ask('GET', list)).filter(isOfThing);
        for (const { id } of found) await client.ask('DELETE', `${path}/${id}`);
      }
      return true;
    }, CLEARED_WITHIN_MS);
  }
}

interface Thing {
  readonly n: number;
  readonly dueAt: number;
  /** What the daemon's clock showed, had it stayed as it was. */
  readonly dueOnClock: number;
  /** How often the clock had been set far ahead before. */
  readonly farJumps: number;
}

function counterOf(n: number): string {
  return `Counter ${n}`;
}

function nameOf(n: number): string {
  return `${counterOf(n)}, of a ${KINDS[n % KINDS.length]}`;
}
