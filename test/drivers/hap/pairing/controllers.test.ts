import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addController,
  listControllers,
  type PostPairings,
  removeController,
} from '../../../../src/drivers/hap/pairing/controllers.ts';
import { PairVerifyError, pairVerify } from '../../../../src/drivers/hap/pairing/pair-verify.ts';
import type { PairingKeys } from '../../../../src/drivers/hap/wire/exchange.ts';
import { encodeTlv, type TlvField } from '../../../../src/hap-spec/tlv.ts';
import { HearthError } from '../../../../src/kernel/errors.ts';
import { createControllerKeys, pairingKeys } from '../../../support/accessories/identity.ts';
import { type ReplayAccessory, startReplayAccessory } from '../../../support/accessories/replay-accessory.ts';
import { connectPlainly } from './plain-connection.ts';

const SEPARATOR: TlvField = [0xff, ''];
const owner = createControllerKeys();
const guest = createControllerKeys();

let accessory: ReplayAccessory;
const open: { close(): void }[] = [];

beforeEach(async () => {
  accessory = await startReplayAccessory({ database: [], mdns: false, paired: [owner] });
});

afterEach(async () => {
  for (const connection of open.splice(0)) connection.close();
  await accessory.stop();
});

async function postAs(keys: PairingKeys): Promise<PostPairings> {
  const connection = await connectPlainly(accessory.port);
  open.push(connection);
  connection.secure(await pairVerify(connection.exchange, keys));
  return (body) => connection.exchange('/pairings', body);
}

function entry(id: string, permissions: number): TlvField[] {
  return [
    [1, id],
    [3, Buffer.alloc(32, 7)],
    [0x0b, permissions],
  ];
}

describe('controllers of an accessory', () => {
  it('are listed, added and removed', async () => {
    const post = await postAs(pairingKeys(owner, accessory));
    await addController(post, { id: guest.id, publicKey: guest.publicKey.toString('hex'), admin: false });
    expect(await listControllers(post, owner.id)).toEqual([
      { id: owner.id, publicKey: owner.publicKey.toString('hex'), admin: true, self: true },
      { id: guest.id, publicKey: guest.publicKey.toString('hex'), admin: false, self: false },
    ]);
    const guestConnection = await connectPlainly(accessory.port);
    open.push(guestConnection);
    await pairVerify(guestConnection.exchange, pairingKeys(guest, accessory));
    await removeController(post, guest.id);
    expect((await listControllers(post, owner.id)).map(({ id }) => id)).toEqual([owner.id]);
  });

  it('removing ourselves unpairs: the accessory forgets all controllers', async () => {
    const post = await postAs(pairingKeys(owner, accessory));
    await addController(post, { id: guest.id, publicKey: guest.publicKey.toString('hex'), admin: false });
    await removeController(post, owner.id);
    expect(accessory.controllers).toEqual([]);
    const again = await connectPlainly(accessory.port);
    open.push(again);
    const verifying = pairVerify(again.exchange, pairingKeys(owner, accessory));
    await expect(verifying).rejects.toThrow(PairVerifyError);
    await expect(verifying).rejects.toMatchObject({ kind: 'unknown_controller' });
  });

  it('may be managed by admins only, and the refusal explains it', async () => {
    const ownersPost = await postAs(pairingKeys(owner, accessory));
    await addController(ownersPost, { id: guest.id, publicKey: guest.publicKey.toString('hex'), admin: false });
    const post = await postAs(pairingKeys(guest, accessory));
    const listing = listControllers(post, guest.id);
    await expect(listing).rejects.toMatchObject({ code: 'accessory_error' });
    await expect(listing).rejects.toThrow(/only admin controllers/);
  });

  it('can’t be added under an id that has another key, and the refusal explains what to do', async () => {
    const post = await postAs(pairingKeys(owner, accessory));
    const adding = addController(post, { id: owner.id, publicKey: guest.publicKey.toString('hex'), admin: true });
    await expect(adding).rejects.toThrow(/registered with another key, remove it first/);
  });

  it('are read also where the separators are missing, doubled or in odd places', async () => {
    const answers: TlvField[][] = [
      [[6, 2], ...entry('one', 1), ...entry('two', 0)],
      [[6, 2], SEPARATOR, ...entry('one', 1), SEPARATOR, SEPARATOR, ...entry('two', 0), SEPARATOR],
    ];
    for (const answer of answers) {
      const controllers = await listControllers(() => Promise.resolve(encodeTlv(answer)), 'two');
      expect(controllers.map(({ id, admin, self }) => [id, admin, self])).toEqual([
        ['one', true, false],
        ['two', false, true],
      ]);
    }
    expect(await listControllers(() => Promise.resolve(encodeTlv([[6, 2]])), 'one')).toEqual([]);
  });

  it('give a named error for a full table, a busy device and an answer that is cut short', async () => {
    const answering =
      (answer: Buffer): PostPairings =>
      () =>
        Promise.resolve(answer);
    const refusing = (code: number): PostPairings =>
      answering(
        encodeTlv([
          [6, 2],
          [7, code],
        ]),
      );
    const controller = { id: guest.id, publicKey: guest.publicKey.toString('hex'), admin: false };
    await expect(addController(refusing(4), controller)).rejects.toThrow(/no room.*Remove one first/);
    await expect(removeController(refusing(7), guest.id)).rejects.toThrow(/busy/);
    await expect(removeController(refusing(1), guest.id)).rejects.toThrow(/error 1/);
    await expect(listControllers(answering(Buffer.of(6, 9)), 'x')).rejects.toThrow(HearthError);
  });

  it('are checked before anything is sent', async () => {
    const post: PostPairings = () => Promise.reject(new Error('sent'));
    const publicKey = guest.publicKey.toString('hex');
    await expect(addController(post, { id: '', publicKey, admin: true })).rejects.toMatchObject({
      code: 'invalid_value',
    });
    await expect(removeController(post, 'x'.repeat(37))).rejects.toMatchObject({ code: 'invalid_value' });
    await expect(addController(post, { id: 'x', publicKey: 'abc', admin: true })).rejects.toMatchObject({
      code: 'invalid_value',
      details: { field: 'publicKey' },
    });
  });
});
