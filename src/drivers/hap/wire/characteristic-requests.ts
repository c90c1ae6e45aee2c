/** The requests of a verified session, which also learn the device's request limits. One object per connection. */
import { DatabaseError } from './accessory-database.ts';
import {
  type CharacteristicId,
  type Element,
  parseAnswer,
  parsePrepared,
  readPath,
  STATUS,
  type WholeStatus,
  type WriteElement,
  writeBody,
} from './characteristics-codec.ts';
import { type Connection, ConnectionError, type HapRequest } from './connection.ts';
import { JsonError } from './exact-json.ts';
import type { RequestLimits } from './limits.ts';
import type { Message } from './message-reader.ts';
import { type CommandAnswer, SharedWrite } from './shared-write.ts';

export type CharacteristicsAnswer = readonly Element[] | WholeStatus;

/** Learns what was answered about which characteristics. */
export interface AnswerObserver {
  answered(
    operation: 'read' | 'write' | 'subscribe',
    ids: readonly CharacteristicId[],
    answer: CharacteristicsAnswer,
  ): void;
}

export interface RequestOptions {
  readonly urgent?: boolean;
  readonly sendBy?: number;
}

export class CharacteristicRequests {
  readonly connection: Connection;
  readonly limits: RequestLimits;
  readonly #observer: AnswerObserver | undefined;
  /** The commands that wait for the connection. */
  #waiting = new SharedWrite();

  constructor(connection: Connection, limits: RequestLimits, observer?: AnswerObserver) {
    this.connection = connection;
    this.limits = limits;
    this.#observer = observer;
  }

  /** @throws ConnectionError */
  async read(ids: readonly CharacteristicId[], options: RequestOptions = {}): Promise<CharacteristicsAnswer> {
    const answer = await this.#ask({ ...options, method: 'GET', path: readPath(ids) }, () => ids.length);
    return this.#observed('read', ids, () => parseAnswer(answer.status, answer.body, ids));
  }

  /**
   * Writes values, together with the other commands that wait for the connection. Order stays: it joins only the last
   * one that waits. @throws ConnectionError
   */
  command(elements: readonly WriteElement[], sendBy: number): Promise<CommandAnswer> {
    const shared = this.#waiting.accepts(elements, this.limits.current) ? this.#waiting : new SharedWrite();
    const answer = shared.add(elements, sendBy);
    if (shared !== this.#waiting) {
      this.#waiting = shared;
      void this.#share(shared);
    }
    return answer;
  }

  async #share(shared: SharedWrite): Promise<void> {
    try {
      const { status, body } = await this.#ask(shared, () => shared.elements.length);
      const { elements } = shared;
      shared.answered(this.#observed('write', elements, () => parseAnswer(status, body, elements)));
    } catch (error) {
      shared.failed(error);
    }
  }

  /**
   * Writes values or subscriptions, alone. @param pid of the prepared write that this executes. @throws ConnectionError
   */
  async write(
    elements: readonly WriteElement[],
    options: RequestOptions = {},
    pid?: string,
  ): Promise<CharacteristicsAnswer> {
    if (options.urgent) this.#waiting = new SharedWrite();
    const body = writeBody(elements, pid);
    const request: HapRequest = { ...options, method: 'PUT', path: '/characteristics', body };
    const answer = await this.#ask(request, () => elements.length);
    const operation = elements.some(({ members }) => members.includes('"value":')) ? 'write' : 'subscribe';
    return this.#observed(operation, elements, () => parseAnswer(answer.status, answer.body, elements));
  }

  /** Prepares a timed write (HAP specification §6.7.2.4). @returns a HAP status. @throws ConnectionError */
  async prepare(pid: string, ttlMs: number, options: RequestOptions = {}): Promise<number> {
    if (options.urgent) this.#waiting = new SharedWrite();
    const body = `{"ttl":${ttlMs},"pid":${pid}}`;
    const answer = await this.#ask({ ...options, method: 'PUT', path: '/prepare', body }, () => 1);
    const status = orUnexplained(() => ({ status: parsePrepared(answer.status, answer.body) }));
    return 'status' in status ? status.status : STATUS.ok;
  }

  /** The attribute database, as text. @throws ConnectionError, DatabaseError */
  async database(): Promise<string> {
    const answer = await this.connection.request({ method: 'GET', path: '/accessories' });
    if (answer.status !== 200) {
      throw new DatabaseError(`The device refused to describe its accessories (HTTP status ${answer.status})`);
    }
    return answer.body.toString();
  }

  #observed(
    operation: Parameters<AnswerObserver['answered']>[0],
    ids: readonly CharacteristicId[],
    parse: () => CharacteristicsAnswer,
  ): CharacteristicsAnswer {
    const answer = orUnexplained(parse);
    this.#observer?.answered(operation, ids, answer);
    return answer;
  }

  /** @param ids the number of characteristics in the request, when it was sent */
  async #ask(request: HapRequest, ids: () => number): Promise<Message> {
    try {
      const answer = await this.connection.request(request);
      this.limits.answered(ids());
      return answer;
    } catch (error) {
      if (error instanceof ConnectionError && error.maybeDone && !error.partly) this.#unanswered(error, ids());
      throw error;
    }
  }

  #unanswered({ fault }: ConnectionError, ids: number): void {
    if (fault === 'timeout') this.limits.unanswered(ids, 'silence');
    else if (fault === 'hang_up') this.limits.unanswered(ids, 'hang_up');
  }
}

/** A body that even the lenient parser rejects gives no result; the connection stays usable. */
function orUnexplained(parse: () => CharacteristicsAnswer): CharacteristicsAnswer {
  try {
    return parse();
  } catch (error) {
    if (error instanceof JsonError) return { status: STATUS.unexplained };
    throw error;
  }
}
