/** A release: three numbers, and nothing behind them. Longer numbers are none that we give. */
const RELEASE = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;
const OWN = /^(\d+)\.(\d+)\.(\d+)/;

/** @returns the release that the text names, or `null`: also for a pre-release, which is for those who look for one */
export function parseRelease(text: unknown): string | null {
  return typeof text === 'string' && RELEASE.test(text) ? text : null;
}

/** Whether the release comes after the version that runs. The release of a pre-release comes after it. */
export function isNewer(release: string, own: string): boolean {
  const [wanted, running] = [numbersOf(RELEASE, release), numbersOf(OWN, own)];
  if (!wanted || !running) return false;
  const at = wanted.findIndex((number, index) => number !== running[index]);
  return at < 0 ? own.includes('-') : (wanted[at] ?? 0) > (running[at] ?? 0);
}

function numbersOf(pattern: RegExp, version: string): readonly number[] | undefined {
  return pattern.exec(version)?.slice(1, 4).map(Number);
}
