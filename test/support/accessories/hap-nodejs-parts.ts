/**
 * The parts that HAP-NodeJS brings along and does not export: its mDNS responder and its SRP. They are loaded through
 * its own module resolution, so that they are exactly the ones it uses, and typed as far as they are needed here.
 */
import { createRequire } from 'node:module';
// Not by name: it changes what HAP-NodeJS computes with.
import './quick-powers.ts';

const requireLikeHapNodeJs = createRequire(createRequire(import.meta.url).resolve('@homebridge/hap-nodejs'));

export interface CiaoService {
  advertise(): Promise<void>;
  updateTxt(txt: Record<string, string>): void;
  /** Sends a goodbye. */
  destroy(): Promise<void>;
  on(event: 'name-change', listener: (name: string) => void): void;
}

export interface CiaoServiceOptions {
  readonly name: string;
  readonly type: 'hap' | 'mqtt';
  readonly port: number;
  readonly hostname: string;
  readonly txt: Record<string, string>;
  readonly restrictedAddresses: readonly string[];
  readonly disabledIpv6: boolean;
}

export interface CiaoResponder {
  createService(options: CiaoServiceOptions): CiaoService;
  shutdown(): Promise<void>;
}

export interface Ciao {
  getResponder(options: Record<string, unknown>): CiaoResponder;
}

interface SrpServer {
  computeB(): Buffer;
  setA(publicKey: Buffer): void;
  /** @throws if the proof is wrong, that is, the setup code was. */
  checkM1(proof: Buffer): void;
  computeM2(): Buffer;
  computeK(): Buffer;
}

interface SrpClient {
  setB(publicKey: Buffer): void;
  computeA(): Buffer;
  computeM1(): Buffer;
  computeK(): Buffer;
}

interface FastSrp {
  readonly SrpClient: new (
    params: object,
    salt: Buffer,
    identity: Buffer,
    password: Buffer,
    secret: Buffer,
  ) => SrpClient;
  readonly SRP: { readonly params: { readonly hap: object }; genKey(bytes: number): Promise<Buffer> };
  readonly SrpServer: new (
    params: object,
    salt: Buffer,
    identity: Buffer,
    password: Buffer,
    secret: Buffer,
  ) => SrpServer;
}

/** The object through which HAP-NodeJS itself asks for responders. */
export function loadCiao(): Ciao {
  return (requireLikeHapNodeJs('@homebridge/ciao') as { default: Ciao }).default;
}

/** An SRP server for one pair-setup. */
export async function createSrpServer(setupCode: string, salt: Buffer): Promise<SrpServer> {
  const { SRP, SrpServer } = requireLikeHapNodeJs('fast-srp-hap') as FastSrp;
  const secret = await SRP.genKey(32);
  return new SrpServer(SRP.params.hap, salt, Buffer.from('Pair-Setup'), Buffer.from(setupCode), secret);
}

/** The other side, which hap-controller takes from the same place. */
export function createSrpClient(setupCode: string, salt: Buffer, secret: Buffer): SrpClient {
  const { SRP, SrpClient } = requireLikeHapNodeJs('fast-srp-hap') as FastSrp;
  return new SrpClient(SRP.params.hap, salt, Buffer.from('Pair-Setup'), Buffer.from(setupCode), secret);
}

export type { SrpServer };
