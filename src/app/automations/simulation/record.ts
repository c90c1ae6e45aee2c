/**
 * The effects that a dry run would have on the home, on people and on servers: recorded, not executed. Times are
 * milliseconds.
 */

import type { BlockedReason } from '../../../contract/automation-runs.ts';
import type { CharacteristicValue } from '../../../home/model.ts';
import type { ErrorCode } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/json.ts';

interface Recorded {
  readonly at: number;
  /** The run that caused it. */
  readonly runId: string | null;
}

export interface SimulatedWrite extends Recorded {
  readonly accessoryId: string;
  readonly accessoryName: string;
  /** The name in flows: `power_state`. */
  readonly characteristicType: string;
  readonly value: CharacteristicValue;
  /** For a virtual accessory: the operation, unless it only set a value. */
  readonly operation: string | null;
  /** Why the accessory refused it. */
  readonly error: string | null;
  /** The error as a code. */
  readonly code?: ErrorCode;
}

export interface SimulatedNotification extends Recorded {
  readonly automationId: string | null;
  readonly title: string | null;
  readonly message: string;
}

export interface SimulatedRequest extends Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The status of the scenario's response; `null`: there was none. */
  readonly status: number | null;
}

export interface SimulatedEvent extends Recorded {
  readonly eventType: string;
  readonly eventData: Json;
}

/** A command that another automation would have received. */
export interface SimulatedCommand extends Recorded {
  readonly automationId: string;
  readonly automationName: string;
  readonly action: 'enable' | 'disable' | 'trigger';
}

/** A firing that did not start a run. */
export interface SimulatedRefusal {
  readonly at: number;
  readonly automationId: string;
  readonly automationName: string;
  readonly runId: string;
  readonly reason: BlockedReason;
}

type Untimed<T extends Recorded> = Omit<T, 'at'>;

/** The maximum number of records per kind. */
const MAX_PER_KIND = 10_000;

export class SimulationRecord {
  readonly writes: SimulatedWrite[] = [];
  readonly notifications: SimulatedNotification[] = [];
  readonly requests: SimulatedRequest[] = [];
  readonly events: SimulatedEvent[] = [];
  readonly commands: SimulatedCommand[] = [];
  readonly blocked: SimulatedRefusal[] = [];
  readonly #now: () => number;
  readonly #took: (bytes: number) => void;

  /** @param took called with the number of added bytes of JSON */
  constructor(now: () => number, took: (bytes: number) => void) {
    this.#now = now;
    this.#took = took;
  }

  wrote(write: Untimed<SimulatedWrite>): void {
    this.#add(this.writes, write);
  }

  notified(notification: Untimed<SimulatedNotification>): void {
    this.#add(this.notifications, notification);
  }

  requested(request: Untimed<SimulatedRequest>): void {
    this.#add(this.requests, request);
  }

  fired(event: Untimed<SimulatedEvent>): void {
    this.#add(this.events, event);
  }

  commanded(command: Untimed<SimulatedCommand>): void {
    this.#add(this.commands, command);
  }

  refused(refusal: SimulatedRefusal): void {
    if (this.blocked.length < MAX_PER_KIND) this.blocked.push(refusal);
  }

  #add<T extends Recorded>(list: T[], reported: Untimed<T>): void {
    const entry = { at: this.#now(), ...reported } as T;
    this.#took(Buffer.byteLength(JSON.stringify(entry)));
    if (list.length < MAX_PER_KIND) list.push(entry);
  }
}
