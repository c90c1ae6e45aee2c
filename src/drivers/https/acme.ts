/**
 * A certificate over ACME (RFC 8555), with the challenge dns-01: a hook of the person who runs the relay puts a record
 * into the DNS and takes it away again. Nothing is sent before https is turned on with it. The authority gets the host
 * names, a key made for it, and our address.
 */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AcmeCertificates, AcmeRequest, CertifiedKey } from '../../home/certificates.ts';
import type { Clock } from '../../kernel/clock.ts';
import { sleep } from '../../kernel/clock.ts';
import { type AcmeAnswer, AcmeTransport, clean, refusal, textIn } from './acme-transport.ts';
import { runProgram } from './run-program.ts';

/** The record may have to reach several servers. */
const HOOK_TIMEOUT_MS = 10 * 60_000;
const POLL_EVERY_MS = 3_000;
/** At most: a server may ask for more patience than that. */
const MAX_POLLS = 60;

export interface AcmeOptions {
  readonly clock: Clock;
  readonly directory: () => string;
  /** The program that changes the DNS. */
  readonly hook: () => string | null;
  /** A file with certificates (PEM) of the authority itself. */
  readonly ca: () => string | null;
}

export class Acme implements AcmeCertificates {
  readonly #options: AcmeOptions;

  constructor(options: AcmeOptions) {
    this.#options = options;
  }

  check(): void {
    if (this.#options.hook() === null) {
      throw refusal('No program changes your DNS yet. Set acme_dns_hook where the daemon is started, and restart it.');
    }
  }

  newAccountKey(): string {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  }

  async obtain({ names, accountKey }: AcmeRequest, signal?: AbortSignal): Promise<CertifiedKey> {
    this.check();
    const { directory, ca: caFile } = this.#options;
    const file = caFile();
    const ca = file === null ? undefined : readFileSync(file, 'utf8');
    const transport = new AcmeTransport({ ca, accountKey, signal });
    const addresses = await transport.directory(directory());
    const meta = addresses.meta as { readonly externalAccountRequired?: boolean } | undefined;
    if (meta?.externalAccountRequired === true)
      throw refusal(
        'This authority wants an account made on its site beforehand. Choose another one with acme_directory.',
      );
    const account = await transport.post(textIn(addresses, 'newAccount'), { termsOfServiceAgreed: true });
    transport.useAccount(locationOf(account));
    const identifiers = names.map((value) => ({ type: 'dns', value }));
    const order = await transport.post(textIn(addresses, 'newOrder'), { identifiers });
    for (const url of listIn(order.body, 'authorizations')) await this.#authorize(transport, url, names, signal);
    const { makeCertificateRequest } = await import('./certificate-request.ts');
    const { key, der } = makeCertificateRequest(names);
    await transport.post(textIn(order.body, 'finalize'), { csr: der.toString('base64url') });
    const done = await this.#poll(transport, locationOf(order), ['valid'], signal);
    const { text: certificate } = await transport.post(textIn(done.body, 'certificate'));
    return { key, certificate };
  }

  /** @param names that were ordered: the hook gets no other */
  async #authorize(
    transport: AcmeTransport,
    url: string,
    names: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { body } = await transport.post(url);
    if (body.status === 'valid') return;
    const { value: asked } = (body.identifier ?? {}) as { readonly value?: unknown };
    const name = names.find((one) => one === String(asked).toLowerCase());
    if (name === undefined)
      throw refusal(`The authority asks for a proof of ${clean(asked)}, which was not asked for.`);
    const challenges = Array.isArray(body.challenges) ? (body.challenges as AcmeAnswer['body'][]) : [];
    const challenge = challenges.find(({ type }) => type === 'dns-01');
    if (!challenge) throw refusal(`The authority offers no proof by DNS for ${name}.`);
    const record = `_acme-challenge.${name}`;
    const value = transport.recordFor(textIn(challenge, 'token'));
    try {
      await this.#hook('add', record, value, signal);
      await transport.post(textIn(challenge, 'url'), {});
      await this.#poll(transport, url, ['valid'], signal);
    } finally {
      // Also after an attempt that failed, or was broken off: records must not pile up.
      await this.#hook('remove', record, value, undefined);
    }
  }

  async #hook(act: 'add' | 'remove', record: string, value: string, signal: AbortSignal | undefined): Promise<void> {
    const hook = this.#options.hook() ?? '';
    const { code, failure, stderr } = await runProgram(hook, [act, record, value], {
      timeoutMs: HOOK_TIMEOUT_MS,
      signal,
    });
    if (code === 0 || act === 'remove') return;
    const why =
      failure ??
      (clean(withoutCredentials(stderr)) || (code === null ? 'it did not end in time' : `exit code ${code}`));
    throw refusal(`The program of acme_dns_hook (${hook}) could not add the record ${record}: ${why}`);
  }

  async #poll(
    transport: AcmeTransport,
    url: string,
    wanted: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<AcmeAnswer> {
    for (let poll = 0; poll < MAX_POLLS; poll += 1) {
      const answer = await transport.post(url);
      const status = textIn(answer.body, 'status');
      if (wanted.includes(status)) return answer;
      if (status === 'invalid') throw refusal(`The authority could not check the name: ${faultIn(answer.body)}`);
      if (signal?.aborted) throw refusal('The daemon stops.');
      await sleep(this.#options.clock, POLL_EVERY_MS);
    }
    throw refusal('The authority did not finish in time.');
  }
}

/** Hooks print what they sent, and admins read it. The relay gives a hook no credentials: it does not know them. */
function withoutCredentials(text: string): string {
  return (
    text
      .replace(/(\b(?:bearer|basic)\s+)\S+/gi, '$1…')
      .replace(
        /(\b[\w-]*(?:token|secret|passw(?:or)?d|api[_-]?key|authorization)["']?\s*[=:]\s*["']?)(?!(?:bearer|basic)\b)[^\s"',&]+/gi,
        '$1…',
      )
      .replace(/(:\/\/)[^\s/@]+@/g, '$1…@')
      // Nothing else is this long, without a dot, and of letters and digits.
      .replace(/(?<![\w.-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{24,}(?![\w.])/gi, '…')
  );
}

/** The reason stands in the challenge that failed, or in the order. */
function faultIn(body: AcmeAnswer['body']): string {
  const parts = [body, ...(Array.isArray(body.challenges) ? (body.challenges as AcmeAnswer['body'][]) : [])];
  const error = parts.map((part) => part.error as { readonly detail?: string } | undefined).find((one) => one?.detail);
  return clean(error?.detail ?? 'it gave no reason');
}

function listIn(body: AcmeAnswer['body'], name: string): readonly string[] {
  const value = body[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function locationOf({ headers }: AcmeAnswer): string {
  const { location } = headers;
  return typeof location === 'string' ? location : '';
}
