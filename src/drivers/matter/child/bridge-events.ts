import { InternalError } from '@matter/main';
import type { MatterWrite, MatterWriteResult } from '../../../home/matter-port.ts';
import type { ParentLink } from './parent-link.ts';

/** What endpoints ask of the home; in the environment of the bridge's node, where behaviors find it. */
export class BridgeEvents {
  readonly #link: ParentLink;

  constructor(link: ParentLink) {
    this.#link = link;
  }

  /** The library makes services that it does not find. */
  static create(): never {
    throw new InternalError('The bridge has no link to the relay');
  }

  write(write: MatterWrite): Promise<MatterWriteResult> {
    return this.#link.write(write);
  }

  stopMotion(key: string): void {
    this.#link.send({ type: 'stop_motion', key });
  }

  identify(key: string): void {
    this.#link.send({ type: 'identify', key });
  }
}
