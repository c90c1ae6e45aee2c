/** Of the environment: a JSON array of the globs of the tests to run. */
export const TESTS_VARIABLE = 'HEARTHD_MUTATION_TESTS';

/**
 * A mutation run has all tests in one thread, with counters in the sources: it can start no daemon, and can't measure
 * what memory the sources take.
 */
export const IS_MUTATION_RUN = process.env[TESTS_VARIABLE] !== undefined;
