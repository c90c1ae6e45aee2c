/**
 * Streams of changes for clients: a resource has changed, or the list of resources or tools has. A stream keeps no list
 * of changes, only which resources changed since its reader took the last of them: a slow reader costs no memory.
 * `live/` decides when it must end, as for all streams.
 */
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Caller } from '../../app/access/caller.ts';
import { newId } from '../../kernel/ids.ts';
import { StreamSupervisor, type WatchedStream, type WatchLimits, watchCaller } from '../live/stream-supervisor.ts';
import type { McpFaceDeps } from './mcp-deps.ts';
import { accessoryUri, HOMES_URI, homeUri } from './resources.ts';
import { reachOf } from './tool-calls.ts';
import type { ToolContext } from './tools/mcp-tool.ts';

/** A scene that switches twenty lamps is one change of the home. */
const COALESCE_MS = 250;

const LIMITS: WatchLimits = {
  inAll: 32,
  perOwner: 8,
  perAddress: 32,
  sentence: 'Too many streams are open. Close one and try again.',
};

export class McpSubscriptions {
  readonly #deps: McpFaceDeps;
  readonly #watch: StreamSupervisor;

  constructor(deps: McpFaceDeps) {
    this.#deps = deps;
    this.#watch = new StreamSupervisor(
      {
        ...deps,
        onFailure: (error) => deps.failures.note(error, { requestId: newId(), method: 'POST', path: '/mcp' }),
      },
      LIMITS,
    );
    deps.clients?.add('mcp', this.#watch);
  }

