/** The certificate of this computer in its tailnet, from the command `tailscale`. Tailscale proves the name itself. */
import type { CertifiedKey, TailscaleCertificates } from '../../home/certificates.ts';
import { HearthError } from '../../kernel/errors.ts';
import { type ProgramRun, runProgram } from './run-program.ts';

const STATUS_TIMEOUT_MS = 15_000;
/** The first certificate takes half a minute. */
const CERTIFICATE_TIMEOUT_MS = 180_000;

/** What we read of `tailscale status --json`. */
interface TailscaleStatus {
  readonly BackendState?: string;
  readonly Self?: { readonly DNSName?: string };
  readonly CertDomains?: readonly string[] | null;
}

const NOT_RUNNING: Readonly<Record<string, string>> = {
  NeedsLogin: 'This computer is not signed in to Tailscale. Run: sudo tailscale up',
  NeedsMachineAuth: 'This computer waits to be approved in the admin console of Tailscale.',
  NoState: 'Tailscale is starting. Try again in a moment.',
  Starting: 'Tailscale is starting. Try again in a moment.',
  Stopped: 'Tailscale is stopped. Run: sudo tailscale up',
};

export class Tailscale implements TailscaleCertificates {
  readonly #program: string;

  constructor(program = 'tailscale') {
    this.#program = program;
  }

  async name(signal?: AbortSignal): Promise<string> {
    const args = ['status', '--json', '--peers=false'];
    const run = await runProgram(this.#program, args, { timeoutMs: STATUS_TIMEOUT_MS, signal });
    // It ends with 1 while it is stopped, and prints its status all the same.
    const status = parsed(run.stdout);
    if (!status) throw refusal(failureOf(run));
    const { BackendState: state = '', Self: self, CertDomains: domains } = status;
    const problem = NOT_RUNNING[state];
    if (problem !== undefined) throw refusal(problem);
    const name = (self?.DNSName ?? '').replace(/\.$/, '').toLowerCase();
    if (name === '' || !domains?.some((domain) => domain.toLowerCase() === name)) {
      throw refusal(
        'Https is not enabled in your tailnet. Enable MagicDNS and HTTPS Certificates in the admin console of Tailscale, under DNS.',
      );
    }
    return name;
  }

  async obtain(name: string, signal?: AbortSignal): Promise<CertifiedKey> {
    const args = ['cert', '--cert-file', '-', '--key-file', '-', name];
    const run = await runProgram(this.#program, args, { timeoutMs: CERTIFICATE_TIMEOUT_MS, signal });
    if (run.code !== 0) throw refusal(failureOf(run));
    const blocks = run.stdout.match(/-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----\n?/g) ?? [];
    const isKey = (block: string): boolean => block.includes('PRIVATE KEY-----');
    const [key] = blocks.filter(isKey);
    const certificate = blocks.filter((block) => !isKey(block)).join('');
    if (key === undefined || certificate === '')
      throw refusal('The command tailscale printed no certificate. Upgrade Tailscale.');
    return { key, certificate };
  }
}

function parsed(text: string): TailscaleStatus | undefined {
  try {
    const status: unknown = JSON.parse(text);
    return typeof status === 'object' && status !== null ? status : undefined;
  } catch {
    return undefined;
  }
}

function failureOf({ code, failure, stderr }: ProgramRun): string {
  if (failure === 'ENOENT')
    return 'Tailscale is not installed on this computer. Install it, and run: sudo tailscale up';
  if (failure === 'EACCES') return 'This user may not run the command tailscale.';
  if (code === null) return 'The command tailscale did not end in time. Look at: tailscale status';
  if (/access denied|permission denied|operator/i.test(stderr)) {
    return 'Tailscale gives this user no certificate. Put TS_PERMIT_CERT_UID=hearthd into /etc/default/tailscaled, and run: sudo systemctl restart tailscaled';
  }
  if (/failed to connect|is tailscaled running/i.test(stderr)) {
    return 'Tailscale does not run. Run: sudo systemctl start tailscaled';
  }
  const [line = ''] = stderr.trim().split('\n');
  return `The command tailscale failed: ${line.slice(0, 200) || `exit code ${code}`}`;
}

function refusal(sentence: string): HearthError {
  return new HearthError('conflict', sentence);
}
