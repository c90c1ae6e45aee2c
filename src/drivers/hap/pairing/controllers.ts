/**
 * The controllers of an accessory (HAP specification §5.10–5.12): list, add, remove. Only an admin controller may do
 * this, over its encrypted connection. The controller that paired the accessory is an admin.
 */

import { decodeTlv, encodeTlv, Tlv, type TlvField, type TlvItem } from '../../../hap-spec/tlv.ts';
import type { RegisteredController } from '../../../home/pairing-driver.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import { KEY_BYTES, PairingsMethod, TlvErrorCode, TlvType } from './tlv-types.ts';

/** Posts to `/pairings` on a verified connection and resolves with the response's body. */
export type PostPairings = (body: Buffer) => Promise<Buffer>;

/** Pairing identifiers have at most 36 bytes: a UUID as text. */
export const MAX_CONTROLLER_ID_BYTES = 36;

/** The permissions of an admin; others have 0. */
export const ADMIN = 1;

/**
 * @param selfId our own controller id, to mark it in the list
 * @throws `accessory_error` with what to do, and the rejections of `post`
 */
export async function listControllers(post: PostPairings, selfId: string): Promise<readonly RegisteredController[]> {
  const answer = await ask(post, PairingsMethod.list, []);
  return groupByIdentifier(answer).map((entry) => {
    const id = entry.find(TlvType.identifier)?.toString('utf8') ?? '';
    return {
      id,
      publicKey: entry.find(TlvType.publicKey)?.toString('hex') ?? '',
      admin: ((entry.findNumber(TlvType.permissions) ?? 0) & ADMIN) === ADMIN,
      self: id === selfId,
    };
  });
}

/**
 * @param controller its id, Ed25519 public key (64 hex digits) and whether it may manage controllers
 * @throws `invalid_value` · `accessory_error` with what to do
 */
export async function addController(
  post: PostPairings,
  controller: { readonly id: string; readonly publicKey: string; readonly admin: boolean },
): Promise<void> {
  if (!/^[0-9a-f]{64}$/i.test(controller.publicKey)) {
    throw new HearthError('invalid_value', `A controller's public key is ${KEY_BYTES} bytes as 64 hex digits.`, {
      field: 'publicKey',
    });
  }
  await ask(post, PairingsMethod.add, [
    [TlvType.identifier, requireControllerId(controller.id)],
    [TlvType.publicKey, Buffer.from(controller.publicKey, 'hex')],
    [TlvType.permissions, controller.admin ? ADMIN : 0],
  ]);
}

/**
 * Removes a controller; in HAP, the removal of an unknown one succeeds. With our own id this is unpairing: the
 * accessory answers and then closes the connection. An accessory without an admin removes all its pairings.
 * @throws `invalid_value` · `accessory_error` with what to do
 */
export async function removeController(post: PostPairings, controllerId: string): Promise<void> {
  await ask(post, PairingsMethod.remove, [[TlvType.identifier, requireControllerId(controllerId)]]);
}

function requireControllerId(id: string): string {
  const bytes = Buffer.byteLength(id);
  if (bytes > 0 && bytes <= MAX_CONTROLLER_ID_BYTES) return id;
  throw new HearthError(
    'invalid_value',
    `A controller id has 1 to ${MAX_CONTROLLER_ID_BYTES} characters; a UUID is usual.`,
    {
      field: 'id',
    },
  );
}

async function ask(post: PostPairings, method: number, fields: readonly TlvField[]): Promise<Tlv> {
  const body = await post(encodeTlv([[TlvType.state, 1], [TlvType.method, method], ...fields]));
  const answer = decode(body);
  const code = answer.findNumber(TlvType.error);
  if (code) throw new HearthError('accessory_error', explain(code, method));
  return answer;
}

function decode(body: Buffer): Tlv {
  try {
    return decodeTlv(body);
  } catch (error) {
    throw new HearthError(
      'accessory_error',
      `The accessory's answer about its controllers is not valid (${messageOf(error)}). Restart it and try again.`,
      {},
      { cause: error },
    );
  }
}

/** Separators divide the entries. Some accessories omit them, so an identifier begins an entry too. */
function groupByIdentifier(answer: Tlv): readonly Tlv[] {
  const entries: TlvItem[][] = [];
  for (const item of answer.items) {
    if (item.type === TlvType.identifier) entries.push([item]);
    else if (item.type !== TlvType.separator) entries.at(-1)?.push(item);
  }
  return entries.map((items) => new Tlv(items));
}

function explain(code: number, method: number): string {
  switch (code) {
    case TlvErrorCode.authentication:
      return 'The accessory lets only admin controllers manage its controllers, and this relay is not one there. Use the controller that paired it first.';
    case TlvErrorCode.maxPeers:
      return 'The accessory has no room for another controller. Remove one first.';
    case TlvErrorCode.busy:
      return 'The accessory is busy. Try again in a minute.';
    default:
      return method === PairingsMethod.add
        ? `The accessory refused the controller (pairing error ${code}). If one with this id is registered with another key, remove it first.`
        : `The accessory refused (pairing error ${code}). Restart it and try again.`;
  }
}
