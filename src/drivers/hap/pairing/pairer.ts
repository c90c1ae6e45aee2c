/**
 * One pairing, from the setup code to the saved record. It checks the code and the number of wrong codes, removes
 * incomplete pairings of earlier attempts, and runs pair-setup with the store as its recorder. A pairing that must not
 * remain is removed from the device again.
 */
import type { HomeDeps } from '../../../home/home-deps.ts';
import type { PairingStep } from '../../../home/pairing-driver.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import type { PublishedServers } from '../published-servers.ts';
import type { HostPort } from '../wire/dial.ts';
import type { PairingKeys } from '../wire/exchange.ts';
import { canonicalDeviceId } from './device-id.ts';
import { type PairingRecorder, pairSetup } from './pair-setup.ts';
import { PairSetupError } from './pair-setup-error.ts';
import type { PairMethod } from './pair-setup-protocol.ts';
import type { ConnectForPairing } from './pairing-connection.ts';
import type { PairingRecord, PairingStore } from './pairing-store.ts';
import { INCOMPLETE_ADVICE, recoverIncompletePairing, removeOwnPairing } from './recover-pairing.ts';
import { parseSetupCode } from './setup-code.ts';
import type { WrongCodes } from './wrong-codes.ts';

export interface DeviceToPair {
  /** The device id, or `host:port` if the id is not known yet. */
  readonly deviceId: string;
  /** The addresses of `connect`, as `host:port`: an earlier attempt may be stored under one of these. */
  readonly aliases: readonly string[];
  readonly name: string;
  readonly model: string;
  readonly category: number;
  /** TXT `ff`; 0 if unknown. */
  readonly featureFlags: number;
  readonly rememberedMethod: PairMethod | null;
  /** The address that `connect` used last. For a device that is not on mDNS, it is the only way to find it again. */
  readonly lastAddress?: () => HostPort | undefined;
}

export interface PairerDeps extends HomeDeps<'clock' | 'logger'> {
  readonly store: PairingStore;
  readonly wrongCodes: WrongCodes;
  readonly published: PublishedServers;
}

export class Pairer {
  readonly #deps: PairerDeps;

  constructor(deps: PairerDeps) {
    this.#deps = deps;
  }

  /**
   * @param setupCode in any form that `parseSetupCode` accepts
   * @returns the record, on disk, and the method that worked
   * @throws `invalid_value` · `conflict` paired here already · `rate_limited` · `pairing_failed` with what to do
   */
  async pair(
    device: DeviceToPair,
    homeId: string,
    setupCode: string,
    connect: ConnectForPairing,
    onProgress: (step: PairingStep) => void,
  ): Promise<{ record: PairingRecord; method: PairMethod }> {
    const { store, wrongCodes, published, clock } = this.#deps;
    const code = parseSetupCode(setupCode);
    published.refuse(device.deviceId, device.name);
    this.#refusePaired(device.deviceId);
    wrongCodes.check(device.deviceId);
    const unresolved = await this.#clearHalfMade(device, connect);
    const recorder = new StoreRecorder({ store, published, clock }, device, homeId);
    try {
      const { method } = await pairSetup({ ...device, setupCode: code, connect, recorder, onProgress, clock });
      wrongCodes.clear(device.deviceId);
      for (const record of unresolved) this.#forget(record);
      return { record: recorder.record, method };
    } catch (error) {
      if (!(error instanceof PairSetupError)) throw error;
      if (error.kind === 'wrong_code') wrongCodes.add(device.deviceId);
      if (error.keys) await this.#undo(error.keys, device.deviceId, connect);
      throw error.kind === 'unavailable' && unresolved.length > 0 ? incomplete(error) : error;
    }
  }

  #refusePaired(deviceId: string): void {
    const known = this.#deps.store.find(deviceId);
    if (known?.state !== 'paired') return;
    throw new HearthError('conflict', `“${known.name}” (${known.keys.deviceId}) is paired here already.`, {
      reason: 'paired_here',
    });
  }

  /** @returns the records that remain, because their state is uncertain */
  async #clearHalfMade(device: DeviceToPair, connect: ConnectForPairing): Promise<readonly PairingRecord[]> {
    const unresolved: PairingRecord[] = [];
    for (const record of this.#halfMade(device)) {
      const outcome = await recoverIncompletePairing(connect, record.keys);
      this.#deps.logger.info(
        { device: record.keys.deviceId, name: record.name, outcome },
        'Cleaned up an incomplete pairing',
      );
      if (outcome === 'unresolved') unresolved.push(record);
      else this.#forget(record);
    }
    return unresolved;
  }

  #halfMade({ deviceId, aliases }: DeviceToPair): readonly PairingRecord[] {
    const ids = new Set([deviceId, ...aliases].map(canonicalDeviceId));
    return this.#deps.store.list().filter(({ keys, state }) => state === 'exchanging' && ids.has(keys.deviceId));
  }

  #forget(record: PairingRecord): void {
    const { store } = this.#deps;
    if (store.find(record.keys.deviceId)?.state === 'exchanging') store.remove(record.keys.deviceId);
  }

  /**
   * Removes our new pairing from a device that proved another identity. If that fails, its record stays for the next
   * attempt.
   */
  async #undo(keys: PairingKeys, begunAs: string, connect: ConnectForPairing): Promise<void> {
    const { store, logger } = this.#deps;
    try {
      await removeOwnPairing(connect, keys);
      if (store.find(begunAs)?.state === 'exchanging') store.remove(begunAs);
    } catch (error) {
      logger.warn({ device: keys.deviceId, error: messageOf(error) }, 'Could not remove an incomplete pairing');
      this.#keepUnderProvenId(keys, begunAs);
    }
  }

  /** Keeps the keys, so that the next attempt to pair that device can remove the pairing. */
  #keepUnderProvenId(keys: PairingKeys, begunAs: string): void {
    const { store } = this.#deps;
    const begun = store.find(begunAs);
    if (begun?.state !== 'exchanging' || store.find(keys.deviceId)) return;
    store.begin({ ...begun, keys });
    store.remove(begunAs);
  }
}

function incomplete(cause: PairSetupError): PairSetupError {
  return new PairSetupError('unavailable', INCOMPLETE_ADVICE, { state: 2, reason: 'half_made', cause });
}

/** Saves the pairing in the store during pair-setup. */
class StoreRecorder implements PairingRecorder {
  readonly #deps: Pick<PairerDeps, 'store' | 'published' | 'clock'>;
  readonly #device: DeviceToPair;
  readonly #homeId: string;
  #record: PairingRecord | undefined;

  constructor(deps: Pick<PairerDeps, 'store' | 'published' | 'clock'>, device: DeviceToPair, homeId: string) {
    this.#deps = deps;
    this.#device = device;
    this.#homeId = homeId;
  }

  get record(): PairingRecord {
    if (!this.#record) throw new HearthError('internal', 'The pairing was not completed.');
    return this.#record;
  }

  begin(keys: PairingKeys): void {
    const { name, model, category } = this.#device;
    const { store, clock } = this.#deps;
    store.begin({ keys, homeId: this.#homeId, name, model, category, pairedAt: clock.now() });
  }

  complete(keys: PairingKeys): void {
    const { store, published } = this.#deps;
    // The id of a device at `host:port` is known only now.
    published.refuse(keys.deviceId, this.#device.name);
    this.#record = store.complete(this.#device.deviceId, keys, this.#device.lastAddress?.());
  }

  abandon(): void {
    this.#deps.store.remove(this.#device.deviceId);
  }
}
