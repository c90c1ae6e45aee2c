import { statSync } from 'node:fs';
import { locateDataDir } from '../../config/config.ts';
import type { Backup } from '../../contract/backups.ts';
import { ApiClient } from '../api-client.ts';
import { defineCommand } from '../define-command.ts';
import { thisComputer } from '../service/computer.ts';
import { goBack, type UpgradeDeps, upgrade } from '../upgrade/upgrade.ts';

/** `hearthd upgrade`: exchanges the program for a newer one, and goes back if that one does not become ready. */
export const upgradeCommand = defineCommand({
  name: 'upgrade',
  description: 'upgrade this program, and go back if the new version does not become ready',
  arguments: [['[package]', 'file of the new version; for npm also hearthd@1.2.3']],
  options: [['--back', 'take back an upgrade that was interrupted']],
  notes: [
    'It makes a backup first. If the new version is not ready within a minute, the old one runs again, with its data.',
    'Only npm asks a registry, and only when you run this.',
  ],
  examples: [
    'sudo hearthd upgrade ./hearthd_1.2.0_arm64.deb',
    'sudo hearthd upgrade ./hearthd-1.2.0-linux-x64.tar.xz',
    'sudo hearthd upgrade hearthd@1.2.0',
  ],
  async run({ flags, variables, output }, spec, { back }) {
    const dataDir = locateDataDir(flags, variables, (path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
    const api = new ApiClient(dataDir);
    const deps: UpgradeDeps = {
      computer: thisComputer(),
      dataDir,
      makeBackup: async () => (await api.send<Backup>('POST', '/rest/backups')).name,
      runningVersion: () =>
        api.get<{ version: string }>('/health').then(
          ({ version }) => version,
          () => null,
        ),
      now: () => performance.now(),
      wait: (ms) => new Promise((done) => setTimeout(done, ms)),
      report: (sentence) => output.note(`• ${sentence}`),
    };
    if (back) {
      const version = await goBack(deps);
      return output.done({ version }, `Version ${version} runs again.`);
    }
    const done = await upgrade(deps, spec);
    output.done(done, `Upgraded from ${done.from} to ${done.to}. The backup before it is ${done.backup}.`);
  },
});
