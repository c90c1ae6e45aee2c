/**
 * Adaptive lighting of Apple Home on one bridge: the days that its controllers wrote for lamps. A lamp follows such a
 * day instead of the home's own, until it ends, someone sets another colour, or the bridge closes. They are stored, so
 * that it goes on after a restart.
 */
import {
  encodeAnswer,
  encodeStatus,
  encodeSupported,
  parseDay,
  parseRequest,
  type WrittenDay,
} from '../../../home/adaptive-lighting/written-day.ts';
import type { CharacteristicValue, HapId } from '../../../home/model.ts';
import type { BridgeWriteResult } from '../../../home/publication-port.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { Caller } from '../../access/caller.ts';
import type { AdaptiveLighting } from '../../adaptive-lighting/adaptive-lighting.ts';
import { COLOUR_TYPES } from '../../adaptive-lighting/colour-change.ts';
import type { BridgeStore, StoredDay } from './bridge-store.ts';
import { hapStatus, INVALID_VALUE, NO_RESOURCES, READ_ONLY } from './hap-status.ts';
import type { PublishedPoint } from './published-database.ts';
import type { TransitionSource } from './template.ts';

export interface DaysDeps {
  readonly store: BridgeStore;
  readonly adaptiveLighting: Pick<AdaptiveLighting, 'followDay'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface BridgeDaysDeps extends DaysDeps {
  readonly bridgeId: string;
  /** A day began or ended. */
  readonly onChange: (accessoryId: string) => void;
}

interface RunningDay {
  readonly stored: StoredDay;
  readonly day: WrittenDay;
  readonly takeBack: () => void;
}

type LampId = Pick<TransitionSource, 'accessoryId' | 'serviceIid'>;

export class BridgeDays {
  readonly #deps: BridgeDaysDeps;
  readonly #running = new Map<string, RunningDay>();
  /** When each colour was sent to controllers last, in monotonic time. */
  readonly #sentAt = new Map<string, number>();

  constructor(deps: BridgeDaysDeps) {
    this.#deps = deps;
  }

