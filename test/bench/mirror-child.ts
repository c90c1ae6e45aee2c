/**
 * The smallest possible automation, in a process of its own: what one accessory reports is written to another one, over
 * the usual library. Nothing is checked or stored.
 */
import { connectRaw, type RawMember } from './raw-client.ts';

interface Order {
  readonly sensor: RawMember;
  /** The characteristics, as `aid.iid`. */
  readonly reported: string;
  readonly actuator: RawMember;
  readonly written: string;
}

process.once('message', ({ sensor, reported, actuator, written }: Order) => {
  const events = connectRaw(sensor);
  const writes = connectRaw(actuator);
  events.on('event', ({ characteristics: [first] }: { characteristics: readonly { readonly value: unknown }[] }) => {
    void writes.setCharacteristics({ [written]: first?.value });
  });
  void events.subscribeCharacteristics([reported]).then(() => process.send?.('ready'));
});
process.on('disconnect', () => process.exit());
