/** What Linux counts for a process. */
import { readFileSync } from 'node:fs';

/** Of one tick of the kernel's clock, in which processor time is counted. */
const TICK_MS = 10;

export function residentMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** The processor time since its start, which other programs on the computer do not lengthen. */
export function processorMs(pid: number | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MS;
}
