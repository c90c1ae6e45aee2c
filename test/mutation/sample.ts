/** A plugin of Stryker: of all changes, only a sample is run. The others count as not applicable. */
import { createHash } from 'node:crypto';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Location, Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';

export const SAMPLE_CHECKER = 'sample';

/** Which part of the changes is run, by a seed. */
export interface Sample {
  /** 0 to 1. */
  readonly share: number;
  readonly seed: number;
}

/**
 * Hashed with its place: the same seed takes the same changes as long as a file stays as it is.
 * @param mutant its file is in the repository or in a copy; its lines and columns count from one
 */
export function isInSample(
  {
    fileName,
    location,
    mutatorName,
    replacement,
  }: Pick<Mutant, 'fileName' | 'location' | 'mutatorName' | 'replacement'>,
  { share, seed }: Sample,
): boolean {
  const file = fileName.slice(fileName.lastIndexOf('src/'));
  const { start, end } = location;
  const place = [seed, file, start.line, start.column, end.line, end.column, mutatorName, replacement];
  return createHash('sha256').update(JSON.stringify(place)).digest().readUInt32BE() / 2 ** 32 < share;
}

/** A plugin counts lines and columns from zero, a report from one. */
function fromOne({ start, end }: Location): Location {
  return {
    start: { line: start.line + 1, column: start.column + 1 },
    end: { line: end.line + 1, column: end.column + 1 },
  };
}

class SampleChecker implements Checker {
  static readonly inject = tokens(commonTokens.options);
  readonly #sample: Sample;

  constructor(options: StrykerOptions) {
    this.#sample = options[SAMPLE_CHECKER] as Sample;
  }

  async init(): Promise<void> {}

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        isInSample({ ...mutant, location: fromOne(mutant.location) }, this.#sample)
          ? { status: CheckStatus.Passed }
          : { status: CheckStatus.CompileError, reason: 'Not in the sample' },
      ]),
    );
  }
}

/**
 * Stryker finds it by this name.
 * @public
 */
export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, SAMPLE_CHECKER, SampleChecker)];
