/**
 * Codes on paper for people whose authenticator app is lost. Each works once. 79 random bits, so that a plain hash is
 * enough.
 */
import { randomInt } from 'node:crypto';
import { sha256Hex } from '../../kernel/secrets.ts';

const COUNT = 10;
const GROUPS = 4;
const GROUP_LENGTH = 4;
/** Without characters that people confuse: I, L, O, 0 and 1. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** Ten codes, `XXXX-XXXX-XXXX-XXXX`. */
export function generateRecoveryCodes(): readonly string[] {
  return Array.from({ length: COUNT }, () => Array.from({ length: GROUPS }, randomGroup).join('-'));
}

/** The stored form of a code. Takes typed input: in any case, with or without the dashes. */
export function hashOfRecoveryCode(userId: string, text: string): string {
  return sha256Hex(`${userId} ${text.slice(0, 64).toUpperCase().replace(/[\s-]/g, '')}`);
}

function randomGroup(): string {
  return Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
