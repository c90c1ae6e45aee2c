/**
 * One home on one broker: what is retained there follows the home. What changes only marks its thing; a moment later the thing is
 * published as it is then, whole. So nothing gathers while the broker is slow or away, however much happens, and whoever subscribes
 * always finds everything.
 */
import type { HomeState } from '../../home/home-state.ts';
import type { Scene } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger, LogThrottle } from '../../kernel/logger.ts';
import type { Broker } from './broker.ts';
import { type Inventory, takeInventory, topicsOf } from './inventory.ts';
import type { Outbox } from './outbox.ts';
import {
  type Discover,
  type DiscoverHome,
  PRESS_TYPES,
  type PublishedSubject,
  propertyEventTopic,
} from './published-thing.ts';
import type { RetainedTopics } from './retained-topics.ts';
import { homeMessages, layoutMessages, liveMessages, OFFLINE, type RetainedMessage } from './thing-messages.ts';

/** Whatever changes within it is one message: a scene changes a lamp's hue, saturation and brightness. */
const FLUSH_MS = 25;
/** A bridge with fifty accessories says fifty times that the layout has changed. */
const LAYOUT_MS = 200;
/** Described in one go; then the event loop runs. */
const SLICE = 10;
const CLEARED_AT_ONCE = 50;

export interface HomePublisherParts {
  readonly broker: Broker;
  readonly state: HomeState;
  /** The scenes of the home that are published. */
  scenesOf(homeId: string): readonly Pick<Scene, 'id' | 'name'>[];
  readonly retained: RetainedTopics;
  readonly discover: Discover;
  readonly discoverHome: DiscoverHome;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly throttle: LogThrottle;
}

export class HomePublisher {
  readonly #parts: HomePublisherParts;
  #inventory: Inventory | undefined;
  /** Things whose values or availability may have changed. */
  readonly #dirty = new Set<string>();
  /** Subjects to be described whole, since the layout changed or the broker is new to it; topics seen so far in `#wanted`. */
  readonly #undescribed = new Set<string>();
  #wanted: Set<string> | undefined;
  #isLayoutStale = true;
  #outbox: Outbox | undefined;
  #isWorking = false;
  #cancelTimer: (() => void) | undefined;
  #timerIsForLayout = false;

  constructor(parts: HomePublisherParts) {
    this.#parts = parts;
  }

