/** The arguments of a command of this repository, such as `npm run endurance`. */

const USED_WRONGLY = 2;

/**
 * What the command was given, by `parse`. After `--help` prints the usage instead, after wrong arguments a sentence and
 * the usage.
 *
 * @param parse throws an `Error` with a sentence about what is wrong
 * @returns the options, or the code with which the command ends
 */
export function commandOptions<Options extends { readonly help: boolean }>(
  parse: (args: readonly string[]) => Options,
  usage: string,
): Options | number {
  try {
    const options = parse(process.argv.slice(2));
    if (!options.help) return options;
    process.stdout.write(usage);
    return 0;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    return USED_WRONGLY;
  }
}
