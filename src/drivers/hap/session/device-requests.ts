/** What a live connection is asked beside values: to identify itself, pictures, streams, pairings. */
import type { WriteOutcome } from '../../../home/accessory-driver.ts';
import type { PictureSize } from '../../../home/camera-driver.ts';
import type { HapId } from '../../../home/model.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import type { Live, RequestedWrite } from '../values/write-item.ts';
import type { CharacteristicId } from '../wire/characteristics-codec.ts';
import { PairingRefusal } from '../wire/exchange.ts';
import { negotiate, takePicture } from './camera-requests.ts';

interface Link {
  /** @throws `accessory_unreachable` */
  requireLive(): Promise<Live>;
  write(writes: readonly RequestedWrite[]): Promise<readonly WriteOutcome[]>;
}

export class DeviceRequests {
  readonly #link: Link;
  #negotiation: Promise<unknown> = Promise.resolve();

  constructor(link: Link) {
    this.#link = link;
  }

  /** @throws `accessory_unreachable`, `accessory_error` */
  async identify(aid: HapId): Promise<void> {
    const { index } = await this.#link.requireLive();
    const identify = index.findIdentify(aid);
    if (!identify) throw new HearthError('accessory_error', 'This accessory has no way to identify itself.');
    const [outcome] = await this.#link.write([{ aid, iid: identify.iid, value: true }]);
    if (!outcome || outcome.ok) return;
    const code = outcome.reason === 'unreachable' ? 'accessory_unreachable' : 'accessory_error';
    throw new HearthError(code, outcome.detail);
  }

  /** @throws `accessory_unreachable`, `accessory_error` */
  async takePicture(aid: HapId, size: PictureSize): Promise<Buffer> {
    const { requests } = await this.#link.requireLive();
    return takePicture(requests, aid, size);
  }

  /** One after the other: an answer belongs to the last question. @throws as `takePicture` */
  negotiate(id: CharacteristicId, value: string): Promise<string> {
    const answer = this.#negotiation.then(async () => negotiate((await this.#link.requireLive()).requests, id, value));
    this.#negotiation = answer.catch(() => {});
    return answer;
  }

  /** Posts to `/pairings` on the verified connection. @throws `accessory_unreachable`, `accessory_error` */
  async pairingsExchange(body: Buffer): Promise<Buffer> {
    const { requests } = await this.#link.requireLive();
    try {
      return await requests.connection.exchange('/pairings', body);
    } catch (error) {
      const code = error instanceof PairingRefusal ? 'accessory_error' : 'accessory_unreachable';
      throw new HearthError(code, `${messageOf(error)}.`, {}, { cause: error });
    }
  }
}
