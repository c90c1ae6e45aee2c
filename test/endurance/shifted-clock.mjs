/**
 * Loaded into the daemon of an endurance run by `--import`, before its own code: a wall clock that the run sets. The file
 * holds by how many milliseconds it is wrong. The monotonic clock stays as it is, as on a computer whose time is set.
 */
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 10;

const file = process.env.ENDURANCE_CLOCK_FILE ?? '';
const RealDate = globalThis.Date;
const realNow = RealDate.now;
let wrongBy = read();
let lookedAt = performance.now();

function read() {
  return Number(readFileSync(file, 'utf8'));
}

function now() {
  const at = performance.now();
  if (at - lookedAt >= LOOK_EVERY_MS) {
    lookedAt = at;
    wrongBy = read();
  }
  return realNow() + wrongBy;
}

RealDate.now = now;
const ShiftedDate = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, args, called) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, called === ShiftedDate ? target : called),
});
RealDate.prototype.constructor = ShiftedDate;
globalThis.Date = ShiftedDate;
