/** Publishes the demo's home, and finds the addresses under which a phone reaches it. */
import { networkInterfaces } from 'node:os';
import type { ApiClient } from '../../src/cli/api-client.ts';
import type { Publication } from '../../src/contract/publications.ts';

/** Each as Apple Home or a Matter app takes it: typed, or scanned as a QR code. */
export interface PublishedCode {
  readonly kind: Publication['kind'];
  readonly code: string;
  readonly qrCode: string;
}

/** Where the bridges can be reached: `null` for this computer alone. */
export interface PublishedOn {
  readonly name: string;
  readonly addresses: readonly string[];
}

/** @throws `Error` in words for people */
export function findInterface(name: string): PublishedOn {
  const all = networkInterfaces();
  const addresses = (all[name] ?? []).filter(({ family }) => family === 'IPv4').map(({ address }) => address);
  if (addresses.length > 0) return { name, addresses };
  const others = Object.keys(all).filter((other) => other !== 'lo');
  throw new Error(`--publish takes an interface with an IPv4 address: ${others.join(', ') || 'there is none'}`);
}

const KINDS: readonly Publication['kind'][] = ['homekit', 'matter'];

/** Over HomeKit and Matter. A second run on the same data directory finds its publications, and their codes stay. */
export async function publish(api: ApiClient): Promise<readonly PublishedCode[]> {
  const existing = await api.get<readonly Publication[]>('/rest/publications');
  const codes: PublishedCode[] = [];
  for (const kind of KINDS) {
    const name = kind === 'homekit' ? 'Demo Home' : 'Demo Home over Matter';
    const found = existing.find((one) => one.kind === kind);
    const { bridges } = found ?? (await api.send<Publication>('POST', '/rest/publications', { name, kind }));
    const [bridge] = bridges;
    const code = bridge?.setupCode ?? bridge?.manualCode;
    const qrCode = bridge?.setupUri ?? bridge?.qrCode;
    if (code && qrCode) codes.push({ kind, code, qrCode });
  }
  return codes;
}
