/**
 * Streams that tell clients what has changed: that a resource has another content, or that other resources or tools are there. A stream
 * keeps no list of changes, only which resources changed since its reader took the last of them: a slow reader costs no memory.
 * When one must end is `live/`'s to say, as of all streams.
 */
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Caller } from '../../app/access/caller.ts';
import { newId } from '../../kernel/ids.ts';
import { Watch, type WatchedStream, type WatchLimits, watchCaller } from '../live/watch.ts';
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

export class Subscriptions {
  readonly #deps: McpFaceDeps;
  readonly #watch: Watch;

  constructor(deps: McpFaceDeps) {
    this.#deps = deps;
    this.#watch = new Watch(
      {
        ...deps,
        onFailure: (error) => deps.failures.note(error, { requestId: newId(), method: 'POST', path: '/mcp' }),
      },
      LIMITS,
    );
    deps.clients?.add('mcp', this.#watch);
  }

  /** @throws `rate_limited` there are as many as there may be, in all or for this caller */
  open(caller: Caller): Subscription {
    return new Subscription(this.#deps, this.#watch, caller);
  }
}

interface Change {
  readonly event: ServerEvent;
  /** Where it happened: one of them must be the caller's to see. */
  readonly homeIds: Set<string>;
  /** What changed, if it is one accessory. */
  readonly accessoryId: string | undefined;
}

/** What the SDK's stream listens to, and the way of that stream to its reader. */
class Subscription implements ServerEventBus {
  readonly #deps: McpFaceDeps;
  readonly #caller: Caller;
  readonly #watched: WatchedStream;
  readonly #listeners = new Set<(event: ServerEvent) => void>();
  /** What is to be told, by resource or kind. */
  readonly #changes = new Map<string, Change>();
  #cancel: (() => void)[] = [];
  #cancelFlush: (() => void) | undefined;
  #reach: string | undefined;
  #isCarrying = false;
  /** The reader has taken all that there was. */
  #isDrained = false;
  #close: () => Promise<void> = () => Promise.resolve();
  #cut: () => void = () => {};
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** @throws as `watchCaller` */
  constructor(deps: McpFaceDeps, watch: Watch, caller: Caller) {
    this.#deps = deps;
    this.#caller = caller;
    this.#watched = watchCaller({ watch, credentials: deps.credentials }, caller, {
      onEnd: () => this.#finish(),
      onTick: () => this.#lookAround(),
    });
  }

  /** Nobody else publishes here. */
  publish(): void {}

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * @param close ends `source` as the protocol wants it ended. @param cut cuts the connection.
   * @returns what the reader gets.
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

  /** Called when the reader wants more; more is made only where nothing waits. */
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

  /** Tools speak of homes and rooms. */
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

  /** By what the caller may see now. */
  #mayTell({ homeIds, accessoryId: id }: Change): boolean {
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
    for (const change of changes) if (this.#mayTell(change)) this.#tell(change.event);
  }

  #tell(event: ServerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** What it may do anywhere decides which tools and resources there are. */
  #lookAround(): void {
    if (!this.#isCarrying) return;
    const reach = reachOf(this.#context());
    if (reach === this.#reach) return;
    this.#reach = reach;
    this.#tell({ kind: 'tools_list_changed' });
    this.#tell({ kind: 'resources_list_changed' });
  }

  /** A reader that waits is told; one that does not take what is there gets no more of it, and the connection goes with it. */
  #finish(): void {
    const isWaiting = this.#isDrained;
    this.#end();
    if (!isWaiting) {
      // Closed and not failed: what is behind Node's sockets would print that.
      this.#controller?.close();
      this.#cut();
    }
    this.#close().catch((error: unknown) => this.#note(error));
  }

  #context(): ToolContext {
    return { caller: this.#caller, deps: this.#deps, signal: AbortSignal.abort() };
  }

  /** Nobody waits for what timers do: a disk that fails must end the stream, and nothing else. Clients connect again. */
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
