/**
 * Publishes one home on one broker and keeps its retained messages up to date. A change marks its thing as dirty; a
 * moment later the publisher sends the thing's whole current state. So nothing accumulates while the broker is slow or
 * unreachable, and a subscriber always finds everything.
 */
import type { HomeDeps } from '../../home/home-deps.ts';
import type { Scene } from '../../home/model.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { LogThrottle } from '../../kernel/logger.ts';
import type { Broker } from './broker.ts';
import { type PublishedInventory, takeInventory, topicsOf } from './inventory.ts';
import type { PublishQueue } from './publish-queue.ts';
import {
  type Discover,
  type DiscoverHome,
  PRESS_TYPES,
  type PublishedSubject,
  propertyEventTopic,
} from './published-thing.ts';
import type { RetainedTopics } from './retained-topics.ts';
import { homeMessages, layoutMessages, liveMessages, OFFLINE, type RetainedMessage } from './thing-messages.ts';

/** Changes within this time are one message: a scene changes a lamp's hue, saturation and brightness. */
const FLUSH_MS = 25;
/** A bridge with fifty accessories reports fifty layout changes. */
const LAYOUT_MS = 200;
/** Things described per event-loop turn. */
const SLICE = 10;
const CLEARED_AT_ONCE = 50;

export interface HomePublisherDeps extends HomeDeps<'state' | 'clock' | 'logger'> {
  readonly broker: Broker;
  /** The published scenes of the home. */
  scenesOf(homeId: string): readonly Pick<Scene, 'id' | 'name'>[];
  readonly retained: RetainedTopics;
  readonly discover: Discover;
  readonly discoverHome: DiscoverHome;
  readonly throttle: LogThrottle;
}

export class HomePublisher {
  readonly #deps: HomePublisherDeps;
  #inventory: PublishedInventory | undefined;
  /** Things whose values or availability may have changed. */
  readonly #dirty = new Set<string>();
  /**
   * Subjects to describe completely, because the layout changed or the connection is new; topics found so far are in
   * `#wanted`.
   */
  readonly #undescribed = new Set<string>();
  #wanted: Set<string> | undefined;
  #isLayoutStale = true;
  #outbox: PublishQueue | undefined;
  #isWorking = false;
  #cancelTimer: (() => void) | undefined;
  #timerIsForLayout = false;

  constructor(deps: HomePublisherDeps) {
    this.#deps = deps;
  }

