/** Of the environment: a JSON array of the globs of the tests to run. */
export const TESTS_VARIABLE = 'HEARTHD_MUTATION_TESTS';
