import { fileURLToPath } from 'node:url';
import type { RelayStatus, RelayWarning } from '../../contract/relay.ts';
import { PROGRAM_FOLDER } from '../../kernel/program-folder.ts';
import { VERSION } from '../../kernel/version.ts';
import type { CommandContext } from '../action.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { CommandOutput } from '../output.ts';
import { FILE_LIST, type Verification, verifyProgram } from '../verify-program.ts';

/**
 * `hearthd version`: the versions of this program and of the running daemon, which differ between an upgrade and the
 * restart.
 */
export const versionCommand = defineCommand({
  name: 'version',
  description: 'show the version of this program and of the running daemon',
  options: [['--verify', 'compare the installed files with the list of the package']],
  examples: ['hearthd version', 'hearthd version --json', 'hearthd version --verify'],
  async run(context, { verify }) {
    const daemon = await daemonVersion(context);
    const newer = daemon === null ? undefined : await newVersion(context);
    const { output } = context;
    const files = verify ? verified() : undefined;
    const versions = {
      version: VERSION,
      node: process.versions.node,
      daemon,
      newVersion: newer?.values.version ?? null,
    };
    output.result({ ...versions, ...(files && { files }) }, () => {
      output.line(`hearthd ${VERSION} (Node ${process.versions.node})`);
      if (daemon !== null && daemon !== VERSION)
        output.line(`The running daemon has version ${daemon}. Restart it to finish the upgrade.`);
      if (newer) output.line(`${newer.message} ${newer.remedy}`);
      if (files) printFiles(files, output);
    });
    return files && !isWhole(files) ? EXIT.failed : EXIT.ok;
  },
});

/** @throws `CliError` the program brought no list */
function verified(): Verification {
  const found = verifyProgram(fileURLToPath(new URL('../', PROGRAM_FOLDER)).replace(/\/$/, ''));
  if (found) return found;
  throw new CliError(
    EXIT.notFound,
    'not_found',
    `This program has no ${FILE_LIST}: it was not installed from a package. In a checkout, use git status.`,
  );
}

function isWhole({ changed, missing, added }: Verification): boolean {
  return changed.length + missing.length + added.length === 0;
}

function printFiles(files: Verification, output: CommandOutput): void {
  for (const path of files.changed) output.line(`changed  ${path}`);
  for (const path of files.missing) output.line(`missing  ${path}`);
  for (const path of files.added) output.line(`added    ${path}`);
  output.line(isWhole(files) ? `All ${files.unchanged} files are as packaged.` : 'Install the package again.');
  output.line(`SHA-256 of the list: ${files.list}. The signed SHA256SUMS of the release has it.`);
}

/** @returns `null` if no daemon is available, which is not an error here. */
async function daemonVersion({ api }: CommandContext): Promise<string | null> {
  return (await answerOf(api.get<{ version: string }>('/health')))?.version ?? null;
}

/** What the update check of the daemon found, if this program is not that already: it is a warning among others. */
async function newVersion({ api }: CommandContext): Promise<RelayWarning | undefined> {
  const status = await answerOf(api.get<RelayStatus>('/rest/relay'));
  return status?.warnings.find(({ code, values }) => code === 'new_version' && values.version !== VERSION);
}

async function answerOf<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}
