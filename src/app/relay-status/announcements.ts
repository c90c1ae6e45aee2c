/** Turns frequent changes (connections, discoveries, the log) into rate-limited events for all listeners. */
import type { HomeDeps } from '../../home/home-deps.ts';
import type { PairingDriver } from '../../home/pairing-driver.ts';
import { Coalescer } from '../../kernel/coalesce.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { LogRing } from '../../kernel/log-ring.ts';

interface Deps extends HomeDeps<'bus' | 'clock'> {
  readonly drivers: { readonly hap: Pick<PairingDriver, 'onChange'> };
  readonly relay: { readonly logs: LogRing };
}

/** A page fetches its list again on each event. */
const INTERVAL_MS = 1_000;

export class Announcements implements Startable {
  readonly #deps: Deps;
  readonly #pairings: Coalescer<string>;
  readonly #others: Coalescer<'discovery' | 'log'>;
  #ends: (() => void)[] = [];

  constructor(deps: Deps) {
    const { bus, clock, relay } = deps;
    this.#deps = deps;
    this.#pairings = new Coalescer(clock, INTERVAL_MS, (homeId) => bus.emit('pairings.changed', { homeId }));
    this.#others = new Coalescer(clock, INTERVAL_MS, (what) =>
      what === 'log' ? bus.emit('relay.logged', { lastSeq: relay.logs.lastSeq }) : bus.emit('discovery.changed', {}),
    );
  }

  start(): void {
    const { drivers, relay } = this.#deps;
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
