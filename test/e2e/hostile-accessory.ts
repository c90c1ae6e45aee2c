/**
 * Runs the accessory of `hostile-child.ts` and triggers its attack, so that its work and memory do not count as the
 * relay's.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import {
  createDeviceId,
  createSetupCode,
  createSigningKeys,
  type KnownController,
  type SigningKeys,
} from '../support/accessories/identity.ts';
import { forkTypeScript } from '../support/typescript-process.ts';

export type Malice =
  | 'a body of a gigabyte'
  | 'seven megabytes of a body that stops there'
  | 'chunks without end'
  | 'an object without end'
  | 'a header without end'
  | 'blank lines without end'
  | 'provisional answers without end'
  | 'a byte a second'
  | 'a million services'
  | 'half a million accessories'
  | 'deep nesting'
  | 'deep nesting in small pieces'
  | 'megabytes of white space'
  | 'a comment without end'
  | 'a string of backslashes'
  | 'a million numbers of many digits'
  | 'garbage after verify'
  | 'events by the hundred thousand'
  | 'events of a hundred thousand changes'
  | 'events that make no sense'
  | 'pairing answered with a gigabyte'
  | 'pairing answered with a key of sixty kilobytes'
  | 'pairing answered with a salt of sixty kilobytes'
  | 'pairing answered with ten thousand items'
  | 'pairing answered with a byte a second'
  | 'pairing answered with blank lines'
  | 'pairing answered with notifications';

export type HostileOrder =
  | {
      readonly type: 'start';
      readonly deviceId: string;
      readonly setupCode: string;
      readonly seed: string;
      readonly controllers: readonly { readonly id: string; readonly publicKey: string }[];
    }
  /** `undefined` for good behaviour. All connections end, so that the next ones meet what it has become. */
  | { readonly type: 'turn'; readonly malice?: Malice }
  | { readonly type: 'count' };

export type HostileReport =
  | { readonly type: 'started'; readonly port: number }
  | { readonly type: 'turned' }
  | { readonly type: 'counts'; readonly attacks: number; readonly bytes: number };

export class HostileAccessory {
  readonly deviceId = createDeviceId();
  readonly setupCode = createSetupCode();
  readonly name = 'Hostile';
  readonly publicKey: Buffer;
  readonly #child = forkTypeScript(join(import.meta.dirname, 'hostile-child.ts'));
  #port = 0;

  private constructor({ publicKey }: SigningKeys) {
    this.publicKey = publicKey;
  }

  /** Of good behaviour at first. */
  static async start(controllers: readonly KnownController[] = []): Promise<HostileAccessory> {
    const keys = createSigningKeys();
    const accessory = new HostileAccessory(keys);
    const { deviceId, setupCode } = accessory;
    const known = controllers.map(({ id, publicKey }) => ({ id, publicKey: publicKey.toString('hex') }));
    const order = { type: 'start', deviceId, setupCode, seed: keys.seed.toString('hex'), controllers: known } as const;
    accessory.#port = (await accessory.#ask(order, 'started')).port;
    return accessory;
  }

  get port(): number {
    return this.#port;
  }

  async turn(malice: Malice | 'good'): Promise<void> {
    await this.#ask({ type: 'turn', ...(malice !== 'good' && { malice }) }, 'turned');
  }

  /** Since it turned last. */
  counts(): Promise<{ attacks: number; bytes: number }> {
    return this.#ask({ type: 'count' }, 'counts');
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }

  #ask<T extends HostileReport['type']>(order: HostileOrder, type: T): Promise<Extract<HostileReport, { type: T }>> {
    const answer = new Promise<Extract<HostileReport, { type: T }>>((resolve) => {
      const listen = (report: HostileReport): void => {
        if (report.type !== type) return;
        this.#child.off('message', listen);
        resolve(report as Extract<HostileReport, { type: T }>);
      };
      this.#child.on('message', listen);
    });
    this.#child.send(order);
    return answer;
  }
}
