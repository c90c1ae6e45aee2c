import { Command } from 'commander';
import { type Cli, examples } from '../action.ts';
import { EXIT } from '../exit-codes.ts';
import { type Inventory, type LocatedAccessory, loadInventory } from '../inventory.ts';

const DEVICE_ID = /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i;

/** `hearthd identify`: makes an accessory blink or beep, paired (by its name) or not (by its device id). */
export function identifyCommand(cli: Cli): Command {
  return new Command('identify')
    .description('identify an accessory: it blinks or beeps')
    .argument('<accessory>', 'accessory, or device id of an unpaired one')
    .addHelpText('after', examples('hearthd identify "Living Room/Lamp"', 'hearthd identify AA:BB:CC:DD:EE:FF'))
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const inventory = await loadInventory(api);
        const deviceId = DEVICE_ID.test(text) ? text.toUpperCase() : undefined;
        const accessory = deviceId ? serverItself(inventory, deviceId) : inventory.accessory(text);
        const path = accessory
          ? `/rest/accessories/${accessory.id}`
          : `/rest/discovered/${encodeURIComponent(deviceId ?? '')}`;
        const answer = await api.send('POST', `${path}/identify`);
        output.result(answer, () => output.line(`Sent. ${text} should blink or beep now.`));
        return EXIT.ok;
      }),
    );
}

/** The bridge itself, not one of its accessories: the HAP specification gives it aid 1. */
function serverItself({ accessories }: Inventory, deviceId: string): LocatedAccessory | undefined {
  const own = accessories.filter((accessory) => accessory.deviceId === deviceId);
  return own.find(({ aid }) => aid === '1') ?? own[0];
}
