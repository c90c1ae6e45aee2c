/**
 * A port of 127.0.0.1 where connecting neither succeeds nor fails, as at the address of a device that is gone: a
 * process that was stopped holds it, with as many connections waiting as the system keeps for it. Further ones are not
 * answered at all.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const LISTENER = `require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
  console.log(this.address().port);
});`;
/** A connection over loopback takes a millisecond; one that takes this long is not answered. */
const UNANSWERED_MS = 300;
const MORE_THAN_ENOUGH = 10;

export class DeafPort {
  readonly port: number;
  readonly #holder: ChildProcess;
  readonly #waiting: readonly Socket[];

  private constructor(port: number, holder: ChildProcess, waiting: readonly Socket[]) {
    this.port = port;
    this.#holder = holder;
    this.#waiting = waiting;
  }

  static async open(): Promise<DeafPort> {
    const holder = spawn(process.execPath, ['-e', LISTENER], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(holder.stdout, 'data')) as [Buffer];
    const port = Number(line.toString());
    holder.kill('SIGSTOP');
    const waiting: Socket[] = [];
    const deaf = new DeafPort(port, holder, waiting);
    for (let n = 0; n < MORE_THAN_ENOUGH; n += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      waiting.push(socket);
      const patience = AbortSignal.timeout(UNANSWERED_MS);
      const isAnswered = await once(socket, 'connect', { signal: patience }).then(
        () => true,
        () => false,
      );
      if (!isAnswered) return deaf;
    }
    deaf.close();
    throw new Error(`Port ${port} goes on answering`);
  }

  close(): void {
    for (const socket of this.#waiting) socket.destroy();
    this.#holder.kill('SIGKILL');
  }
}
