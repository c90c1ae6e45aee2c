import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import type { MutatedFolder } from './folders.ts';
import { SAMPLE_CHECKER, type Sample } from './sample.ts';
import { TESTS_VARIABLE } from './tests-variable.ts';

/** For the processes of Stryker, which load the plugin. */
const TYPESCRIPT = ['--import', 'tsx'];

/** Runs the folder's tests once for each change of the sample. Those outside have the status `CompileError`. */
export async function mutate(folder: MutatedFolder, sample: Sample, workers: number): Promise<MutantResult[]> {
  process.env[TESTS_VARIABLE] = JSON.stringify(folder.tests.map((tests) => `${tests}/**/*.test.ts`));
  const options: PartialStrykerOptions = {
    // One operator at a time: texts and literals hold no decision.
    mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration', 'Regex'], plugins: null },
    mutate: [`${folder.sources}/**/*.ts`],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'sample.ts')],
    checkers: [SAMPLE_CHECKER],
    checkerNodeArgs: TYPESCRIPT,
    testRunnerNodeArgs: TYPESCRIPT,
    [SAMPLE_CHECKER]: sample,
    coverageAnalysis: 'perTest',
    // What is computed as a module loads would need a process of its own for each change.
    ignoreStatic: true,
    concurrency: workers,
    timeoutMS: 30_000,
    dryRunTimeoutMinutes: 30,
    ignorePatterns: ['dist', 'reports'],
    tempDirName: join(tmpdir(), `hearthd-mutation-${process.pid}`),
    // It reads the file by a library that this compiler does not have any more.
    tsconfigFile: 'none',
    reporters: ['progress-append-only'],
    allowConsoleColors: false,
    // Of the option of the plugin.
    warnings: { unknownOptions: false, preprocessorErrors: true, unserializableOptions: true, slow: true },
  };
  return new Stryker(options).runMutationTest();
}
