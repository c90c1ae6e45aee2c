/**
 * The recent connections, response times and HAP statuses of a device, for its diagnostics file. Bounded, and without
 * names, addresses or values.
 */
import type {
  ConnectionEvent,
  ConnectionTrouble,
  HapOperation,
  RequestFailure,
  RequestStatus,
  ResponseTimes,
} from '../../../home/pairing-driver.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { CharacteristicsAnswer } from '../wire/characteristic-requests.ts';
import type { CharacteristicId } from '../wire/characteristics-codec.ts';

/** The newest of each. */
const MAX_EVENTS = 100;
const MAX_FAILURES = 100;
const MAX_TIMES = 100;
/** A device that makes up statuses can't fill the memory. */
const MAX_STATUSES = 50;

export interface ConnectionReport {
  readonly events: readonly ConnectionEvent[];
  readonly responses: ResponseTimes;
  readonly statuses: readonly RequestStatus[];
  readonly failures: readonly RequestFailure[];
}

export class ConnectionHistory {
  readonly #clock: Clock;
  readonly #events: ConnectionEvent[] = [];
  readonly #recent: { readonly at: number; readonly ms: number }[] = [];
  readonly #statuses = new Map<string, { operation: HapOperation; status: number; count: number }>();
  readonly #failures: RequestFailure[] = [];
  #count = 0;
  #totalMs = 0;
  #maxMs = 0;
  /** In monotonic time; `undefined` while there is no verified connection. */
  #connectedSince: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  connected(): void {
    this.#connectedSince = this.#clock.monotonic();
    keep(this.#events, { at: this.#clock.now(), kind: 'connected', reason: null, connectedMs: null }, MAX_EVENTS);
  }

  ended(reason: ConnectionTrouble): void {
    const since = this.#connectedSince;
    this.#connectedSince = undefined;
    const connectedMs = since === undefined ? null : Math.round(this.#clock.monotonic() - since);
    const kind = since === undefined ? 'failed' : 'ended';
    keep(this.#events, { at: this.#clock.now(), kind, reason, connectedMs }, MAX_EVENTS);
  }

  responded(elapsedMs: number): void {
    this.#count += 1;
    this.#totalMs += elapsedMs;
    this.#maxMs = Math.max(this.#maxMs, elapsedMs);
    keep(this.#recent, { at: this.#clock.now(), ms: Math.round(elapsedMs) }, MAX_TIMES);
  }

  /** @param ids the characteristics of the request; an answer for the whole request names none */
  answered(operation: HapOperation, ids: readonly CharacteristicId[], answer: CharacteristicsAnswer): void {
    if ('status' in answer) {
      const [only, ...others] = ids;
      const named = others.length === 0 ? only : undefined;
      this.#note(operation, answer.status, named?.aid ?? null, named?.iid ?? null);
      return;
    }
    for (const { aid, iid, status } of answer) this.#note(operation, status, aid, iid);
  }

  read(): ConnectionReport {
    return {
      events: [...this.#events],
      responses: {
        count: this.#count,
        averageMs: this.#count === 0 ? null : Math.round(this.#totalMs / this.#count),
        maxMs: this.#count === 0 ? null : Math.round(this.#maxMs),
        recent: [...this.#recent],
      },
      statuses: [...this.#statuses.values()].map((each) => ({ ...each })),
      failures: [...this.#failures],
    };
  }

  #note(operation: HapOperation, status: number, aid: string | null, iid: string | null): void {
    const key = `${operation} ${status}`;
    const known = this.#statuses.get(key);
    if (known) known.count += 1;
    else if (this.#statuses.size < MAX_STATUSES) this.#statuses.set(key, { operation, status, count: 1 });
    if (status !== 0) keep(this.#failures, { at: this.#clock.now(), operation, aid, iid, status }, MAX_FAILURES);
  }
}

function keep<T>(list: T[], item: T, max: number): void {
  list.push(item);
  if (list.length > max) list.shift();
}
