/** A lamp of the demo house for a relay that runs elsewhere on this network: writes its id and its code to stdout. */
import { startParts } from '../support/accessories/demo-home.ts';

const LAMP = 'Reading Lamp';

const { accessories } = await startParts({ directory: process.argv[2] ?? '', only: [LAMP] });
for (const { deviceId, setupCode } of accessories) process.stdout.write(`${deviceId} ${setupCode}\n`);