  /** Goes on with what is stored. */
  start(caller: Caller): void {
    const { store, bridgeId, logger } = this.#deps;
    for (const stored of store.daysOf(bridgeId)) {
      try {
        const day = parseDay(stored.configuration);
        if (day && !this.#isOver(stored, day)) this.#begin(caller, stored, day);
        else store.deleteDay(bridgeId, stored);
      } catch (error) {
        logger.debug({ accessory: stored.accessoryId, error: messageOf(error) }, 'A lamp can not follow its day');
      }
    }
  }

  /** They stay stored. */
  stop(): void {
    for (const { takeBack } of this.#running.values()) takeBack();
    this.#running.clear();
  }

  /** No controller is left that could renew them. */
  end(): void {
    for (const { stored, takeBack } of [...this.#running.values()]) {
      takeBack();
      this.#ended(stored);
    }
  }

  read(point: PublishedPoint, source: TransitionSource): CharacteristicValue {
    const { temperature, brightness } = iidsOf(point, source);
    const running = this.#running.get(keyOf(source));
    switch (source.part) {
      case 'supported':
        return encodeSupported(brightness, temperature);
      case 'count':
        return running ? 1 : 0;
      case 'control':
        return running ? encodeStatus(temperature, running.day, this.#elapsed(running.stored)) : '';
    }
  }

  /** What a controller writes to the control point of a lamp. */
  write(caller: Caller, point: PublishedPoint, source: TransitionSource, value: unknown): BridgeWriteResult {
    if (source.part !== 'control') return READ_ONLY;
    const { temperature } = iidsOf(point, source);
    const before = this.#running.get(keyOf(source));
    const request = parseRequest(value, temperature);
    const day = request?.update ? parseDay(request.update) : undefined;
    if (!request || (request.update && !day)) return INVALID_VALUE;
    try {
      if (request.update && day) this.#replace(caller, source, request.update, day);
      else if (request.update === null) this.#stop(before);
    } catch (error) {
      if (error instanceof HearthError) return hapStatus(error.code);
      this.#deps.logger.error({ error: messageOf(error) }, 'A day for a lamp could not be stored');
      return NO_RESOURCES;
    }
    return { value: encodeAnswer(request, temperature, before?.stored.configuration, day) };
  }

  /**
   * Whether a colour is not to be sent to controllers now: one that follows from a day is sent every ten minutes, or as
   * often as the day asks for.
   */
  holdsBack({ key, type, accessoryId, serviceIid }: LampId & { readonly key: string; readonly type: string }): boolean {
    const running = COLOUR_TYPES.has(type) ? this.#running.get(keyOf({ accessoryId, serviceIid })) : undefined;
    if (!running) return false;
    const now = this.#deps.clock.monotonic();
    const sentAt = this.#sentAt.get(key);
    if (sentAt !== undefined && now - sentAt < running.day.notifyMs) return true;
    this.#sentAt.set(key, now);
    return false;
  }

  #replace(caller: Caller, { accessoryId, serviceIid }: LampId, configuration: Buffer, day: WrittenDay): void {
    const { store, bridgeId, clock } = this.#deps;
    const stored: StoredDay = { accessoryId, serviceIid, configuration, writtenAt: clock.now() };
    this.#begin(caller, stored, day);
    try {
      store.saveDay(bridgeId, stored);
    } catch (error) {
      // The controller takes it for refused.
      this.#stop(this.#running.get(keyOf(stored)));
      throw error;
    }
  }

  #begin(caller: Caller, stored: StoredDay, day: WrittenDay): void {
    const { onChange } = this.#deps;
    const { accessoryId } = stored;
    const key = keyOf(stored);
    const before = this.#running.get(key);
    // A day that another one of this bridge replaces does not end for controllers.
    this.#running.delete(key);
    try {
      this.#running.set(key, { stored, day, takeBack: this.#follow(caller, stored, day) });
    } catch (error) {
      if (before) this.#running.set(key, before);
      throw error;
    }
    onChange(accessoryId);
  }

  #follow(caller: Caller, stored: StoredDay, day: WrittenDay): () => void {
    const { accessoryId, serviceIid, writtenAt } = stored;
    return this.#deps.adaptiveLighting.followDay(caller, accessoryId, serviceIid, {
      key: `${day.id} ${writtenAt}`,
      endsAt: writtenAt + day.lengthMs,
      colourAt: (atMs) => day.colourAfter(atMs - writtenAt),
      onEnd: () => this.#ended(stored),
    });
  }

  #stop(running: RunningDay | undefined): void {
    if (!running) return;
    running.takeBack();
    this.#ended(running.stored);
  }

  /** A full disk ends it nevertheless: the next start finds that its time is over, or goes on with it. */
  #ended(stored: StoredDay): void {
    const { store, bridgeId, logger, onChange } = this.#deps;
    if (!this.#running.delete(keyOf(stored))) return;
    try {
      store.deleteDay(bridgeId, stored);
    } catch (error) {
      logger.warn({ error: messageOf(error) }, 'Could not save that the day of a lamp ended');
    }
    onChange(stored.accessoryId);
  }

  #isOver({ writtenAt }: StoredDay, { lengthMs }: WrittenDay): boolean {
    return this.#deps.clock.now() >= writtenAt + lengthMs;
  }

  #elapsed({ writtenAt }: StoredDay): number {
    return this.#deps.clock.now() - writtenAt;
  }
}

/** The published ids of the lamp's characteristics. */
function iidsOf({ iids }: PublishedPoint, source: TransitionSource): Record<'temperature' | 'brightness', HapId> {
  return { temperature: iids.get(source.temperature) ?? '0', brightness: iids.get(source.brightness) ?? '0' };
}

function keyOf({ accessoryId, serviceIid }: LampId): string {
  return `${accessoryId} ${serviceIid}`;
}
