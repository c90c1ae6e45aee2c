/** Turns what changes many times a second (connections, sightings, the log) into events that may be told to everybody who looks on. */
import type { HomeEvents } from '../../home/events.ts';
import type { PairingDriver } from '../../home/pairing-driver.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Coalescer } from '../../kernel/coalesce.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { LogRing } from '../../kernel/log-ring.ts';

interface Parts {
  readonly bus: EventBus<HomeEvents>;
  readonly drivers: { readonly hap: Pick<PairingDriver, 'onChange'> };
  readonly relay: { readonly logs: LogRing };
  readonly clock: Clock;
}

/** A page reads its list anew each time. */
const INTERVAL_MS = 1_000;

export class Announcements implements Startable {
  readonly #parts: Parts;
  readonly #pairings: Coalescer<string>;
  readonly #others: Coalescer<'discovery' | 'log'>;
  #ends: (() => void)[] = [];

  constructor(parts: Parts) {
    const { bus, clock, relay } = parts;
    this.#parts = parts;
    this.#pairings = new Coalescer(clock, INTERVAL_MS, (homeId) => bus.emit('pairings.changed', { homeId }));
    this.#others = new Coalescer(clock, INTERVAL_MS, (what) =>
      what === 'log' ? bus.emit('relay.logged', { lastSeq: relay.logs.lastSeq }) : bus.emit('discovery.changed', {}),
    );
  }

  start(): void {
    const { drivers, relay } = this.#parts;
    this.#ends = [
      drivers.hap.onChange((change) => {
        if (change.of === 'discovery') this.#others.changed('discovery');
        else this.#pairings.changed(change.homeId);
      }),
      relay.logs.onLine(() => this.#others.changed('log')),
    ];
  }

  stop(): void {
    for (const end of this.#ends.splice(0)) end();
    this.#pairings.stop();
    this.#others.stop();
  }
}
