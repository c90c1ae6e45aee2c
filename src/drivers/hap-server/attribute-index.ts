/** What a bridge publishes, by aid and iid. It is rebuilt when the published accessories change. */
import type { HapId } from '../../home/model.ts';
import type { BridgeContent, PublishedAccessory, PublishedCharacteristic } from '../../home/publication-port.ts';
import { keyOf } from '../hap/wire/characteristics-codec.ts';

export interface PublishedAttribute {
  readonly aid: HapId;
  readonly iid: HapId;
  /** `aid.iid` */
  readonly key: string;
  readonly characteristic: PublishedCharacteristic;
}

export class AttributeIndex {
  readonly #content: BridgeContent;
  #accessories: readonly PublishedAccessory[] = [];
  #byKey: ReadonlyMap<string, PublishedAttribute> = new Map();
  #configNumber: number | undefined;

  constructor(content: BridgeContent) {
    this.#content = content;
  }

  get accessories(): readonly PublishedAccessory[] {
    this.#refresh();
    return this.#accessories;
  }

  find(aid: HapId, iid: HapId): PublishedAttribute | undefined {
    this.#refresh();
    return this.#byKey.get(keyOf({ aid, iid }));
  }

  /** The accessories changed. */
  invalidate(): void {
    this.#configNumber = undefined;
  }

  #refresh(): void {
    const configNumber = this.#content.configNumber();
    if (configNumber === this.#configNumber) return;
    this.#configNumber = configNumber;
    this.#accessories = this.#content.accessories();
    this.#byKey = new Map(
      this.#accessories.flatMap(({ aid, services }) =>
        services.flatMap(({ characteristics }) =>
          characteristics.map((characteristic) => {
            const { iid } = characteristic;
            const key = keyOf({ aid, iid });
            return [key, { aid, iid, key, characteristic }] as const;
          }),
        ),
      ),
    );
  }
}
