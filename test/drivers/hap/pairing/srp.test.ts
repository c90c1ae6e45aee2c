import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { computeSrp } from '../../../../src/drivers/hap/pairing/srp.ts';
import { createSrpClient, createSrpServer } from '../../../support/accessories/hap-nodejs-parts.ts';

const CODE = '031-45-154';

describe('our half of SRP', () => {
  it('makes the public key of the HAP specification’s test vector (appendix on SRP)', async () => {
    const secret = Buffer.from('60975527035cf2ad1989806f0407210bc81edc04e2762a56afd529ddda2d4393', 'hex');
    const challenge = { setupCode: CODE, salt: randomBytes(16), publicKey: Buffer.of(9) };
    const { publicKey } = await computeSrp(challenge, secret);
    expect(publicKey).toHaveLength(384);
    expect(publicKey.toString('hex')).toMatch(/^fab6f5d2615d1e323512e7991cc37443f487da604ca8c923/);
    expect(publicKey.toString('hex')).toMatch(/a231d18432d7d1bb55c28ae21ffcf005f57528d15a88881bb3bbb7fe$/);
  });

  it('agrees with a genuine server on the key, and each side believes the other', async () => {
    const salt = randomBytes(16);
    const server = await createSrpServer(CODE, salt);
    const answer = await computeSrp({ setupCode: CODE, salt, publicKey: server.computeB() });
    server.setA(answer.publicKey);
    expect(() => server.checkM1(answer.proof)).not.toThrow();
    expect(answer.sessionKey).toEqual(server.computeK());
    expect(answer.isProvedBy(server.computeM2())).toBe(true);
  });

  it('convinces no device with a wrong code, and is not convinced by a device without the right one', async () => {
    const salt = randomBytes(16);
    const server = await createSrpServer(CODE, salt);
    const answer = await computeSrp({ setupCode: '482-91-573', salt, publicKey: server.computeB() });
    server.setA(answer.publicKey);
    expect(() => server.checkM1(answer.proof)).toThrow();
    expect(answer.isProvedBy(server.computeM2())).toBe(false);
    for (const proof of [Buffer.alloc(0), Buffer.alloc(64), createHash('sha512').update(answer.proof).digest()]) {
      expect(answer.isProvedBy(proof)).toBe(false);
    }
  });

  it.each([
    ['begins with zeros', Buffer.concat([Buffer.alloc(2), randomBytes(382)])],
    ['comes without its leading zeros', randomBytes(382)],
    ['is tiny', Buffer.of(7)],
  ])('agrees with hap-controller’s where the public key %s', async (_how, publicKey) => {
    const [salt, secret] = [randomBytes(16), randomBytes(32)];
    const theirs = createSrpClient(CODE, salt, secret);
    theirs.setB(publicKey);
    const ours = await computeSrp({ setupCode: CODE, salt, publicKey }, secret);
    expect(ours.publicKey).toEqual(theirs.computeA());
    expect(ours.proof).toEqual(theirs.computeM1());
    expect(ours.sessionKey).toEqual(theirs.computeK());
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['zero', Buffer.alloc(384)],
    ['more than the group holds', Buffer.alloc(384, 0xff)],
    ['far too long', Buffer.alloc(4_096, 1)],
  ])('refuses a public key that is %s', async (_what, publicKey) => {
    await expect(computeSrp({ setupCode: CODE, salt: randomBytes(16), publicKey })).rejects.toThrow(RangeError);
  });

  it('lets others have their turn while it computes', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      handle = setImmediate(count);
    };
    let handle = setImmediate(count);
    await computeSrp({ setupCode: CODE, salt: randomBytes(16), publicKey: randomBytes(383) });
    clearImmediate(handle);
    expect(turns).toBeGreaterThanOrEqual(2);
  });
});
