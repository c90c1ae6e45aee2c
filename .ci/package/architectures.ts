/** A kind of processor that packages are made for. `.github/workflows/release.yml` makes them for each. */
export interface Architecture {
  /** What Debian calls it. */
  readonly debian: string;
  /** What images call it. */
  readonly image: string;
  /** How the names of Debian's compilers for it begin. */
  readonly gnu: string;
  /** `e_machine` of ELF. */
  readonly machine: number;
  /** That for 32 bits ends with 20.11; nodejs.org has one up to Node 22. */
  readonly npmHasNode: boolean;
}

/** By what Node calls them. */
export const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: { debian: 'amd64', image: 'linux/amd64', gnu: 'x86_64-linux-gnu', machine: 62, npmHasNode: true },
  arm64: { debian: 'arm64', image: 'linux/arm64', gnu: 'aarch64-linux-gnu', machine: 183, npmHasNode: true },
  arm: { debian: 'armhf', image: 'linux/arm/v7', gnu: 'arm-linux-gnueabihf', machine: 40, npmHasNode: false },
};

/** @throws no package is made for it */
export function architecture(arch: string): Architecture {
  const found = ARCHITECTURES[arch];
  if (found !== undefined) return found;
  throw new Error(`No package is made for "${arch}". There are ${Object.keys(ARCHITECTURES).join(', ')}.`);
}

/** The program of Debian's tools that makes or changes native code for this processor: `g++`, `strip`. */
export const toolFor = (arch: string, tool: string) =>
  arch === process.arch ? tool : `${architecture(arch).gnu}-${tool}`;
