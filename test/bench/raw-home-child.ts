/**
 * A home driven by raw hap-controller, in a process of its own: every accessory connected, its database read, every
 * characteristic subscribed and read. Reports when it is done, and what memory it holds.
 */
import { connectRaw, type RawMember } from './raw-client.ts';

const EVENTS = 'ev';
const READ = 'pr';
/** hap-controller puts all ids into one request; devices take about so many. */
const IDS_A_REQUEST = 49;

interface Listed {
  readonly aid: number;
  readonly services: readonly { readonly characteristics: readonly { iid: number; perms: string[] }[] }[];
}

async function bringUp(member: RawMember): Promise<void> {
  const client = connectRaw(member);
  const { accessories } = (await client.getAccessories()) as unknown as { accessories: readonly Listed[] };
  const all = accessories.flatMap(({ aid, services }) =>
    services.flatMap(({ characteristics }) =>
      characteristics.map(({ iid, perms }) => ({ id: `${aid}.${iid}`, perms })),
    ),
  );
  await client.subscribeCharacteristics(all.filter(({ perms }) => perms.includes(EVENTS)).map(({ id }) => id));
  const readable = all.filter(({ perms }) => perms.includes(READ)).map(({ id }) => id);
  for (let start = 0; start < readable.length; start += IDS_A_REQUEST) {
    await client.getCharacteristics(readable.slice(start, start + IDS_A_REQUEST));
  }
}

process.on('message', (order: { members: readonly RawMember[] } | 'memory') => {
  if (order === 'memory') process.send?.(process.memoryUsage.rss() / 1024 / 1024);
  else void Promise.all(order.members.map(bringUp)).then(() => process.send?.('up'));
});
process.on('disconnect', () => process.exit());
