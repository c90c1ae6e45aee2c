/** `/pairings` (HAP specification §5.10–5.12): an admin adds, removes and lists controllers. */

import type { Tlv, TlvField } from '../../../hap-spec/tlv.ts';
import type { BridgeControllers, PairedController } from '../../../home/publication-port.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/logger.ts';
import { ADMIN } from '../../hap/pairing/controllers.ts';
import { PairingsMethod, TlvErrorCode, TlvType } from '../../hap/pairing/tlv-types.ts';
import { answer, outOfOrder, type PairingAnswer, readBody, readIdentifier, readKey, refusal } from './pairing-body.ts';

export interface PairingsServerDeps {
  readonly controllers: BridgeControllers;
  readonly logger: Logger;
  /** After a removal. */
  readonly onRemoved: () => void;
}

/** Homes have a controller for each person and hub; HAP asks for at least 16. */
const MAX_CONTROLLERS = 100;
const NO_VALUE = Buffer.alloc(0);

export class PairingsServer {
  readonly #deps: PairingsServerDeps;

  constructor(deps: PairingsServerDeps) {
    this.#deps = deps;
  }

  /** @param caller the identifier of the controller whose connection it is */
  handle(caller: string, body: Buffer): PairingAnswer {
    const { controllers, logger } = this.#deps;
    const message = readBody(body);
    if (message?.findNumber(TlvType.state) !== 1) return outOfOrder(1);
    if (!controllers.list().some(({ identifier, isAdmin }) => identifier === caller && isAdmin)) {
      return refusal(2, TlvErrorCode.authentication);
    }
    try {
      switch (message.findNumber(TlvType.method)) {
        case PairingsMethod.add:
          return this.#add(message);
        case PairingsMethod.remove:
          return this.#remove(message);
        case PairingsMethod.list:
          return answer(2, ...fieldsOf(controllers.list()));
        default:
          return outOfOrder(1);
      }
    } catch (error) {
      logger.error({ error: messageOf(error) }, 'Could not change the controllers');
      return refusal(2, TlvErrorCode.unknown);
    }
  }

  #add(message: Tlv): PairingAnswer {
    const { controllers, logger } = this.#deps;
    const identifier = readIdentifier(message);
    const publicKey = readKey(message);
    if (identifier === undefined || !publicKey) return outOfOrder(1);
    const known = controllers.list().find((controller) => controller.identifier === identifier);
    if (known && !known.publicKey.equals(publicKey)) return refusal(2, TlvErrorCode.unknown);
    if (!known && controllers.list().length >= MAX_CONTROLLERS) return refusal(2, TlvErrorCode.maxPeers);
    const permissions = message.findNumber(TlvType.permissions) ?? 0;
    controllers.put({ identifier, publicKey, isAdmin: (permissions & ADMIN) === ADMIN });
    logger.info({ controller: identifier }, 'A controller was added');
    return answer(2);
  }

  /** The removal of an unknown controller succeeds. */
  #remove(message: Tlv): PairingAnswer {
    const { controllers, logger, onRemoved } = this.#deps;
    const identifier = readIdentifier(message);
    if (identifier === undefined) return outOfOrder(1);
    if (controllers.list().some((controller) => controller.identifier === identifier)) {
      controllers.remove(identifier);
      logger.info({ controller: identifier }, 'A controller was removed');
      onRemoved();
    }
    return answer(2);
  }
}

function fieldsOf(controllers: readonly PairedController[]): readonly TlvField[] {
  return controllers.flatMap(({ identifier, publicKey, isAdmin }, index): TlvField[] => [
    ...(index > 0 ? ([[TlvType.separator, NO_VALUE]] as const) : []),
    [TlvType.identifier, identifier],
    [TlvType.publicKey, publicKey],
    [TlvType.permissions, isAdmin ? ADMIN : 0],
  ]);
}
