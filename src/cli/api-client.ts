/**
 * Connects to the daemon over its Unix socket: plain HTTP with the public API, as principal `system`. File permissions
 * on the socket grant full access, so there is no token.
 */

import { createReadStream, lstatSync, statSync } from 'node:fs';
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ErrorCode } from '../kernel/errors.ts';
import { CliError, EXIT, EXIT_OF_ERROR, type ExitCode } from './exit-codes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type QueryParameters = Readonly<Record<string, string | undefined>>;

/** Longer than the daemon's own deadline for every command except pairing. */
const ANSWER_TIMEOUT_MS = 60_000;
/** For pairing: enough for five wrong attempts on a slow accessory. The daemon limits each step itself. */
const STREAM_SILENCE_MS = 120_000;
const SOCKET_FILE = 'hearthd.sock';

export class ApiClient {
  readonly dataDir: string;
  readonly #socketPath: string;

  constructor(dataDir: string) {
    this.dataDir = dataDir;
    this.#socketPath = join(dataDir, SOCKET_FILE);
  }

  get<T>(path: string, query: QueryParameters = {}): Promise<T> {
    return this.send<T>('GET', withQuery(path, query));
  }

  /** @throws `CliError` with the daemon's own message, or one that explains how to start it. */
  async send<T>(method: Method, path: string, body?: unknown, timeoutMs = ANSWER_TIMEOUT_MS): Promise<T> {
    const response = await this.#open(method, path, body, 'application/json', timeoutMs);
    const text = await readText(response);
    if (isFailure(response)) throw apiError(response.statusCode ?? 0, text);
    return parseJson(text) as T;
  }

  /** Sends a text unchanged. @param type its media type @throws `CliError` */
  async upload<T>(path: string, text: string, type: string): Promise<T> {
    const response = await this.#open('POST', path, text, 'application/json', ANSWER_TIMEOUT_MS, type);
    const answer = await readText(response);
    if (isFailure(response)) throw apiError(response.statusCode ?? 0, answer);
    return parseJson(answer) as T;
  }