  /** As last published; taken anew where the layout has changed since. `undefined` for a home that is gone. */
  get inventory(): Inventory | undefined {
    if (this.#isLayoutStale) this.#takeInventory();
    return this.#inventory;
  }

  /** Where the home's status stands now, which is a matter of its name. */
  get statusTopic(): string | undefined {
    const { state, broker } = this.#parts;
    return topicsOf(state, broker.homeId, broker.topicPrefix)?.status;
  }

  /** Things that wait to be published. */
  get pending(): number {
    return new Set([...this.#dirty, ...this.#undescribed]).size;
  }

  /** A connection has begun: everything is published over it. */
  attach(outbox: Outbox): void {
    this.#outbox = outbox;
    this.#parts.retained.forgetSent();
    this.#isLayoutStale = true;
    this.publishStatus();
    this.#schedule(0);
  }

  /** The connection is gone. Nothing is kept for the next one, which is told everything. */
  detach(): void {
    this.#outbox = undefined;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#dirty.clear();
    this.#undescribed.clear();
    this.#wanted = undefined;
  }

  /** Something of this accessory, and so of its groups, may be otherwise now. */
  accessoryChanged(id: string): void {
    if (!this.#outbox) return;
    this.#dirty.add(id);
    for (const group of this.#inventory?.groupsOf.get(id) ?? []) this.#dirty.add(group);
    this.#schedule(FLUSH_MS);
  }

  /** Publishes a thing anew although nothing changed: whoever sent a command may believe that it did. */
  republish(subject: PublishedSubject): void {
    if (subject.kind === 'scene') return;
    this.#parts.retained.forgetSentOn(subject.topics.state);
    this.accessoryChanged(subject.id);
  }

  layoutChanged(): void {
    this.#isLayoutStale = true;
    if (this.#outbox) this.#schedule(LAYOUT_MS);
  }

  /** Whether the home can be commanded: its driver runs, nobody has paused it. */
  publishStatus(): void {
    if (this.inventory) this.#send(homeMessages(this.inventory, this.#parts));
  }

  /** A button was pressed: an event, which is told and not kept. */
  pressed(accessoryId: string, iid: string, value: number): void {
    const thing = this.inventory?.subjects.get(accessoryId);
    if (!this.#outbox || !thing || thing.kind === 'scene') return;
    const binding = thing.properties.find(({ isButton, characteristic }) => isButton && characteristic.iid === iid);
    if (!binding) return;
    const { property } = binding;
    const payload = JSON.stringify({ event_type: PRESS_TYPES[value] ?? `unknown_${value}`, property });
    this.#outbox.tell(thing.topics.event, payload);
    this.#outbox.tell(propertyEventTopic(thing.topics, property), payload);
  }

  /** Says for everybody that the home can't be commanded here any more. Ends when the broker has confirmed it, or is gone. */
  async leave(): Promise<void> {
    const outbox = this.#outbox;
    const topic = this.inventory?.topics.status;
    this.detach();
    if (outbox && topic !== undefined) await outbox.publish(topic, OFFLINE, true);
  }

  /** Takes everything back from the broker. Ends when the broker has confirmed it, or is gone. */
  async clear(): Promise<void> {
    const outbox = this.#outbox;
    this.detach();
    if (!outbox) return;
    await this.#takeBack([...this.#parts.retained.topics], outbox);
    await outbox.empty();
  }

  #schedule(delayMs: number): void {
    if (this.#isWorking) return;
    const isForLayout = delayMs === LAYOUT_MS;
    // What changes meanwhile does not wait as long as the layout does.
    if (this.#cancelTimer && (isForLayout || !this.#timerIsForLayout)) return;
    this.#cancelTimer?.();
    this.#timerIsForLayout = isForLayout;
    this.#cancelTimer = this.#parts.clock.after(delayMs, () => {
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
      this.#parts.logger.error({ error: messageOf(error) }, 'A home could not be published on its broker');
    } finally {
      this.#isWorking = false;
    }
  }

  #hasWork(): boolean {
    return this.#isLayoutStale || this.#dirty.size > 0 || this.#wanted !== undefined;
  }

  #takeInventory(): void {
    const { broker, state } = this.#parts;
    this.#isLayoutStale = false;
    const scenes = state.home(broker.homeId) ? this.#parts.scenesOf(broker.homeId) : [];
    this.#inventory = takeInventory(state, broker.homeId, { prefix: broker.topicPrefix, scenes });
    this.#undescribed.clear();
    if (!this.#outbox) return;
    for (const id of this.#inventory?.subjects.keys() ?? []) this.#undescribed.add(id);
    this.#wanted = new Set();
  }

  /** What is to be said of the next few things. */
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

  /** What can't be made out of an odd device is missing by itself: nothing else of the home is. */
  #describe(subject: PublishedSubject, inventory: Inventory, isWhole: boolean): readonly RetainedMessage[] {
    const { state, logger, throttle } = this.#parts;
    try {
      const live = liveMessages(subject, state);
      if (!isWhole) return live;
      const whole = [...live, ...layoutMessages(subject, { ...this.#parts, inventory })];
      for (const { topic } of whole) this.#wanted?.add(topic);
      return whole;
    } catch (error) {
      throttle.once(`describe ${subject.id}`, () =>
        logger.error({ name: subject.name, error: messageOf(error) }, 'A thing could not be published on a broker'),
      );
      return [];
    }
  }

  /** Everything has been described: what is retained beyond it is of things that are gone, renamed or moved. */
  async #finishLayout(outbox: Outbox): Promise<void> {
    const wanted = this.#wanted;
    if (!wanted || this.#isLayoutStale) return;
    this.#wanted = undefined;
    const home = this.#inventory ? homeMessages(this.#inventory, this.#parts) : [];
    for (const { topic } of home) wanted.add(topic);
    this.#send(home);
    await this.#takeBack(
      [...this.#parts.retained.topics].filter((topic) => !wanted.has(topic)),
      outbox,
    );
  }

  async #takeBack(topics: readonly string[], outbox: Outbox): Promise<void> {
    const { retained } = this.#parts;
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
    for (const { topic, payload } of this.#parts.retained.take(messages)) void outbox.publish(topic, payload, true);
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
