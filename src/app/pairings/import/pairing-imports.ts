/** Imports pairings of another controller, so that migrating to hearthd requires no device reset. */
import { type ImportedDevice, PairingImport } from '../../../contract/pairings.ts';
import { parseInput } from '../../../contract/parse.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { AdoptionOutcome, PairingDriver } from '../../../home/pairing-driver.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { Access } from '../../access/authorize.ts';
import type { Caller } from '../../access/caller.ts';
import { managedHome } from '../../access/managed-home.ts';
import { type ForeignEntry, parseForeignPairings } from './foreign-pairings.ts';

const DETAILS: Readonly<Record<Exclude<ImportedDevice['outcome'], 'invalid'>, string>> = {
  imported:
    'It is connected. Switch it off in the other program, without removing it there: that would end the pairing.',
  new: 'It would be imported.',
  already_here: 'It is paired here already, and stays as it is.',
  unsupported: 'It publishes a home of this relay or of another hearthd. Pair the accessories themselves instead.',
  unreachable: 'It does not answer now. Its keys are kept: it is connected as soon as it does.',
  refused:
    'The device does not accept these keys any more: it was reset, or removed there. Pair it with its setup code.',
};

const OUTCOMES = {
  connected: 'imported',
  unreachable: 'unreachable',
  refused: 'refused',
  published: 'unsupported',
} as const satisfies Readonly<Record<AdoptionOutcome, keyof typeof DETAILS>>;

export class PairingImports {
  readonly #state: HomeState;
  readonly #access: Access;
  readonly #driver: PairingDriver;

  constructor(deps: { state: HomeState; access: Access; driver: PairingDriver }) {
    this.#state = deps.state;
    this.#access = deps.access;
    this.#driver = deps.driver;
  }

  /**
   * Imports all pairings of another controller's file into a home, and connects to each device to verify its keys.
   * Requires an admin of that home. Takes up to 15 seconds.
   * @returns the outcome of each entry, in the file's order.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_request` which home? · `invalid_value` not a
   *         supported file · `conflict` the home is paused
   */
  async import(caller: Caller, input: PairingImport): Promise<readonly ImportedDevice[]> {
    const homeId = managedHome({ state: this.#state, access: this.#access }, caller, input.homeId);
    const { data, dryRun: isDryRun = false } = parseInput(PairingImport, input);
    const entries = parseForeignPairings(parseData(data));
    if (!isDryRun && this.#state.home(homeId)?.paused) {
      throw new HearthError('conflict', 'The home is paused. Resume it before you import.', { reason: 'home_paused' });
    }
    const seen = new Set(this.#driver.listPaired().map(({ deviceId }) => deviceId.toUpperCase()));
    const taken = entries.map((entry) => {
      const isKnown = 'pairing' in entry && seen.has(entry.pairing.deviceId);
      if ('pairing' in entry) seen.add(entry.pairing.deviceId);
      return this.#take(entry, homeId, { isKnown, isDryRun });
    });
    return Promise.all(taken);
  }

  async #take(
    entry: ForeignEntry,
    homeId: string,
    { isKnown, isDryRun }: { isKnown: boolean; isDryRun: boolean },
  ): Promise<ImportedDevice> {
    const { name } = entry;
    if (!('pairing' in entry)) return { name, deviceId: entry.deviceId, outcome: entry.problem, detail: entry.detail };
    const { deviceId } = entry.pairing;
    const reported = (outcome: keyof typeof DETAILS): ImportedDevice => ({
      ...{ name, deviceId, outcome },
      detail: DETAILS[outcome],
    });
    if (isKnown) return reported('already_here');
    if (this.#driver.isPublished(deviceId)) return reported('unsupported');
    if (isDryRun) return reported('new');
    try {
      const status = await this.#driver.adopt(entry.pairing, homeId);
      return reported(OUTCOMES[status]);
    } catch (error) {
      // A concurrent request paired it first.
      if (error instanceof HearthError && error.code === 'conflict') return reported('already_here');
      throw error;
    }
  }
}

/** @throws `invalid_value` */
function parseData(data: unknown): unknown {
  if (typeof data !== 'string') return data;
  try {
    return JSON.parse(data);
  } catch {
    throw new HearthError('invalid_value', 'The file is not JSON.', { field: 'data' });
  }
}
