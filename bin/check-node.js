// Ends the install on a Node that package.json's `engines` leaves out, in a sentence. npm's own `engine-strict` would also
// refuse packages that the tests alone use and that do not name a version on which they pass.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [major, minor] = process.versions.node.split('.').map(Number);
const lines = [...engines.node.matchAll(/\^(\d+)\.(\d+)/g)].map(([, line, oldest]) => [Number(line), Number(oldest)]);

if (!lines.some(([line, oldest]) => major === line && minor >= oldest)) {
  process.stderr.write(
    `hearthd needs Node ${engines.node}, and this is ${process.versions.node}. Install one of these, then run npm ci again.\n`,
  );
  process.exitCode = 1;
}
