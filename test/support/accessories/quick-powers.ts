/**
 * HAP-NodeJS computes the powers of a key exchange with digit arrays, which takes a tenth of a second of the processor
 * for each pairing. Here BigInt computes the same numbers in a sixth of that.
 */
import { createRequire } from 'node:module';

const requireLikeHapNodeJs = createRequire(createRequire(import.meta.url).resolve('@homebridge/hap-nodejs'));
const requireLikeSrp = createRequire(requireLikeHapNodeJs.resolve('fast-srp-hap'));

/** What its library of digit arrays calls a number. */
export interface DigitArray {
  modPow(exponent: DigitArray, modulus: DigitArray): DigitArray;
  toString(radix: number): string;
}
export interface DigitArrays {
  new (digits: string, radix: number): DigitArray;
  readonly prototype: DigitArray;
}

export const digitArrays = requireLikeSrp('../jsbn/jsbn') as DigitArrays;

/** Its own way, which is slow. */
export const slowPower = digitArrays.prototype.modPow;

digitArrays.prototype.modPow = function quickPower(this: DigitArray, exponent: DigitArray, modulus: DigitArray) {
  const n = toBigInt(modulus);
  const factor = ((toBigInt(this) % n) + n) % n;
  let power = 1n;
  for (const bit of toBigInt(exponent).toString(2)) {
    power = (power * power) % n;
    if (bit === '1') power = (power * factor) % n;
  }
  return new digitArrays(power.toString(16), 16);
};

function toBigInt(number: DigitArray): bigint {
  const digits = number.toString(16);
  return digits.startsWith('-') ? -BigInt(`0x${digits.slice(1)}`) : BigInt(`0x${digits}`);
}
