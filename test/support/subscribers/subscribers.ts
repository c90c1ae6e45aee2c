/**
 * All kinds of clients that listen to a relay: webhook receivers, server-sent event streams, WebSockets and an MQTT
 * broker, in a process of their own, so that their work does not count as the daemon's.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { forkTypeScript } from '../typescript-process.ts';

export interface SubscribersCount {
  readonly receivers: number;
  readonly streams: number;
  readonly sockets: number;
  /** So many of the streams, and so many of the sockets, the first ones, read nothing until they are woken. */
  readonly deaf: number;
}

/** What they have received so far. */
export interface Received {
  /**
   * Of each webhook receiver: deliveries, those with an id that came before, and those with an older change than one
   * before of the same accessory.
   */
  readonly receivers: readonly {
    readonly deliveries: number;
    readonly repeated: number;
    readonly disordered: number;
  }[];
  readonly streams: readonly Listener[];
  readonly sockets: readonly Listener[];
  /** The last retained state of each topic on the broker. */
  readonly topics: Readonly<Record<string, string>>;
}

export interface Listener {
  readonly changes: number;
  /** Older than one before of the same accessory. */
  readonly disordered: number;
  /** How often it got a report of missed events, and of how many at most. */
  readonly missed: number;
  readonly missedChanges: number;
  readonly ended: boolean;
}

export type SubscribersOrder =
  | { readonly type: 'open'; readonly receivers: number }
  | {
      readonly type: 'listen';
      readonly url: string;
      readonly socketUrl: string;
      readonly token: string;
      readonly homeId: string;
      readonly size: SubscribersCount;
    }
  | { readonly type: 'wake' }
  | { readonly type: 'count' };

export type SubscribersReport =
  | { readonly type: 'opened'; readonly receiverUrls: readonly string[]; readonly brokerPort: number }
  | { readonly type: 'listening' }
  | { readonly type: 'received'; readonly received: Received };

export class Subscribers {
  readonly receiverUrls: readonly string[];
  readonly brokerPort: number;
  readonly #child: ChildProcess;
  readonly #size: SubscribersCount;

  private constructor(
    child: ChildProcess,
    size: SubscribersCount,
    opened: Extract<SubscribersReport, { type: 'opened' }>,
  ) {
    this.#child = child;
    this.#size = size;
    this.receiverUrls = opened.receiverUrls;
    this.brokerPort = opened.brokerPort;
  }

  /** Receivers and the broker are there at once; the others come with `listen`. */
  static async open(size: SubscribersCount): Promise<Subscribers> {
    const child = forkTypeScript(join(import.meta.dirname, 'subscribers-child.ts'));
    return new Subscribers(child, size, await ask(child, { type: 'open', receivers: size.receivers }, 'opened'));
  }

  /** Resolves when every stream and socket is open, signed in and subscribed to the home. */
  async listen(relay: Omit<Extract<SubscribersOrder, { type: 'listen' }>, 'type' | 'size'>): Promise<void> {
    await ask(this.#child, { type: 'listen', ...relay, size: this.#size }, 'listening');
  }

  /** From now on all of them read. */
  wake(): void {
    this.#child.send({ type: 'wake' } satisfies SubscribersOrder);
  }

  async received(): Promise<Received> {
    return (await ask(this.#child, { type: 'count' }, 'received')).received;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }
}

/** @throws if the process ends first */
function ask<T extends SubscribersReport['type']>(
  child: ChildProcess,
  order: SubscribersOrder,
  type: T,
): Promise<Extract<SubscribersReport, { type: T }>> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`The listeners ended before '${type}'`));
    const onReport = (report: SubscribersReport) => {
      if (report.type !== type) return;
      child.off('message', onReport);
      child.off('exit', onExit);
      resolve(report as Extract<SubscribersReport, { type: T }>);
    };
    child.on('message', onReport);
    child.once('exit', onExit);
    child.send(order);
  });
}
