/**
 * Incoming commands from a broker: a message on a thing's topic becomes an ordinary operation, by a caller that may
 * control its home and nothing else. MQTT commands have no reply; errors are published on the thing's `error` topic.
 *
 * Any client of the broker may send anything at any rate: nothing here throws, and excess messages are dropped.
 */
import type { HomeDeps } from '../../home/home-deps.ts';
import type { ReceivedMessage } from '../../home/mqtt-connector.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { LogThrottle } from '../../kernel/logger.ts';
import { Allowances } from '../access/allowances.ts';
import type { Caller } from '../access/caller.ts';
import type { ServiceGroups } from '../groups/service-groups.ts';
import type { Scenes } from '../scenes/scenes.ts';
import type { VirtualAccessories } from '../virtual-accessories/virtual-accessories.ts';
import type { Broker } from './broker.ts';
import { MAX_COMMAND_BYTES, parseSettings, parseText, type ThingCommand } from './command-payload.ts';
import type { PublishedInventory } from './inventory.ts';
import type { PublishedScene, PublishedSubject, PublishedThing } from './published-thing.ts';

/** Per second, more than any home's users and automations send; the burst covers a dashboard that sets a whole home. */
const COMMANDS = { burst: 500, perSecond: 50 };
/** An unreachable device takes seconds to fail. More pending commands than this are a flood. */
const MAX_IN_PROGRESS = 500;
/** Limits of messages on error topics. */
const ERRORS = { burst: 10, perSecond: 10 };
const TOO_MANY = `Too many commands: ${COMMANDS.perSecond} a second are carried out.`;

const PROPERTY_SET = /^(.+)\/([^/]+)\/set$/;

export interface CommandDeps extends HomeDeps<'clock' | 'logger'> {
  readonly broker: Pick<Broker, 'id' | 'homeId'>;
  readonly control: Pick<ServiceGroups, 'setProperties'>;
  readonly virtuals: Pick<VirtualAccessories, 'operate'>;
  readonly scenes: Pick<Scenes, 'execute'>;
  inventory(): PublishedInventory | undefined;
  /** Publishes a non-retained sentence. */
  reportError(topic: string, sentence: string): void;
  /** A command for it is finished, successfully or not. */
  settled(subject: PublishedSubject): void;
  readonly throttle: LogThrottle;
}

export interface CommandCounts {
  received: number;
  /** Dropped because there were too many. */
  refused: number;
}

export class Commands {
  readonly #deps: CommandDeps;
  readonly #counts: CommandCounts;
  readonly #allowances: Allowances;
  #underWay = 0;
  /** Waiting commands, oldest first. */
  #waiting: (() => void)[] = [];
  #isTurnTaken = false;

  constructor(deps: CommandDeps, counts: CommandCounts) {
    this.#deps = deps;
    this.#counts = counts;
    this.#allowances = new Allowances(deps.clock, TOO_MANY);
  }

  receive(message: ReceivedMessage): void {
    this.#counts.received += 1;
    const inventory = this.#deps.inventory();
    if (!inventory) return;
    const target = findTarget(message.topic, inventory);
    const errorTopic = target?.subject.topics.error ?? inventory.topics.error;
    if (this.#underWay >= MAX_IN_PROGRESS || !this.#allowances.tryTake('commands', COMMANDS)) {
      this.#counts.refused += 1;
      this.#fail(errorTopic, TOO_MANY);
      return;
    }
    if (message.retained) {
      // A retained command would run again at each reconnect, long after it was sent.
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
          this.#deps.settled(target.subject);
        });
    });
  }

  /** Executes no further commands; those in progress finish. */
  close(): void {
    this.#waiting = [];
  }

  /** Some commands wait for the disk. One command runs per turn of the event loop, so that other work continues. */
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

  async #carryOut({ subject, property }: CommandTarget, payload: Uint8Array): Promise<void> {
    if (payload.length > MAX_COMMAND_BYTES) {
      throw new HearthError('invalid_request', `A command has at most ${MAX_COMMAND_BYTES / 1024} KiB.`);
    }
    if (subject.kind === 'scene') return this.#execute(subject, payload);
    // Clearing a retained message sends an empty one to every subscriber.
    if (payload.length === 0) return;
    if (property === undefined) return this.#command(subject, parseSettings(payload));
    return this.#set(subject, { [property]: parseText(payload) });
  }

  async #execute({ id }: PublishedScene, payload: Uint8Array): Promise<void> {
    if (payload.length === 0) {
      throw new HearthError('invalid_request', 'An empty message executes nothing. Send something, such as ON.');
    }
    const { errors } = await this.#deps.scenes.execute(this.#caller(), id);
    if (errors.length > 0) throw new HearthError('accessory_error', errors.join('\n'));
  }

  async #command(thing: PublishedThing, { operation, settings }: ThingCommand): Promise<void> {
    if (operation === undefined || thing.accessory.virtual === null) return this.#set(thing, settings);
    this.#deps.virtuals.operate(this.#caller(), thing.id, operation, settings.value);
  }

  async #set({ id }: PublishedThing, settings: Readonly<Record<string, unknown>>): Promise<void> {
    const [outcome] = await this.#deps.control.setProperties(this.#caller(), [{ accessoryId: id, settings }]);
    const failures = (outcome?.settings ?? []).flatMap((one) => (one.ok ? [] : `${one.property}: ${one.message}`));
    if (failures.length > 0) throw new HearthError('accessory_error', failures.join('\n'));
  }

  #caller(): Caller {
    const { id: brokerId, homeId } = this.#deps.broker;
    return { principal: { kind: 'mqtt_broker', brokerId, homeId }, requestId: newId(), depth: 0 };
  }

  #fail(topic: string, sentence: string): void {
    const { logger, throttle } = this.#deps;
    throttle.once(topic, (skipped) =>
      logger.warn({ topic, reason: sentence, ...skipped }, 'A command from an MQTT broker failed'),
    );
    if (this.#allowances.tryTake('errors', ERRORS)) this.#deps.reportError(topic, sentence);
  }
}

interface CommandTarget {
  readonly subject: PublishedSubject;
  /** The property named by the topic: `…/brightness/set`. */
  readonly property?: string;
}

function findTarget(topic: string, { byCommandTopic }: PublishedInventory): CommandTarget | undefined {
  const subject = byCommandTopic.get(topic);
  if (subject) return { subject };
  const [, base, property] = PROPERTY_SET.exec(topic) ?? [];
  const thing = base === undefined ? undefined : byCommandTopic.get(`${base}/set`);
  return thing && property !== undefined ? { subject: thing, property } : undefined;
}

function sentenceOf(error: unknown): string {
  return error instanceof HearthError ? error.message : `It could not be carried out: ${messageOf(error)}`;
}