  /** Sends a file unchanged. @throws `CliError` */
  async uploadFile<T>(path: string, file: string, method: Method = 'POST'): Promise<T> {
    const length = String(statSync(file).size);
    const headers = {
      accept: 'application/json',
      'content-type': 'application/octet-stream',
      'content-length': length,
    };
    const response = await this.#request(method, path, headers, STREAM_SILENCE_MS, (outgoing) => {
      createReadStream(file)
        .on('error', (error) => outgoing.destroy(error))
        .pipe(outgoing);
    });
    const answer = await readText(response);
    if (isFailure(response)) throw apiError(response.statusCode ?? 0, answer);
    return parseJson(answer) as T;
  }

  /** Requests a file. @returns its content as a stream. @throws `CliError` */
  async openFile(method: Method, path: string, body: unknown): Promise<IncomingMessage> {
    const response = await this.#open(method, path, body, '*/*', STREAM_SILENCE_MS);
    if (isFailure(response)) throw apiError(response.statusCode ?? 0, await readText(response));
    return response;
  }

  /** Sends a request whose response has one JSON object per line, and calls `onLine` with each. */
  async stream(method: Method, path: string, body: unknown, onLine: (line: unknown) => void): Promise<void> {
    const response = await this.#open(method, path, body, 'application/x-ndjson', STREAM_SILENCE_MS);
    if (isFailure(response)) throw apiError(response.statusCode ?? 0, await readText(response));
    for await (const line of createInterface({ input: response })) {
      if (line.trim() !== '') onLine(parseJson(line));
    }
  }

  /**
   * Reads a text of any length, and calls `onText` with each chunk.
   * @returns the response headers. @throws `CliError`, also those of `onText`
   */
  async download(path: string, query: QueryParameters, onText: (text: string) => void): Promise<IncomingHttpHeaders> {
    const response = await this.#open('GET', withQuery(path, query), undefined, '*/*', STREAM_SILENCE_MS);
    if (isFailure(response)) throw apiError(response.statusCode ?? 0, await readText(response));
    response.setEncoding('utf8');
    try {
      for await (const text of response) onText(text as string);
    } catch (error) {
      throw error instanceof CliError ? error : this.#explain(error as NodeJS.ErrnoException);
    }
    return response.headers;
  }

  /** @param type the media type of a text body; any other body is sent as JSON */
  #open(
    method: Method,
    path: string,
    body: unknown,
    accept: string,
    silenceMs: number,
    type?: string,
  ): Promise<IncomingMessage> {
    const text = body === undefined ? undefined : type === undefined ? JSON.stringify(body) : String(body);
    const ofBody: Record<string, string> =
      text === undefined
        ? {}
        : { 'content-type': type ?? 'application/json', 'content-length': String(Buffer.byteLength(text)) };
    return this.#request(method, path, { accept, ...ofBody }, silenceMs, (outgoing) => outgoing.end(text));
  }

  /** @param send writes the body and ends it. */
  #request(
    method: Method,
    path: string,
    headers: Readonly<Record<string, string>>,
    silenceMs: number,
    send: (outgoing: ClientRequest) => void,
  ): Promise<IncomingMessage> {
    const socketPath = this.#socketPath;
    return new Promise((resolve, reject) => {
      // No keep-alive: a kept connection would lead to a daemon that has restarted since.
      const outgoing = request({ socketPath, method, path, headers: { host: 'localhost', ...headers }, agent: false });
      outgoing.setTimeout(silenceMs, () => outgoing.destroy(new Error('no answer in time')));
      outgoing.once('response', resolve);
      outgoing.once('error', (error) => reject(this.#explain(error)));
      send(outgoing);
    });
  }

  #explain(error: NodeJS.ErrnoException): CliError {
    const { dataDir } = this;
    if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'ENOTDIR') {
      return new CliError(
        EXIT.notRunning,
        'not_running',
        `hearthd is not running on ${dataDir}. Start it (sudo systemctl start hearthd, or hearthd start), or pass its directory with --data-dir.`,
        { cause: error },
      );
    }
    if (error.code === 'EACCES' || error.code === 'EPERM') {
      const owner = lstatSync(dataDir, { throwIfNoEntry: false })?.uid;
      const as = owner === undefined || owner === 0 ? 'sudo' : `sudo, or sudo -u '#${owner}'`;
      return new CliError(
        EXIT.refused,
        'insufficient_permissions',
        `This user has no access to the daemon on ${dataDir}. Run the command with ${as}.`,
        { cause: error },
      );
    }
    return new CliError(
      EXIT.failed,
      'no_answer',
      `The daemon on ${dataDir} sent an invalid answer: ${error.message}. See its log (journalctl -u hearthd).`,
      { cause: error },
    );
  }
}

/** An error body (API §7.2): for 401 and 403 `error` is a code and `message` the sentence. */
interface UncheckedError {
  readonly error?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

/** @param status 0 if the error came inside a response. */
export function apiError(status: number, body: string | UncheckedError): CliError {
  const { error, code, message } = typeof body === 'string' ? parseErrorBody(body) : body;
  const sentence = [message, error].find((text): text is string => typeof text === 'string' && text !== '');
  const known = typeof code === 'string' && code in EXIT_OF_ERROR;
  const exitCode: ExitCode = known ? EXIT_OF_ERROR[code as ErrorCode] : EXIT.failed;
  return new CliError(
    exitCode,
    typeof code === 'string' ? code : 'internal',
    sentence ?? `The daemon answered with status ${status}.`,
  );
}

export function withQuery(path: string, query: QueryParameters): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

function isFailure({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode < 200 || statusCode > 299;
}

async function readText(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function parseErrorBody(text: string): UncheckedError {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliError(EXIT.failed, 'no_answer', 'The answer of the daemon is not JSON.', {
      cause: error,
    });
  }
}
