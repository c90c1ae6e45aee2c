/** Checks the process's limit of open files and connections. */
import { readFileSync } from 'node:fs';

/** A home of 500 accessories with its clients uses about half of it. */
const ENOUGH = 1_024;
const LIMITS_FILE = '/proc/self/limits';

/** @returns a sentence that explains how to raise the limit; `null` if it is sufficient or unknown */
export function warnOfFewFiles(readLimits = readSystemLimits): string | null {
  const limit = Number(/^Max open files\s+(\d+)/m.exec(readLimits())?.[1] ?? Number.POSITIVE_INFINITY);
  if (limit >= ENOUGH) return null;
  return (
    `The system allows hearthd only ${limit} open files and connections; ${ENOUGH} are needed. ` +
    'Accessories or clients may not be able to connect. Raise the limit: "ulimit -n 8192" in the shell that starts hearthd, ' +
    'LimitNOFILE=8192 in its systemd unit, or "--ulimit nofile=8192" for its container.'
  );
}

/** Linux only; on other systems the limit is unknown. */
function readSystemLimits(): string {
  try {
    return readFileSync(LIMITS_FILE, 'utf8');
  } catch {
    return '';
  }
}
