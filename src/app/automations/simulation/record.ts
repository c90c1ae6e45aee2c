/**
 * The effects that a dry run would have on the home, on people and on servers: recorded, not executed. Times are
 * milliseconds.
 */

import type { FlowSimulation } from '../../../contract/simulations.ts';

/** An entry of one of the report's lists, with its time in milliseconds. */
export type Simulated<List extends 'writes' | 'notifications' | 'requests' | 'events' | 'commands' | 'blocked'> =
  Untimed<FlowSimulation[List][number]> & { readonly at: number };
type Untimed<T> = Omit<T, 'at'>;

/** The maximum number of records per kind. */
const MAX_PER_KIND = 10_000;

export class SimulationRecord {
  readonly writes: Simulated<'writes'>[] = [];
  readonly notifications: Simulated<'notifications'>[] = [];
  readonly requests: Simulated<'requests'>[] = [];
  readonly events: Simulated<'events'>[] = [];
  readonly commands: Simulated<'commands'>[] = [];
  readonly blocked: Simulated<'blocked'>[] = [];
  readonly #now: () => number;
  readonly #took: (bytes: number) => void;

  /** @param took called with the number of added bytes of JSON */
  constructor(now: () => number, took: (bytes: number) => void) {
    this.#now = now;
    this.#took = took;
  }

  wrote(write: Untimed<Simulated<'writes'>>): void {
    this.#add(this.writes, write);
  }

  notified(notification: Untimed<Simulated<'notifications'>>): void {
    this.#add(this.notifications, notification);
  }

  requested(request: Untimed<Simulated<'requests'>>): void {
    this.#add(this.requests, request);
  }

  fired(event: Untimed<Simulated<'events'>>): void {
    this.#add(this.events, event);
  }

  commanded(command: Untimed<Simulated<'commands'>>): void {
    this.#add(this.commands, command);
  }

  refused(refusal: Simulated<'blocked'>): void {
    if (this.blocked.length < MAX_PER_KIND) this.blocked.push(refusal);
  }

  #add<T extends { readonly at: number }>(list: T[], reported: Untimed<T>): void {
    const entry = { at: this.#now(), ...reported } as T;
    this.#took(Buffer.byteLength(JSON.stringify(entry)));
    if (list.length < MAX_PER_KIND) list.push(entry);
  }
}
