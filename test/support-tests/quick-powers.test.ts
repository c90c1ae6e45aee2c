import { getDiffieHellman, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digitArrays, slowPower } from '../support/accessories/quick-powers.ts';

const PRIME = new digitArrays(getDiffieHellman('modp15').getPrime('hex'), 16);
const random = (bytes: number) => randomBytes(bytes).toString('hex');

describe('a power by BigInt', () => {
  it.each([
    ['the generator to a secret', '5', random(32)],
    ['a public key to a secret', random(384), random(32)],
    ['a number below zero to a long exponent', `-${random(384)}`, random(96)],
    ['a number to one', random(384), '1'],
    ['zero to a secret', '0', random(32)],
  ])('is what HAP-NodeJS computes itself: %s', (_what, base, exponent) => {
    const [number, power] = [new digitArrays(base, 16), new digitArrays(exponent, 16)];
    expect(number.modPow).not.toBe(slowPower);
    expect(number.modPow(power, PRIME).toString(16)).toBe(slowPower.call(number, power, PRIME).toString(16));
  });
});
