/** The message at the start on a system that allows few open files. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { warnOfFewFiles } from '../../src/cli/open-files.ts';

const limits = (soft: string): string => `Max processes             7823                 7823                 processes
Max open files            ${soft.padEnd(20)} 524288               files
Max locked memory         8388608              8388608              bytes
`;

describe('few open files', () => {
  it('a limit of 128 open files is named at the start, with three ways to raise it', () => {
    const sentence = warnOfFewFiles(() => limits('128'));
    expect(sentence).toContain('only 128 open files');
    for (const way of ['ulimit -n', 'LimitNOFILE=', '--ulimit nofile=']) expect(sentence).toContain(way);
  });

  it.each([['1024'], ['8192'], ['unlimited']])('a limit of %s is enough', (soft) => {
    expect(warnOfFewFiles(() => limits(soft))).toBeNull();
  });

  it('nothing is printed where the system does not show its limits', () => {
    expect(warnOfFewFiles(() => '')).toBeNull();
  });

  it('the limit of the systemd unit is enough', () => {
    const unit = readFileSync(resolve(import.meta.dirname, '../../systemd/hearthd.service'), 'utf8');
    const limit = /^LimitNOFILE=(\d+)$/m.exec(unit)?.[1] ?? '';
    expect(warnOfFewFiles(() => limits(limit))).toBeNull();
  });
});
