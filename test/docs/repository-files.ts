/** The text files of this repository, as a clone has them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

const BINARY = /\.(?:png|ico|db|gz|woff2?)$/;

export interface TextFile {
  /** Below the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** What git has, and new files that it does not ignore. */
export function listTextFiles(matching = /./): readonly TextFile[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const paths = new Set(execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0'));
  return [...paths]
    .filter((path) => path !== '' && matching.test(path) && !BINARY.test(path) && existsSync(join(ROOT, path)))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** Text without blocks of code, where a `#` begins a comment and brackets are no links. */
function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
}

/** The headings of a Markdown document: `### 4.1 REST` is `4.1 REST`. */
export function headingsOf(markdown: string): readonly string[] {
  return [...withoutCode(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
}

/** The anchor of a heading, by the rule of the usual code hosts. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The targets of links and pictures in a Markdown document. */
export function linksIn(markdown: string): readonly string[] {
  const plain = withoutCode(markdown).replaceAll(/`[^`\n]*`/g, '');
  return [...plain.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}
