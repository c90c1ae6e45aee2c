/**
 * What comes in from a broker: messages on the topics of things become what any caller could ask for, by a caller of its own that may
 * control its home and no more. Whoever publishes gets no answer over MQTT; what went wrong is said on the thing's `error` topic.
 *
 * Anybody on the broker may send anything, as often as they like: nothing here throws, and what is too much is left out.
 */
import type { ReceivedMessage } from '../../home/mqtt-connector.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Logger, LogThrottle } from '../../kernel/logger.ts';
import { Allowances } from '../access/allowances.ts';
import type { Caller } from '../access/caller.ts';
import type { ServiceGroups } from '../groups/service-groups.ts';
import type { Scenes } from '../scenes/scenes.ts';
import type { VirtualAccessories } from '../virtual-accessories/virtual-accessories.ts';
import type { Broker } from './broker.ts';
import { MAX_COMMAND_BYTES, parseSettings, parseText, type ThingCommand } from './command-payload.ts';
import type { Inventory } from './inventory.ts';
import type { PublishedScene, PublishedSubject, PublishedThing } from './published-thing.ts';

/** In a second more than any house of people and automations sends; at once what a dashboard sends that sets a whole house. */
const COMMANDS = { burst: 500, perSecond: 50 };
/** Devices take seconds when they are out of reach: more is a flood. */
const MOST_UNDER_WAY = 500;
/** Sentences on error topics. */
const ERRORS = { burst: 10, perSecond: 10 };
const TOO_MANY = `Too many commands: ${COMMANDS.perSecond} a second are carried out.`;

const PROPERTY_SET = /^(.+)\/([^/]+)\/set$/;

export interface CommandParts {
  readonly broker: Pick<Broker, 'id' | 'homeId'>;
  readonly control: Pick<ServiceGroups, 'setProperties'>;
  readonly virtuals: Pick<VirtualAccessories, 'operate'>;
  readonly scenes: Pick<Scenes, 'execute'>;
  inventory(): Inventory | undefined;
  /** Publishes a sentence that is not kept. */
  tell(topic: string, sentence: string): void;
  /** A command for it is through, however it went. */
  settled(subject: PublishedSubject): void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly throttle: LogThrottle;
}

export interface CommandCounts {
  received: number;
  /** Left out, because there were too many. */
  refused: number;
}

export class Commands {
  readonly #parts: CommandParts;
  readonly #counts: CommandCounts;
  readonly #allowances: Allowances;
  #underWay = 0;
  /** Those whose turn has not come, oldest first. */
  #waiting: (() => void)[] = [];
  #isTurnTaken = false;

  constructor(parts: CommandParts, counts: CommandCounts) {
    this.#parts = parts;
    this.#counts = counts;
    this.#allowances = new Allowances(parts.clock, TOO_MANY);
  }

  receive(message: ReceivedMessage): void {
    this.#counts.received += 1;
    const inventory = this.#parts.inventory();
    if (!inventory) return;
    const target = findTarget(message.topic, inventory);
    const errorTopic = target?.subject.topics.error ?? inventory.topics.error;
    if (this.#underWay >= MOST_UNDER_WAY || !this.#allowances.tryTake('commands', COMMANDS)) {
      this.#counts.refused += 1;
      this.#fail(errorTopic, TOO_MANY);
      return;
    }
    if (message.retained) {
      // It would act again at each reconnect, long after whoever sent it meant it.
      this.#fail(
        errorTopic,
        'Retained commands are not carried out. Publish it without retain, and delete the retained one.',
      );
      return;
    }
    if (!target) {
      this.#fail(
        errorTopic,
        'Nothing here has this topic. Names and rooms are a part of topics: they may have changed.',
      );
      return;
    }
    this.#underWay += 1;
    this.#inTurn(() => {
      void this.#carryOut(target, message.payload)
        .catch((error: unknown) => this.#fail(errorTopic, sentenceOf(error)))
        .finally(() => {
          this.#underWay -= 1;
          this.#parts.settled(target.subject);
        });
    });
  }

  /** Nothing more is carried out, but for what has begun. */
  close(): void {
    this.#waiting = [];
  }

  /** Some commands wait for the disk: one in each turn of the loop, so that all else goes on between them, however many come at once. */
  #inTurn(command: () => void): void {
    this.#waiting.push(command);
    if (!this.#isTurnTaken) this.#turn();
  }

  #turn(): void {
    const command = this.#waiting.shift();
    this.#isTurnTaken = command !== undefined;
    if (!command) return;
    setImmediate(() => this.#turn());
    command();
  }

  async #carryOut({ subject, property }: Target, payload: Uint8Array): Promise<void> {
    if (payload.length > MAX_COMMAND_BYTES) {
      throw new HearthError('invalid_request', `A command has at most ${MAX_COMMAND_BYTES / 1024} KiB.`);
    }
    if (subject.kind === 'scene') return this.#execute(subject, payload);
    // Deleting a retained message sends an empty one to whoever listens.
    if (payload.length === 0) return;
    if (property === undefined) return this.#command(subject, parseSettings(payload));
    return this.#set(subject, { [property]: parseText(payload) });
  }

  async #execute({ id }: PublishedScene, payload: Uint8Array): Promise<void> {
    if (payload.length === 0) {
      throw new HearthError('invalid_request', 'An empty message executes nothing. Send something, such as ON.');
    }
    const { errors } = await this.#parts.scenes.execute(this.#caller(), id);
    if (errors.length > 0) throw new HearthError('accessory_error', errors.join('\n'));
  }

  async #command(thing: PublishedThing, { operation, settings }: ThingCommand): Promise<void> {
    if (operation === undefined || thing.accessory.virtual === null) return this.#set(thing, settings);
    this.#parts.virtuals.operate(this.#caller(), thing.id, operation, settings.value);
  }

  async #set({ id }: PublishedThing, settings: Readonly<Record<string, unknown>>): Promise<void> {
    const [outcome] = await this.#parts.control.setProperties(this.#caller(), [{ accessoryId: id, settings }]);
    const failures = (outcome?.settings ?? []).flatMap((one) => (one.ok ? [] : `${one.property}: ${one.message}`));
    if (failures.length > 0) throw new HearthError('accessory_error', failures.join('\n'));
  }

  #caller(): Caller {
    const { id: brokerId, homeId } = this.#parts.broker;
    return { principal: { kind: 'mqtt_broker', brokerId, homeId }, requestId: newId(), depth: 0 };
  }

  #fail(topic: string, sentence: string): void {
    const { logger, throttle } = this.#parts;
    throttle.once(topic, (more) => logger.warn({ topic, reason: sentence, more }, 'A command from a broker failed'));
    if (this.#allowances.tryTake('errors', ERRORS)) this.#parts.tell(topic, sentence);
  }
}

interface Target {
  readonly subject: PublishedSubject;
  /** The one that the topic names: `…/brightness/set`. */
  readonly property?: string;
}

function findTarget(topic: string, { byCommandTopic }: Inventory): Target | undefined {
  const subject = byCommandTopic.get(topic);
  if (subject) return { subject };
  const [, base, property] = PROPERTY_SET.exec(topic) ?? [];
  const thing = base === undefined ? undefined : byCommandTopic.get(`${base}/set`);
  return thing && property !== undefined ? { subject: thing, property } : undefined;
}

function sentenceOf(error: unknown): string {
  return error instanceof HearthError ? error.message : `It could not be carried out: ${messageOf(error)}`;
}
