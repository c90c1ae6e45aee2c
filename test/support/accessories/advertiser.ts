/**
 * Advertises an accessory server as `_hap._tcp` on loopback only, the way real accessories do (HAP specification §6.4).
 */
import { type CiaoResponder, type CiaoService, loadCiao } from './hap-nodejs-parts.ts';

export interface AdvertisedRecord {
  readonly name: string;
  readonly deviceId: string;
  readonly port: number;
  readonly model: string;
  /** HAP category number. */
  readonly category: number;
  readonly configNumber: number;
  readonly paired: boolean;
  /** `ff`: bit 0 = Apple authentication coprocessor. */
  readonly featureFlags: number;
  /** TXT entries to replace or add as they are; `undefined` leaves one out. For accessories that break the rules. */
  readonly txt?: Readonly<Record<string, string | undefined>>;
}

let responders = 0;

/**
 * A responder of its own: a shared one probes its services one after the other, which takes most of a second for each.
 * Ciao distinguishes responders by their options only, and ignores those it does not know.
 */
export function distinctResponderOptions(): Record<string, unknown> {
  responders += 1;
  return { interface: ['127.0.0.1'], distinct: `${process.pid}/${responders}` };
}

export class Advertiser {
  #record: AdvertisedRecord;
  readonly #responder: CiaoResponder;
  #service: CiaoService;

  private constructor(record: AdvertisedRecord) {
    this.#record = record;
    this.#responder = loadCiao().getResponder(distinctResponderOptions());
    this.#service = this.#createService();
  }

  /** Resolves when the name was probed and the first announcement is out: about a second. */
  static async start(record: AdvertisedRecord): Promise<Advertiser> {
    const advertiser = new Advertiser(record);
    await advertiser.#service.advertise();
    return advertiser;
  }

  /** Announces what changed: the TXT record alone where possible, else goodbye and everything again. */
  async update(change: Partial<AdvertisedRecord>): Promise<void> {
    const { port, name, deviceId } = this.#record;
    this.#record = { ...this.#record, ...change };
    if (this.#record.port === port && this.#record.name === name && this.#record.deviceId === deviceId) {
      this.#service.updateTxt(txtOf(this.#record));
      return;
    }
    await this.#service.destroy();
    this.#service = this.#createService();
    await this.#service.advertise();
  }

  /** Sends a goodbye and closes the sockets. */
  async stop(): Promise<void> {
    await this.#service.destroy();
    await this.#responder.shutdown();
  }

  #createService(): CiaoService {
    const service = this.#responder.createService({
      name: this.#record.name,
      type: 'hap',
      port: this.#record.port,
      hostname: `hap-${this.#record.deviceId.replaceAll(':', '').toLowerCase()}`,
      txt: txtOf(this.#record),
      restrictedAddresses: ['127.0.0.1'],
      disabledIpv6: true,
    });
    // Without a listener a rename is only logged; the device id identifies us anyway.
    service.on('name-change', () => {});
    return service;
  }
}

function txtOf(record: AdvertisedRecord): Record<string, string> {
  const txt: Record<string, string | undefined> = {
    'c#': String(record.configNumber),
    ff: String(record.featureFlags),
    id: record.deviceId,
    md: record.model,
    pv: '1.1',
    's#': '1',
    sf: record.paired ? '0' : '1',
    ci: String(record.category),
    ...record.txt,
  };
  return Object.fromEntries(Object.entries(txt).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