  /** @throws `rate_limited` the limit is reached, in total or for this caller */
  open(caller: Caller): ResourceSubscription {
    return new ResourceSubscription(this.#deps, this.#watch, caller);
  }
}

interface Change {
  readonly event: ServerEvent;
  /** The homes of the change: the caller must be permitted to see one of them. */
  readonly homeIds: Set<string>;
  /** The changed accessory, if it is one. */
  readonly accessoryId: string | undefined;
}

/** The event source of the SDK's stream, and the connection of that stream to its reader. */
class ResourceSubscription implements ServerEventBus {
  readonly #deps: McpFaceDeps;
  readonly #caller: Caller;
  readonly #watched: WatchedStream;
  readonly #listeners = new Set<(event: ServerEvent) => void>();
  /** Unsent changes, by resource or kind. */
  readonly #changes = new Map<string, Change>();
  #cancel: (() => void)[] = [];
  #cancelFlush: (() => void) | undefined;
  #reach: string | undefined;
  #isCarrying = false;
  /** The reader has read all data. */
  #isDrained = false;
  #close: () => Promise<void> = () => Promise.resolve();
  #cut: () => void = () => {};
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** @throws as `watchCaller` */
  constructor(deps: McpFaceDeps, watch: StreamSupervisor, caller: Caller) {
    this.#deps = deps;
    this.#caller = caller;
    this.#watched = watchCaller({ watch, credentials: deps.credentials }, caller, {
      onEnd: () => this.#finish(),
      onTick: () => this.#lookAround(),
    });
  }

  /** Not used: only the home's events are published here. */
  publish(): void {}

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * @param close ends `source` by the protocol. @param cut cuts the connection.
   * @returns the stream for the reader.
   */
  carry(source: ReadableStream<Uint8Array>, close: () => Promise<void>, cut: () => void): ReadableStream<Uint8Array> {
    this.#isCarrying = true;
    this.#cut = cut;
    this.#close = close;
    this.#watched.gave();
    this.#reach = reachOf(this.#context());
    this.#listen();
    const reader = source.getReader();
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: async (controller) => {
          const { done, value } = await this.#take(reader).catch((error: unknown) => {
            this.#end();
            throw error;
          });
          if (!done) return controller.enqueue(value);
          controller.close();
          this.#end();
        },
        cancel: async (reason) => {
          this.#end();
          await reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  endUnlessCarrying(): void {
    if (!this.#isCarrying) this.#end();
  }

  /** Called when the reader requests more; creates more only if no data is waiting. */
  async #take(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#watched.took();
    let isThere = false;
    const reading = reader.read().finally(() => {
      isThere = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    if (!isThere) {
      this.#isDrained = true;
      this.#flushSoon();
    }
    const result = await reading;
    this.#isDrained = false;
    this.#watched.gave();
    return result;
  }

  #listen(): void {
    const { bus } = this.#deps;
    this.#cancel = [
      bus.on('state.changed', ({ homeId, accessoryId }) => this.#accessoryChanged(homeId, accessoryId)),
      bus.on('accessory.reachability_changed', ({ homeId, accessoryId }) =>
        this.#accessoryChanged(homeId, accessoryId),
      ),
      bus.on('accessory.added', ({ homeId }) => this.#listChanged(homeId)),
      bus.on('accessory.removed', ({ homeId }) => this.#listChanged(homeId)),
      bus.on('layout.changed', ({ homeId }) => this.#listChanged(homeId)),
      bus.on('home.connection_changed', ({ homeId }) => this.#homeChanged(homeId)),
    ];
  }

  #accessoryChanged(homeId: string, accessoryId: string): void {
    this.#changed({ kind: 'resource_updated', uri: accessoryUri(accessoryId) }, homeId, accessoryId);
    this.#homeChanged(homeId);
  }

  #homeChanged(homeId: string): void {
    this.#changed({ kind: 'resource_updated', uri: homeUri(homeId) }, homeId);
    this.#changed({ kind: 'resource_updated', uri: HOMES_URI }, homeId);
  }

  /** Descriptions of tools contain homes and rooms. */
  #listChanged(homeId: string): void {
    this.#changed({ kind: 'resources_list_changed' }, homeId);
    this.#changed({ kind: 'tools_list_changed' }, homeId);
    this.#homeChanged(homeId);
  }

  #changed(event: ServerEvent, homeId: string, accessoryId?: string): void {
    const key = event.kind === 'resource_updated' ? event.uri : event.kind;
    const change = this.#changes.get(key) ?? { event, homeIds: new Set(), accessoryId };
    change.homeIds.add(homeId);
    this.#changes.set(key, change);
    this.#flushSoon();
  }

  /** By the caller's present permissions. */
  #maySend({ homeIds, accessoryId: id }: Change): boolean {
    const { access } = this.#deps;
    return [...homeIds].some((homeId) =>
      id === undefined
        ? access.mayIn(this.#caller, 'view', homeId)
        : access.roleOver(this.#caller, { id, homeId }) !== undefined,
    );
  }

  #flushSoon(): void {
    if (this.#changes.size === 0) return;
    this.#cancelFlush ??= this.#deps.clock.after(COALESCE_MS, () => {
      this.#cancelFlush = undefined;
      this.#attempt(() => this.#flush());
    });
  }

  #flush(): void {
    if (!this.#isDrained) return;
    const changes = [...this.#changes.values()];
    this.#changes.clear();
    for (const change of changes) if (this.#maySend(change)) this.#send(change.event);
  }

  #send(event: ServerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** The caller's highest permission in any home decides which tools and resources exist. */
  #lookAround(): void {
    if (!this.#isCarrying) return;
    const reach = reachOf(this.#context());
    if (reach === this.#reach) return;
    this.#reach = reach;
    this.#send({ kind: 'tools_list_changed' });
    this.#send({ kind: 'resources_list_changed' });
  }

  /**
   * A waiting reader gets the end; for one that does not read, the unread data is dropped and the connection is cut.
   */
  #finish(): void {
    const isWaiting = this.#isDrained;
    this.#end();
    if (!isWaiting) {
      // Closed, not errored: the code behind Node's sockets would print the error.
      this.#controller?.close();
      this.#cut();
    }
    this.#close().catch((error: unknown) => this.#note(error));
  }

  #context(): ToolContext {
    return { caller: this.#caller, deps: this.#deps, signal: AbortSignal.abort() };
  }

  /** Timer callbacks have no caller: a disk error must end only this stream. Clients reconnect. */
  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#note(error);
      this.#finish();
    }
  }

  #note(error: unknown): void {
    this.#deps.failures.note(error, { requestId: this.#caller.requestId, method: 'POST', path: '/mcp' });
  }

  #end(): void {
    for (const cancel of this.#cancel) cancel();
    this.#cancel = [];
    this.#cancelFlush?.();
    this.#changes.clear();
    this.#watched.close();
  }
}
