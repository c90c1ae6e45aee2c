/**
 * Live updates of shares, for whoever has their links (wire-facts §8): no account is needed, and nothing is told but of what is in the
 * share. Each time something is told it is asked anew whether the share is open, and what is in it.
 */
import { addressKey } from '../../../app/access/attempts.ts';
import type { Caller } from '../../../app/access/caller.ts';
import { type OpenShare, reachOf } from '../../../app/sharing/open-share.ts';
import type { RequestLimits } from '../../../app/sharing/request-limits.ts';
import type { Shares } from '../../../app/sharing/shares.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { Accessory } from '../../../home/model.ts';
import { characteristicName } from '../../../home/vocabulary/hap-names.ts';
import { presentValue } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { LiveEvent } from '../live-event.ts';
import type { LiveReader, Missed } from '../live-reader.ts';
import type { LiveRing } from '../live-ring.ts';
import { type Broadcasts, partialUpdate } from './broadcasts.ts';

/** A page shows one, a wall panel a few. */
const MOST_SHARES = 8;

export interface SharedDeps {
  readonly shares: Pick<Shares, 'open' | 'reopen'>;
  readonly state: HomeState;
  readonly live: LiveRing;
  readonly broadcasts: Broadcasts;
  readonly limits: RequestLimits;
}

interface Shared {
  share: OpenShare;
  reader: LiveReader;
}

export class SharedSubscriptions {
  readonly #deps: SharedDeps;
  readonly #onReady: () => void;
  readonly #onEnd: (shareHash: string) => void;
  readonly #open = new Map<string, Shared>();

  constructor(deps: SharedDeps, on: { readonly ready: () => void; readonly end: (shareHash: string) => void }) {
    this.#deps = deps;
    this.#onReady = on.ready;
    this.#onEnd = on.end;
  }

  get size(): number {
    return this.#open.size;
  }

  /** @throws as `Shares.open` · `rate_limited` · `invalid_request` too many */
  async subscribe(caller: Caller, hash: string, passcode: string | undefined): Promise<void> {
    this.#deps.limits.countRead(addressKey(caller.address));
    const share = await this.#deps.shares.open(caller, { hash, passcode });
    if (!this.#open.has(hash) && this.#open.size >= MOST_SHARES) {
      throw new HearthError('invalid_request', `A connection may listen to ${MOST_SHARES} shares at most.`);
    }
    this.unsubscribe(hash);
    this.#open.set(hash, { share, reader: this.#read(share) });
  }

  unsubscribe(hash: string): void {
    this.#open.get(hash)?.reader.close();
    this.#open.delete(hash);
  }

  close(): void {
    for (const hash of [...this.#open.keys()]) this.unsubscribe(hash);
  }

  /** Ends those that are open no more. */
  sweep(): void {
    for (const hash of [...this.#open.keys()]) this.#renew(hash);
  }

  /** What each has to tell. @param max events at most of each */
  *take(max: number): Generator<{ readonly frames: readonly Buffer[]; readonly missed: Missed | undefined }> {
    for (const hash of [...this.#open.keys()]) {
      if (!this.#open.get(hash)?.reader.hasMore) continue;
      const shared = this.#renew(hash);
      if (!shared) continue;
      const { events, missed } = shared.reader.next(max);
      if (events.length === 0 && !missed) continue;
      const shown = new Map(shared.share.accessories().map((accessory) => [accessory.id, accessory]));
      yield { frames: events.flatMap((event) => this.#present(shown, event) ?? []), missed };
    }
  }

  get hasMore(): boolean {
    return [...this.#open.values()].some(({ reader }) => reader.hasMore);
  }

  #read(share: OpenShare, after?: string): LiveReader {
    const { live, broadcasts } = this.#deps;
    const filter = (event: LiveEvent): boolean =>
      broadcasts.of(event).ofPart !== undefined && event.accessoryId !== null;
    const reader = live.open({ caller: share.caller, filter, ...(after !== undefined && { after }) });
    reader.onReady(this.#onReady);
    return reader;
  }

  /** As it is now: a reader asks for the accessories that were in it when it was opened. */
  #renew(hash: string): Shared | undefined {
    const shared = this.#open.get(hash);
    const share = shared && this.#deps.shares.reopen(shared.share);
    if (!shared || !share) {
      this.unsubscribe(hash);
      if (shared) this.#onEnd(hash);
      return undefined;
    }
    if (reachOf(share) !== reachOf(shared.share)) {
      const after = shared.reader.lastId;
      shared.reader.close();
      shared.reader = this.#read(share, after);
    }
    shared.share = share;
    return shared;
  }

  /** Of an accessory that is in the share with some of its services only, the others are not spoken of. */
  #present(inShare: ReadonlyMap<string, Accessory>, event: LiveEvent): Buffer | undefined {
    const { accessoryId } = event;
    const whole = accessoryId === null ? undefined : this.#deps.state.accessory(accessoryId);
    const shown = whole && inShare.get(whole.id);
    if (!shown) return undefined;
    if (shown.services.length === whole.services.length || event.type !== 'state.changed') {
      return this.#deps.broadcasts.of(event).ofPart;
    }
    const characteristic = shown.services
      .flatMap(({ characteristics }) => characteristics)
      .find(({ type }) => characteristicName(type) === event.data.characteristicType);
    return characteristic && partialUpdate(event, presentValue(characteristic));
  }
}
