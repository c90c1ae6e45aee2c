import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-codes.ts';
import { thisComputer } from '../service/computer.ts';
import { serviceManager } from '../service/service-manager.ts';

/** `hearthd service …`: starts the relay with the computer. */
export const serviceCommand = defineCommand({
  name: 'service',
  description: 'install, remove or show the service that starts the relay with the computer',
  notes: ['It uses systemd on Linux and launchd on macOS. The Debian package has its own service.'],
  examples: ['sudo hearthd service install', 'hearthd service status', 'sudo hearthd service uninstall'],
  commands: [
    defineCommand({
      name: 'install',
      description: 'install the service and start it',
      async run({ output, variables }) {
        const manager = serviceManager(thisComputer(variables.SUDO_USER));
        manager.install();
        output.done(
          manager.status(),
          'Installed the service. The relay starts with the computer. Check it with: sudo hearthd doctor',
        );
      },
    }),
    defineCommand({
      name: 'uninstall',
      description: 'stop the service and remove it; the data stays',
      async run({ output }) {
        const manager = serviceManager(thisComputer());
        manager.uninstall();
        output.done(manager.status(), 'Removed the service. The data directory is unchanged.');
      },
    }),
    defineCommand({
      name: 'status',
      description: 'show whether the service is installed, starts with the computer, and runs',
      async run({ output }) {
        const status = serviceManager(thisComputer()).status();
        output.result(status, () => {
          if (status.file === null)
            output.line('No service is installed. Install it with: sudo hearthd service install');
          else {
            output.line(`${status.file} (${status.manager})`);
            output.line(status.isEnabled ? 'Starts with the computer.' : 'Does not start with the computer.');
            output.line(status.isRunning ? 'Running.' : 'Not running.');
          }
        });
        return status.isRunning ? EXIT.ok : EXIT.notRunning;
      },
    }),
  ],
});
