/** A process that makes snapshots and swaps databases without end, until it is killed. Reports each round. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BackupFolder } from '../../../src/storage/backups/backup-folder.ts';
import { stageBackup, stagedPath } from '../../../src/storage/backups/stage-backup.ts';
import { swapDatabase } from '../../../src/storage/backups/swap-database.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { TYPESCRIPT } from '../../support/typescript-process.ts';

export interface SwapChild {
  /** Resolves when so many rounds are through. */
  rounds(count: number): Promise<void>;
  kill(): Promise<void>;
}

export async function startChild(path: string): Promise<SwapChild> {
  const args = [...TYPESCRIPT, fileURLToPath(import.meta.url), path];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let done = 0;
  child.stdout?.on('data', (text: Buffer) => {
    done += text.toString().split('\n').length - 1;
    child.emit('round');
  });
  return {
    async rounds(count) {
      while (done < count) await Promise.race([once(child, 'round'), once(child, 'exit')]);
    },
    async kill() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function work(path: string): Promise<never> {
  const folder = new BackupFolder(path);
  for (let round = 0; ; round += 1) {
    const database = openDatabase(path);
    const word = round % 2 === 0 ? 'one' : 'two';
    database.prepare("INSERT OR REPLACE INTO settings VALUES ('word', ?)").run(word);
    const { path: backup } = folder.snapshot(database, 'manual', Date.now());
    database.close();
    await stageBackup(path, backup, null);
    swapDatabase(path, stagedPath(path), `${folder.path}/${folder.nextName('before-restore', Date.now())}`);
    folder.prune('manual', 3);
    folder.prune('before-restore', 3);
    process.stdout.write('round\n');
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await work(process.argv[2] ?? '');
