/** One request as Node read it, in the form that the guards read. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiEnv, GuardedRequest } from '../env.ts';
import type { RequestTurns } from '../request-turns.ts';

/** Where a request came in. */
export interface Arrival {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly viaSocket: boolean;
  readonly turns: RequestTurns;
}

export class QuickRequest implements GuardedRequest {
  readonly env: Arrival;
  readonly method: string;
  readonly #variables: Partial<ApiEnv['Variables']> = {};

  constructor(arrival: Arrival) {
    this.env = arrival;
    this.method = arrival.incoming.method ?? '';
  }

  /** What guards call `c.req`. */
  get req(): this {
    return this;
  }

  /** Its Host forms a URL: `QuickRoutes` takes no other request. */
  get url(): string {
    const { url = '', headers, socket } = this.env.incoming;
    return `${'encrypted' in socket ? 'https' : 'http'}://${headers.host}${url}`;
  }

  header(name: string): string | undefined {
    const value = this.env.incoming.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  get<K extends keyof ApiEnv['Variables']>(name: K): ApiEnv['Variables'][K] {
    return this.#variables[name] as ApiEnv['Variables'][K];
  }

  set<K extends keyof ApiEnv['Variables']>(name: K, value: ApiEnv['Variables'][K]): void {
    this.#variables[name] = value;
  }
}
