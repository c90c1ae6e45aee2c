/** The paths of a HAP server (HAP specification, table 6-2), and what each answers. */
import type { BridgeServerDeps } from '../../home/publication-port.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import { parseId } from '../hap/wire/characteristic-values.ts';
import { STATUS } from '../hap/wire/characteristics-codec.ts';
import type { AttributeIndex } from './attribute-index.ts';
import type { ControllerSession } from './controller-session.ts';
import type { PairingsServer } from './pairing/pairings-server.ts';
import type { SetupServer } from './pairing/setup-server.ts';
import type { VerifiedController } from './pairing/verify-server.ts';
import { presentAccessories } from './present-attributes.ts';
import { readCharacteristics } from './read-characteristics.ts';
import type { ReceivedRequest } from './request-reader.ts';
import { failure, type HapResponse, json, NO_CONTENT, tlv } from './response.ts';
import { parseObject, writeCharacteristics } from './write-characteristics.ts';

export interface RequestHandlerDeps extends Pick<BridgeServerDeps, 'content' | 'controllers'> {
  readonly index: AttributeIndex;
  readonly setup: SetupServer;
  readonly pairings: PairingsServer;
  readonly clock: Clock;
  /** Called when the answer to M3 is written. */
  readonly onVerified: (session: ControllerSession, controller: VerifiedController) => void;
  /** A verified controller sent a request. */
  readonly onRequest: (identifier: string) => void;
}

/** Of a side of a picture. */
const MAX_PIXELS = 8_192;

type Answer = HapResponse | Promise<HapResponse>;

export class RequestHandler {
  readonly #deps: RequestHandlerDeps;

  constructor(deps: RequestHandlerDeps) {
    this.#deps = deps;
  }

  handle(session: ControllerSession, request: ReceivedRequest): Answer {
    switch (request.path) {
      case '/identify':
        return this.#identify();
      case '/pair-setup':
        return this.#deps.setup.handle(session, request.body).then(tlv);
      case '/pair-verify':
        return this.#verify(session, request);
      case '/pairings':
      case '/accessories':
      case '/characteristics':
      case '/prepare':
      case '/resource':
        return this.#handleVerified(session, request);
      default:
        return failure(404, STATUS.notFound);
    }
  }

  #handleVerified(session: ControllerSession, request: ReceivedRequest): Answer {
    const { identifier } = session;
    if (identifier === undefined) return failure(470, STATUS.notAuthorized);
    this.#deps.onRequest(identifier);
    switch (`${request.method} ${request.path}`) {
      case 'GET /accessories':
        return json(200, presentAccessories(this.#deps.index.accessories, this.#deps.content, identifier));
      case 'GET /characteristics':
        return readCharacteristics(this.#deps, request.query, session);
      case 'PUT /characteristics':
        return writeCharacteristics(this.#deps, session, request.body);
      case 'PUT /prepare':
        return prepare(session, request.body);
      case 'POST /pairings':
        return tlv(this.#deps.pairings.handle(identifier, request.body));
      case 'POST /resource':
        return this.#picture(identifier, request.body);
      default:
        return failure(400, STATUS.invalidValue);
    }
  }

  #picture(identifier: string, body: Buffer): Answer {
    const request = parseObject(body);
    if (!request) return failure(400, STATUS.invalidValue);
    const { 'resource-type': type, 'image-width': width, 'image-height': height } = request;
    if (type !== 'image' || !isPixels(width) || !isPixels(height)) return failure(404, STATUS.notFound);
    return this.#deps.content.picture(identifier, parseId(request.aid), { width, height }).then((picture) => {
      if (typeof picture !== 'number') return { status: 200, contentType: 'image/jpeg', body: picture };
      return failure(picture === STATUS.notFound ? 404 : 207, picture);
    });
  }

  /** Before pairing, a user may ask the bridge to show which one it is. */
  #identify(): HapResponse {
    const { content, controllers } = this.#deps;
    if (controllers.list().length > 0) return failure(400, STATUS.notAuthorized);
    void content.identify('1');
    return NO_CONTENT;
  }

  #verify(session: ControllerSession, { body }: ReceivedRequest): HapResponse {
    const { answer, verified } = session.verify.handle(body);
    return verified ? { ...tlv(answer), onWritten: () => this.#deps.onVerified(session, verified) } : tlv(answer);
  }
}

function isPixels(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_PIXELS;
}

/** Announces a timed write. */
function prepare(session: ControllerSession, body: Buffer): HapResponse {
  const request = parseObject(body);
  const pid = parseId(request?.pid);
  const ttl = request?.ttl;
  if (pid === undefined || typeof ttl !== 'number' || ttl <= 0) return failure(400, STATUS.invalidValue);
  session.prepare(pid, ttl);
  return json(200, '{"status":0}');
}