  /** As last published; rebuilt if the layout has changed since. `undefined` if the home does not exist. */
  get inventory(): PublishedInventory | undefined {
    if (this.#isLayoutStale) this.#takeInventory();
    return this.#inventory;
  }

  /** The current status topic; it depends on the home's name. */
  get statusTopic(): string | undefined {
    const { state, broker } = this.#deps;
    return topicsOf(state, broker.homeId, broker.topicPrefix)?.status;
  }

  /** Number of things waiting to be published. */
  get pending(): number {
    return new Set([...this.#dirty, ...this.#undescribed]).size;
  }

  /** Starts a connection and publishes everything over it. */
  attach(outbox: PublishQueue): void {
    this.#outbox = outbox;
    this.#deps.retained.forgetSent();
    this.#isLayoutStale = true;
    this.publishStatus();
    this.#schedule(0);
  }

  /** The connection is lost. Nothing is kept for the next one, which publishes everything. */
  detach(): void {
    this.#outbox = undefined;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#dirty.clear();
    this.#undescribed.clear();
    this.#wanted = undefined;
  }

  /** Marks the accessory and its groups dirty. */
  accessoryChanged(id: string): void {
    if (!this.#outbox) return;
    this.#dirty.add(id);
    for (const group of this.#inventory?.groupsOf.get(id) ?? []) this.#dirty.add(group);
    this.#schedule(FLUSH_MS);
  }

  /** Publishes an unchanged thing again: the sender of a command may assume that it changed. */
  republish(subject: PublishedSubject): void {
    if (subject.kind === 'scene') return;
    this.#deps.retained.forgetSentOn(subject.topics.state);
    this.accessoryChanged(subject.id);
  }

  layoutChanged(): void {
    this.#isLayoutStale = true;
    if (this.#outbox) this.#schedule(LAYOUT_MS);
  }

  /** Publishes whether the home can be commanded: its driver runs and it is not paused. */
  publishStatus(): void {
    if (this.inventory) this.#send(homeMessages(this.inventory, this.#deps));
  }

  /** Publishes a button press: an event, not retained. */
  pressed(accessoryId: string, iid: string, value: number): void {
    const thing = this.inventory?.subjects.get(accessoryId);
    if (!this.#outbox || !thing || thing.kind === 'scene') return;
    const binding = thing.properties.find(({ isButton, characteristic }) => isButton && characteristic.iid === iid);
    if (!binding) return;
    const { property } = binding;
    const payload = JSON.stringify({ event_type: PRESS_TYPES[value] ?? `unknown_${value}`, property });
    this.#outbox.reportError(thing.topics.event, payload);
    this.#outbox.reportError(propertyEventTopic(thing.topics, property), payload);
  }

  /** Publishes `offline` for the home. Resolves when the broker has confirmed it or the connection is lost. */
  async leave(): Promise<void> {
    const outbox = this.#outbox;
    const topic = this.inventory?.topics.status;
    this.detach();
    if (outbox && topic !== undefined) await outbox.publish(topic, OFFLINE, true);
  }

  /** Clears all retained messages. Resolves when the broker has confirmed it or the connection is lost. */
  async clear(): Promise<void> {
    const outbox = this.#outbox;
    this.detach();
    if (!outbox) return;
    await this.#takeBack([...this.#deps.retained.topics], outbox);
    await outbox.empty();
  }

  #schedule(delayMs: number): void {
    if (this.#isWorking) return;
    const isForLayout = delayMs === LAYOUT_MS;
    // A state change does not wait for the longer layout timer.
    if (this.#cancelTimer && (isForLayout || !this.#timerIsForLayout)) return;
    this.#cancelTimer?.();
    this.#timerIsForLayout = isForLayout;
    this.#cancelTimer = this.#deps.clock.after(delayMs, () => {
      this.#cancelTimer = undefined;
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    try {
      for (let outbox = this.#outbox; outbox && this.#hasWork(); outbox = this.#outbox) {
        if (this.#isLayoutStale) this.#takeInventory();
        this.#send(this.#nextSlice());
        await outbox.room();
        await new Promise(setImmediate);
        if (outbox === this.#outbox && this.#undescribed.size === 0) await this.#finishLayout(outbox);
      }
    } catch (error) {
      this.#deps.logger.error({ error: messageOf(error) }, 'Could not publish a home to its MQTT broker');
    } finally {
      this.#isWorking = false;
    }
  }

  #hasWork(): boolean {
    return this.#isLayoutStale || this.#dirty.size > 0 || this.#wanted !== undefined;
  }

  #takeInventory(): void {
    const { broker, state } = this.#deps;
    this.#isLayoutStale = false;
    const scenes = state.home(broker.homeId) ? this.#deps.scenesOf(broker.homeId) : [];
    this.#inventory = takeInventory(state, broker.homeId, { prefix: broker.topicPrefix, scenes });
    this.#undescribed.clear();
    if (!this.#outbox) return;
    for (const id of this.#inventory?.subjects.keys() ?? []) this.#undescribed.add(id);
    this.#wanted = new Set();
  }

  /** The messages of the next few things. */
  #nextSlice(): readonly RetainedMessage[] {
    const inventory = this.#inventory;
    const messages: RetainedMessage[] = [];
    for (const id of new Set([...firstOf(this.#dirty, SLICE), ...firstOf(this.#undescribed, SLICE)])) {
      const isWhole = this.#undescribed.delete(id);
      this.#dirty.delete(id);
      const subject = inventory?.subjects.get(id);
      if (inventory && subject) messages.push(...this.#describe(subject, inventory, isWhole));
    }
    return messages;
  }

  /** An unusual device that cannot be described is left out; the rest of the home is published. */
  #describe(subject: PublishedSubject, inventory: PublishedInventory, isWhole: boolean): readonly RetainedMessage[] {
    const { state, logger, throttle } = this.#deps;
    try {
      const live = liveMessages(subject, state);
      if (!isWhole) return live;
      const whole = [...live, ...layoutMessages(subject, { ...this.#deps, inventory })];
      for (const { topic } of whole) this.#wanted?.add(topic);
      return whole;
    } catch (error) {
      throttle.once(`describe ${subject.id}`, () =>
        logger.error(
          { name: subject.name, error: messageOf(error) },
          'Could not publish an accessory or group to an MQTT broker',
        ),
      );
      return [];
    }
  }

  /** Everything is described: other retained topics belong to things that were deleted, renamed or moved. */
  async #finishLayout(outbox: PublishQueue): Promise<void> {
    const wanted = this.#wanted;
    if (!wanted || this.#isLayoutStale) return;
    this.#wanted = undefined;
    const home = this.#inventory ? homeMessages(this.#inventory, this.#deps) : [];
    for (const { topic } of home) wanted.add(topic);
    this.#send(home);
    await this.#takeBack(
      [...this.#deps.retained.topics].filter((topic) => !wanted.has(topic)),
      outbox,
    );
  }

  async #takeBack(topics: readonly string[], outbox: PublishQueue): Promise<void> {
    const { retained } = this.#deps;
    for (let start = 0; start < topics.length; start += CLEARED_AT_ONCE) {
      const some = topics.slice(start, start + CLEARED_AT_ONCE);
      retained.clearing(some);
      await outbox.room();
      const taken = await Promise.all(some.map((topic) => outbox.publish(topic, '', true)));
      retained.cleared(some.filter((_, index) => taken[index]));
    }
  }

  #send(messages: readonly RetainedMessage[]): void {
    const outbox = this.#outbox;
    if (!outbox) return;
    for (const { topic, payload } of this.#deps.retained.take(messages)) void outbox.publish(topic, payload, true);
  }
}

function firstOf(ids: Iterable<string>, count: number): readonly string[] {
  const first: string[] = [];
  for (const id of ids) {
    if (first.length === count) break;
    first.push(id);
  }
  return first;
}
