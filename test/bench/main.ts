/**
 * `npm run bench`: every timing that hearthd is judged by, each against a baseline measured in the same run. Nothing
 * here is a test; a number that is not reached is printed as such. Name sections as arguments to run only these.
 *
 * `-- --markdown` prints one table of the daemon beside the smallest possible relay instead, `-- --compare <git ref>`
 * of this commit beside another one. `--small` with either takes a few of each, to see whether everything runs.
 */
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchLoad, benchReaction } from './automation.ts';
import { benchBroadcast, benchBroadcasting } from './broadcast.ts';
import { benchConnectVerify } from './connect-verify.ts';
import { benchDashboard } from './dashboard.ts';
import { benchFlood } from './flood.ts';
import { benchEventGaps, benchSet } from './floor.ts';
import { benchFlowDocuments } from './flow-documents.ts';
import { benchGraphql } from './graphql.ts';
import { benchHistory } from './history.ts';
import { OtherCommit } from './other-commit.ts';
import { benchPublishing } from './publishing.ts';
import { benchScale } from './scale.ts';
import { daemonSide, floorSide } from './sides.ts';
import { measureTable, SMALL, WHOLE } from './speed-table.ts';
import { benchStart } from './start.ts';
import { benchStateThroughput } from './state-throughput.ts';
import { Table } from './table.ts';
import { benchWriteAndEvent, benchWriteToRealisticDevice } from './write-and-event.ts';

const SECTIONS: Readonly<Record<string, () => Promise<void>>> = {
  verify: benchConnectVerify,
  set: benchSet,
  gaps: benchEventGaps,
  write: benchWriteAndEvent,
  device: benchWriteToRealisticDevice,
  state: benchStateThroughput,
  graphql: benchGraphql,
  history: benchHistory,
  reaction: benchReaction,
  load: benchLoad,
  reporting: benchBroadcasting,
  broadcast: benchBroadcast,
  scale: benchScale,
  start: benchStart,
  publishing: benchPublishing,
  dashboard: benchDashboard,
  flood: benchFlood,
  flows: benchFlowDocuments,
};

const {
  values: { markdown, compare, small },
  positionals: wanted,
} = parseArgs({
  options: { markdown: { type: 'boolean' }, compare: { type: 'string' }, small: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = wanted.filter((name) => !(name in SECTIONS));
if (unknown.length > 0)
  throw new Error(`No section ${unknown.join(', ')}; there are ${Object.keys(SECTIONS).join(', ')}`);

const machine = `Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'CPU'}, loopback`;
if (markdown || compare !== undefined) {
  const other = compare === undefined ? undefined : new OtherCommit(compare);
  const otherSide = other ? daemonSide(other.program) : floorSide;
  console.log(`${machine}, ${new Date().toISOString().slice(0, 10)}\n`);
  const table = new Table(['hearthd', other?.name ?? 'smallest relay'], markdown === true);
  const programs = other ? { other: other.program } : {};
  await measureTable(table, daemonSide(), otherSide, programs, small ? SMALL : WHOLE);
  other?.remove();
} else {
  console.log(`${machine}; medians unless said otherwise`);
  for (const [name, run] of Object.entries(SECTIONS)) {
    if (wanted.length === 0 || wanted.includes(name)) await run();
  }
}
