import { defineCommand } from '../define-command.ts';
import { type Inventory, type LocatedAccessory, loadInventory } from '../inventory.ts';

const DEVICE_ID = /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i;

/** `hearthd identify`: makes an accessory blink or beep, paired (by its name) or not (by its device id). */
export const identifyCommand = defineCommand({
  name: 'identify',
  description: 'identify an accessory: it blinks or beeps',
  arguments: [['<accessory>', 'accessory, or device id of an unpaired one']],
  examples: ['hearthd identify "Living Room/Lamp"', 'hearthd identify AA:BB:CC:DD:EE:FF'],
  async run({ api, output }, text) {
    const inventory = await loadInventory(api);
    const deviceId = DEVICE_ID.test(text) ? text.toUpperCase() : undefined;
    const accessory = deviceId ? serverItself(inventory, deviceId) : inventory.accessory(text);
    const path = accessory
      ? `/rest/accessories/${accessory.id}`
      : `/rest/discovered/${encodeURIComponent(deviceId ?? '')}`;
    const answer = await api.send('POST', `${path}/identify`);
    output.done(answer, `Sent. ${text} should blink or beep now.`);
  },
});

/** The bridge itself, not one of its accessories: the HAP specification gives it aid 1. */
function serverItself({ accessories }: Inventory, deviceId: string): LocatedAccessory | undefined {
  const own = accessories.filter((accessory) => accessory.deviceId === deviceId);
  return own.find(({ aid }) => aid === '1') ?? own[0];
}
