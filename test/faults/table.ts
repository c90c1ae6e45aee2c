/** What happened to several controllers, in Markdown. */
import type { Fared } from './rounds.ts';

export interface Row {
  readonly kind: string;
  /** As the controllers' names. */
  readonly fared: readonly Fared[];
}

export function isAllWell(fared: Fared): boolean {
  return wrongsOf(fared).length === 0;
}

export function toMarkdown(names: readonly string[], rows: readonly Row[]): string {
  const head = ['Fault', ...names.flatMap((name) => [`${name}: back`, 'p50', 'max', 'wrong'])];
  const cells = rows.map(({ kind, fared }) => [`\`${kind}\``, ...fared.flatMap(cellsOf)]);
  return [head, head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |\n`).join('');
}

function cellsOf(fared: Fared): readonly string[] {
  const sorted = [...fared.back].sort((a, b) => a - b);
  const seconds = (ms: number | undefined): string => (ms === undefined ? '–' : `${(ms / 1_000).toFixed(1)} s`);
  const wrongs = wrongsOf(fared);
  return [
    `${fared.back.length} of ${fared.rounds}`,
    seconds(sorted[Math.ceil(sorted.length / 2) - 1]),
    seconds(sorted.at(-1)),
    wrongs.length === 0 ? '–' : wrongs.join(', '),
  ];
}

function wrongsOf({ rounds, back, unanswered, refused, lost, repeated }: Fared): readonly string[] {
  const counts = [
    [rounds - back.length, 'not back in 30 s'],
    [unanswered, 'writes without an answer in 30 s'],
    [refused, 'writes refused afterwards'],
    [lost, 'writes acknowledged and lost'],
    [repeated, 'writes carried out twice'],
  ] as const;
  return counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
}
