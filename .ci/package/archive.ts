/** Archives that have the same bytes whenever and wherever they are made of the same files. */
import { execFileSync } from 'node:child_process';
import { closeSync, lutimesSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** How packages are made. */
export interface Making {
  /** A folder for what is only needed meanwhile. */
  readonly scratch: string;
  /** Where the package goes. */
  readonly out: string;
  /** The time of all files, in seconds since 1970. */
  readonly date: number;
  /** How hard gzip and xz try. Where only the files count, it need not take minutes. */
  readonly effort: 'all' | 'none';
}

/** Seconds since 1970: that of the commit, unless `SOURCE_DATE_EPOCH` has another. */
export function sourceDate(root: string): number {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined) return Number(given);
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
}

/**
 * @param folder what is archived
 * @param top the name of the folder in the archive
 * @param format gzip where npm reads it, xz where a smaller file counts
 */
export function archive(
  folder: string,
  top: string,
  file: string,
  { date, effort }: Making,
  format: 'gzip' | 'xz',
): void {
  const tar = ['--sort=name', `--mtime=@${date}`, '--owner=0', '--group=0', '--numeric-owner', '--format=ustar'];
  const names = [`--transform=flags=r;s,^\\.,${top},`, '-C', folder, '-c', '.'];
  const press =
    format === 'gzip' ? ['gzip', effort === 'all' ? '-9' : '-1', '-n'] : ['xz', effort === 'all' ? '-6' : '-0', '-T1'];
  const out = openSync(file, 'w', 0o644);
  try {
    const text = execFileSync('tar', [...tar, ...names], { maxBuffer: 2 ** 31 - 1 });
    const [program = '', ...options] = press;
    execFileSync(program, [...options, '-c'], { input: text, stdio: ['pipe', out, 'inherit'] });
  } finally {
    closeSync(out);
  }
}

/** Gives all that lies in a folder one time. Links keep their targets. */
export function setTimes(folder: string, date: number): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lutimesSync(join(folder, name), date, date);
  }
  lutimesSync(folder, date, date);
}
