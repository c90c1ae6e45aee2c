/** A computer whose files and programs are a test's. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Computer, Ran } from '../../../src/cli/service/computer.ts';
import { ROOT } from '../../support/built-once.ts';

export interface FakeComputer extends Computer {
  readonly files: Map<string, string>;
  /** Each program that ran, with its words. */
  readonly ran: string[];
  /** What a program does instead of nothing, by the beginning of its words. */
  readonly answers: Map<string, Partial<Ran>>;
  /** Called with the words of each program, before it ends. */
  onRun: (line: string) => void;
}

export interface FakeComputerOptions extends Partial<Pick<Computer, 'platform' | 'isRoot' | 'program' | 'node'>> {
  readonly sudoUser?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export function fakeComputer(options: FakeComputerOptions = {}): FakeComputer {
  const { platform = 'linux', isRoot = true, program = '/opt/hearthd', node = '/usr/bin/node', sudoUser } = options;
  const files = new Map(Object.entries(options.files ?? {}));
  if (platform === 'linux') files.set('/run/systemd/system', '');
  for (const file of ['systemd/hearthd.service', 'systemd/hearthd.plist'])
    files.set(join(program, file), readFileSync(join(ROOT, file), 'utf8'));
  const ran: string[] = [];
  const answers = new Map<string, Partial<Ran>>();
  const computer: FakeComputer = {
    onRun: () => {},
    platform,
    isRoot,
    program,
    node,
    sudoUser,
    files,
    ran,
    answers,
    exists: (path) => files.has(path),
    isFolder: (path) => [...files.keys()].some((file) => file.startsWith(`${path}/`)),
    read: (path) => files.get(path),
    write: (path, text) => void files.set(path, text),
    remove: (path) => void files.delete(path),
    run: (...words) => {
      const line = words.join(' ');
      ran.push(line);
      computer.onRun(line);
      const answer = [...answers].find(([beginning]) => line.startsWith(beginning))?.[1];
      return { status: 0, out: '', err: '', ...answer };
    },
  };
  return computer;
}
