/**
 * The other end of systemd's notify protocol: a Unix datagram socket, which Node can't open. Perl can, and perl-base is
 * part of every Debian.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { eventually } from './e2e-relay.ts';

const RECEIVER = `
use Socket;
$| = 1;
socket(my $socket, AF_UNIX, SOCK_DGRAM, 0) or die $!;
bind($socket, sockaddr_un($ARGV[0])) or die $!;
print "listening\\n";
while (defined recv($socket, my $message, 4096, 0)) { print "$message\\n"; }
`;

/** Why it can't be used here, if it can't. */
export function whyNoNotifySocket(): string | undefined {
  const missing = [
    ['systemd-notify', '--version'],
    ['perl', '-MSocket', '-e1'],
  ].filter(([command = '', ...words]) => spawnSync(command, words, { stdio: 'ignore' }).status !== 0);
  return missing.length === 0 ? undefined : `needs ${missing.map(([command]) => command).join(' and ')}`;
}

export class NotifySocket implements Disposable {
  /** For NOTIFY_SOCKET. */
  readonly path: string;
  readonly #receiver: ChildProcess;
  #received = '';

  private constructor(path: string) {
    this.path = path;
    this.#receiver = spawn('perl', ['-e', RECEIVER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#receiver.stdout?.on('data', (data: Buffer) => {
      this.#received += data.toString();
    });
  }

  static async open(path: string): Promise<NotifySocket> {
    const socket = new NotifySocket(path);
    await eventually(() => socket.#received.startsWith('listening\n'), 'the notify socket');
    return socket;
  }

  /** Every assignment so far, `READY=1` and the like, in the order of arrival; without systemd-notify's own. */
  get received(): readonly string[] {
    return this.#received
      .split('\n')
      .slice(1, -1)
      .filter((line) => line !== 'BARRIER=1');
  }

  /** How many signs of life have come. */
  get signs(): number {
    return this.received.filter((line) => line === 'WATCHDOG=1').length;
  }

  [Symbol.dispose](): void {
    this.#receiver.kill('SIGKILL');
  }
}
