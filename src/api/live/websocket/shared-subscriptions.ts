/**
 * Live updates of shares, for clients with their links (wire-facts §8): they need no account, and get only events of
 * the share's contents. Each event checks again whether the share is open, and what it contains.
 */
import { addressKey } from '../../../app/access/attempts.ts';
import type { Caller } from '../../../app/access/caller.ts';
import { type OpenShare, reachOf } from '../../../app/sharing/open-share.ts';
import type { ShareRateLimits } from '../../../app/sharing/request-limits.ts';
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
const MAX_SHARES = 8;

export interface SharedDeps {
  readonly shares: Pick<Shares, 'open' | 'reopen'>;
  readonly state: HomeState;
  readonly live: LiveRing;
  readonly broadcasts: Broadcasts;
  readonly limits: ShareRateLimits;
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
    if (!this.#open.has(hash) && this.#open.size >= MAX_SHARES) {
      throw new HearthError('invalid_request', `A connection may listen to ${MAX_SHARES} shares at most.`);
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

  /** Removes closed shares. */
  sweep(): void {
    for (const hash of [...this.#open.keys()]) this.#renew(hash);
  }

  /** The updates of each share. @param max the maximum of events for each */
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

  /** The share's present contents: a reader filters by the accessories that it had when it was opened. */
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

  /** If the share holds only some services of an accessory, the events of the others are left out. */
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
