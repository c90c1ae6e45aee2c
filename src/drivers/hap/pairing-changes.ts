/**
 * Changes the controllers of a device, and finds the result of a change whose response was lost. Some devices close the
 * connection inside their handler: the change is done, but never confirmed.
 */
import type { RegisteredController } from '../../home/pairing-driver.ts';
import { type Clock, sleep } from '../../kernel/clock.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import type { Discovery } from '../discovery/discovery.ts';
import { addController, listControllers, removeController } from './pairing/controllers.ts';
import type { PairingConnection } from './pairing/pairing-connection.ts';
import { findStanding, isAnswerLost } from './pairing/recover-pairing.ts';
import type { DeviceLink } from './session/device-link.ts';
import type { HostPort } from './wire/dial.ts';

/** How long to query a device that did not answer a change: some restart when they are unpaired. */
const CONFIRM_MS = 10_000;
const CONFIRM_AGAIN_MS = 1_000;

export interface PairingChangesDeps {
  readonly clock: Clock;
  readonly discovery: Discovery;
  readonly connect: (addresses: readonly HostPort[]) => Promise<PairingConnection>;
  /** The pairing remains: the device's session may run again. */
  readonly resume: (link: DeviceLink) => void;
}

export class PairingChanges {
  readonly #deps: PairingChangesDeps;

  constructor(deps: PairingChangesDeps) {
    this.#deps = deps;
  }

  /** @throws `invalid_value` · `accessory_error` · `accessory_unreachable` */
  async add(link: DeviceLink, controller: { id: string; publicKey: string; admin: boolean }): Promise<void> {
    const { id, admin } = controller;
    const publicKey = controller.publicKey.toLowerCase();
    const isSame = (one: RegisteredController): boolean =>
      one.id === id && one.publicKey === publicKey && one.admin === admin;
    await this.#confirmed(
      link,
      () => addController(postTo(link), controller),
      (registered) => registered.some(isSame),
    );
  }

  /** @throws `invalid_value` · `accessory_error` · `accessory_unreachable` */
  async remove(link: DeviceLink, controllerId: string): Promise<void> {
    await this.#confirmed(
      link,
      () => removeController(postTo(link), controllerId),
      (registered) => registered.every(({ id }) => id !== controllerId),
    );
  }

  /**
   * Removes our own pairing from the device.
   * @param force deletes it on the relay in any case. @returns why it remains and how to solve that, in sentences
   */
  async removeOwn(link: DeviceLink, force: boolean): Promise<string | undefined> {
    const { status } = link.present();
    if (status === 'pairing_lost') return undefined;
    if (status === 'paused') return 'its home is paused. Resume it.';
    try {
      await removeController(postTo(link), link.keys.controllerId);
      return undefined;
    } catch (error) {
      if (force || !isAnswerLost(error)) return `${messageOf(error)} Bring it back.`;
      return this.#confirmRemoval(link, messageOf(error));
    }
  }

  /** If the response is lost, the list of controllers shows whether the change took effect. */
  async #confirmed(
    link: DeviceLink,
    change: () => Promise<void>,
    isDone: (registered: readonly RegisteredController[]) => boolean,
  ): Promise<void> {
    try {
      await change();
    } catch (error) {
      if (!isAnswerLost(error)) throw error;
      const registered = await this.#askRepeatedly(() => listControllers(postTo(link), link.keys.controllerId));
      if (registered && isDone(registered)) return;
      const outcome = registered
        ? 'It did not carry this out. Try again.'
        : 'Whether it carried this out is not known. List its controllers once it answers again.';
      throw new HearthError('accessory_unreachable', `${messageOf(error)} ${outcome}`, {}, { cause: error });
    }
  }

  /** Checks with our keys whether the device still knows us, without a second connection beside the session's. */
  async #confirmRemoval(link: DeviceLink, fault: string): Promise<string | undefined> {
    const { discovery, clock, connect, resume } = this.#deps;
    await link.stop();
    discovery.refresh(link.deviceId);
    let connection: PairingConnection | undefined;
    const open = async (): Promise<PairingConnection> => {
      connection = await connect(link.candidates());
      return connection;
    };
    const standing = await this.#askRepeatedly(async () => {
      const cancel = clock.after(CONFIRM_MS, () => connection?.close());
      const found = await findStanding(open, link.keys);
      cancel();
      // An advertisement alone is no proof. Together with a device that does not accept our keys now, it is.
      if (found !== 'known' && link.advertisesUnpaired()) return 'unknown';
      return found === 'known' || found === 'unknown' ? found : undefined;
    });
    if (standing === 'unknown') return undefined;
    resume(link);
    return standing === 'known'
      ? `${fault} It still accepts this relay. Restart it.`
      : `${fault} Whether it removed the pairing is not known, as it can't be asked now. Bring it back.`;
  }

  /** Repeats until there is an answer, for a limited time. */
  async #askRepeatedly<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
    const { clock } = this.#deps;
    const until = clock.monotonic() + CONFIRM_MS;
    for (;;) {
      const answer = await ask().catch(() => undefined);
      if (answer !== undefined || clock.monotonic() >= until) return answer;
      await sleep(clock, CONFIRM_AGAIN_MS);
    }
  }
}

function postTo({ session }: DeviceLink): (body: Buffer) => Promise<Buffer> {
  return (body) => session.device.pairingsExchange(body);
}
