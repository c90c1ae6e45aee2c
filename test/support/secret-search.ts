/**
 * Looks for secrets where none may be: in files, logs and answers, as they are and as logs, protocols and databases
 * spell them.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Secret {
  readonly what: string;
  readonly bytes: Buffer;
}

/** Of a base64 text that is shorter, a few characters would be found anywhere. */
const MIN_BASE64_LENGTH = 6;

/** A text as it may turn up: as it is, and encoded, in base64 also in the middle of something longer. */
export function spellings(what: string, text: string): readonly Secret[] {
  const hex = Buffer.from(text).toString('hex');
  const json = JSON.stringify(text).slice(1, -1);
  const form = new URLSearchParams({ '': text }).toString().slice(1);
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const all = [text, json, html, form, encodeURIComponent(text), hex, hex.toUpperCase(), ...base64Spellings(text)];
  return [...new Set(all)].map((spelling) => ({ what, bytes: Buffer.from(spelling) }));
}

/**
 * Wherever the text begins within a longer one: three ways, without the characters that it shares with adjacent bytes.
 */
function base64Spellings(text: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]).toString('base64');
    const bits = (before + Buffer.byteLength(text)) * 8;
    const own = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
    return own.length < MIN_BASE64_LENGTH ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Bytes as they are, and as texts show them. */
export function keySpellings(what: string, key: Buffer): readonly Secret[] {
  const texts = (['hex', 'base64', 'base64url'] as const).map((as) => key.toString(as));
  const upper = key.toString('hex').toUpperCase();
  const list = key.join(',');
  return [key, ...[...texts, upper, list].map((text) => Buffer.from(text))].map((bytes) => ({ what, bytes }));
}

/** `where: what` for each secret that is found. */
export function findings(where: string, content: Buffer | string, secrets: readonly Secret[]): readonly string[] {
  const bytes = Buffer.from(content as string);
  return secrets.filter((secret) => bytes.includes(secret.bytes)).map(({ what }) => `${where}: ${what}`);
}

/** Every file below a folder, sockets too, as paths relative to it. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => !lstatSync(join(folder, name)).isDirectory())
    .sort();
}
