/** Runs the daemon's frame around a relay that behaves as its argument sets. Run by daemon.test.ts. */
import { main } from '../../src/cli/cli.ts';
import { type RunnableRelay, runDaemon } from '../../src/cli/daemon.ts';
import { CliError } from '../../src/cli/exit-codes.ts';
import { loadConfig } from '../../src/config/config.ts';
import { processVariables, readEnvironment } from '../../src/config/env.ts';
import { HearthError } from '../../src/kernel/errors.ts';
import { DirectoryInUseError } from '../../src/storage/data-directory.ts';

const [behaviour = '', dataDir = ''] = process.argv.slice(2);

const STARTS: Record<string, () => void> = {
  refuses() {
    throw new HearthError('conflict', 'The directory is no good. Do this.');
  },
  'port-taken'() {
    const cause = Object.assign(new Error('listen'), { code: 'EADDRINUSE' });
    throw new HearthError('conflict', 'Port 5656 is in use.', {}, { cause });
  },
  'directory-taken'() {
    throw new DirectoryInUseError(dataDir, 1);
  },
  breaks() {
    throw new TypeError('a fault of ours');
  },
  throws() {
    setTimeout(() => {
      throw new Error('thrown out of nowhere');
    }, 10);
  },
  rejects() {
    setTimeout(() => void Promise.reject(new Error('rejected out of nowhere')), 10);
  },
  freezes() {
    setTimeout(() => {
      const end = Date.now() + 60_000;
      while (Date.now() < end);
    }, 500);
  },
};

function createRelay(): RunnableRelay {
  // Something that lives, as sockets do.
  const life = setInterval(() => undefined, 60_000);
  return {
    url: 'http://localhost:1',
    wsPort: 0,
    lost: behaviour === 'is-lost' ? Promise.resolve('nothing starts any more') : new Promise(() => {}),
    async start() {
      STARTS[behaviour]?.();
    },
    async stop() {
      clearInterval(life);
      process.stderr.write(`stopped umask=${process.umask().toString(8)}\n`);
      if (behaviour === 'hangs') await new Promise(() => setInterval(() => undefined, 60_000));
    },
  };
}

if (behaviour === 'cli') {
  process.exitCode = await main(process.argv.slice(3));
} else {
  try {
    const config = loadConfig({ dataDir, logFormat: 'json' }, {});
    process.exitCode = await runDaemon(config, readEnvironment(processVariables()), createRelay);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof CliError ? error.exitCode : 99;
  }
}
