/** What must be true of the home, written down as it is caused, and all that was found to be otherwise. */

/** The kinds of what can be wrong, as the report has them. */
export const WRONGS = {
  lostWrite: 'acknowledged writes lost',
  repeatedWrite: 'writes carried out twice',
  strayWrite: 'writes that were meant for another device or value',
  lostSetting: 'acknowledged settings lost',
  lostPairing: 'pairings lost',
  missedTimer: 'timers missed',
  doubledTimer: 'timers doubled',
  lostDelivery: 'webhook deliveries lost',
  wrongState: 'final states wrong',
  notBack: 'devices or daemon that did not come back',
  leak: 'memory or files that grow',
  failure: 'failures of the run itself',
} as const;
export type WrongKind = keyof typeof WRONGS;

export interface Wrong {
  readonly kind: WrongKind;
  readonly what: string;
}

interface Command {
  readonly device: string;
  readonly iid: string;
  acknowledged: boolean;
  times: number;
}

/** A setting that holds one text. */
interface Setting {
  acknowledged: string | undefined;
  /** Asked for, and without an answer: either is right. */
  underway: string | undefined;
}

interface Delivery {
  /** When its change was acknowledged. */
  acknowledgedAt: number | undefined;
  arrived: boolean;
  /** The daemon was killed before its event had to be saved. */
  mayBeLost: boolean;
}

/**
 * The daemon saves events a few times a second, and on a slow disk once a second: that, and the time that it takes to
 * save. What it acknowledged is saved at once; the event of it may be lost by a kill.
 */
const SAVED_AFTER_MS = 2_000;

export class Ledger {
  readonly wrongs: Wrong[] = [];
  /** By value: each is used once. */
  readonly #commands = new Map<number, Command>();
  readonly #settings = new Map<string, Setting>();
  readonly #deliveries = new Map<string, Delivery>();
  readonly #ends: { readonly how: string; readonly at: number }[] = [];
  readonly timers = { begun: 0, counted: 0, excused: 0, refusedByDisk: 0, notAcknowledged: 0 };
  /** Changes that a full disk refused. */
  refusedByDisk = 0;

  wrong(kind: WrongKind, what: string): void {
    this.wrongs.push({ kind, what });
  }

  give(value: number, device: string, iid: string): void {
    this.#commands.set(value, { device, iid, acknowledged: false, times: 0 });
  }

  acknowledge(value: number): void {
    const command = this.#commands.get(value);
    if (command) command.acknowledged = true;
  }

  /** A device was written to. */
  carriedOut(value: unknown, device: string, iid: string): void {
    const command = this.#commands.get(Number(value));
    const name = `${device}.${iid} = ${String(value)}`;
    if (command?.device !== device || command.iid !== iid) this.wrong('strayWrite', name);
    else {
      command.times += 1;
      if (command.times === 2) this.wrong('repeatedWrite', name);
    }
  }

  get writes(): { readonly given: number; readonly acknowledged: number } {
    const all = [...this.#commands.values()];
    return { given: all.length, acknowledged: all.filter(({ acknowledged }) => acknowledged).length };
  }

  set(name: string, text: string): void {
    const setting = this.#settings.get(name);
    this.#settings.set(name, { acknowledged: setting?.acknowledged, underway: text });
  }

  /** The change has had its answer. */
  isSet(name: string): void {
    const setting = this.#settings.get(name);
    this.#settings.set(name, { acknowledged: setting?.underway, underway: undefined });
  }

  get settings(): readonly string[] {
    return [...this.#settings.keys()];
  }

  /** After a restart, or at the end: what is shown is what counts from here on. */
  found(name: string, text: string): void {
    const { acknowledged, underway } = this.#settings.get(name) ?? {};
    if (text !== acknowledged && text !== underway) {
      this.wrong('lostSetting', `${name} is ${text}, acknowledged was ${acknowledged}, on its way ${underway}`);
    }
    this.#settings.set(name, { acknowledged: text, underway: undefined });
  }

  send(text: string): void {
    this.#deliveries.set(text, { acknowledgedAt: undefined, arrived: false, mayBeLost: false });
  }

  isSent(text: string, at = performance.now()): void {
    const delivery = this.#deliveries.get(text);
    if (delivery) delivery.acknowledgedAt = at;
  }

  arrived(text: string): void {
    const delivery = this.#deliveries.get(text);
    if (delivery) delivery.arrived = true;
  }

  /** The daemon is ended. */
  ends(how: 'kill' | 'restart', at = performance.now()): void {
    this.#ends.push({ how, at });
    if (how === 'restart') return;
    for (const delivery of this.#deliveries.values()) {
      const { acknowledgedAt } = delivery;
      if (acknowledgedAt !== undefined && at - acknowledgedAt < SAVED_AFTER_MS) delivery.mayBeLost = true;
    }
  }

  /** Texts whose change was acknowledged, and that have not arrived though they must. */
  get missingDeliveries(): readonly string[] {
    return [...this.#deliveries].flatMap(([text, { acknowledgedAt, arrived, mayBeLost }]) =>
      acknowledgedAt !== undefined && !arrived && !mayBeLost ? [text] : [],
    );
  }

  get deliveries(): { readonly sent: number; readonly arrived: number; readonly killed: number } {
    const sent = [...this.#deliveries.values()].filter(({ acknowledgedAt }) => acknowledgedAt !== undefined);
    const arrived = sent.filter((delivery) => delivery.arrived).length;
    return { sent: sent.length, arrived, killed: sent.filter((one) => !one.arrived && one.mayBeLost).length };
  }

  /** Nothing is on its way any more. */
  close(): void {
    for (const [value, { device, iid, acknowledged, times }] of this.#commands) {
      if (acknowledged && times === 0) this.wrong('lostWrite', `${device}.${iid} = ${value}`);
    }
    for (const text of this.missingDeliveries)
      this.wrong('lostDelivery', `${text}, acknowledged ${this.#whenOf(text)}`);
  }
  #whenOf(text: string): string {
    const at = this.#deliveries.get(text)?.acknowledgedAt ?? 0;
    const end = this.#ends.find((one) => one.at >= at);
    return end ? `${Math.round(end.at - at)} ms before a ${end.how}` : 'after the last end of the daemon';
  }
}
