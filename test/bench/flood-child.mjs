// A peer that floods the relay: connections that pipeline one request many times, and dial again when they are closed.
// Started as a process of its own, so that its work is not measured. Runs until it is killed.
import { connect } from 'node:net';

const [port, connections, pipelined] = process.argv.slice(2).map(Number);
const request = Buffer.from(process.env.FLOOD_REQUEST ?? '', 'base64').toString('latin1');
const burst = Buffer.from(request.repeat(pipelined), 'latin1');
const REDIAL_MS = 20;

function dial() {
  const socket = connect(port, '127.0.0.1', () => socket.write(burst));
  let answers = 0;
  socket.on('data', (bytes) => {
    answers += bytes.toString('latin1').match(/HTTP\/1\.1 \d/g)?.length ?? 0;
    if (answers < pipelined) return;
    answers = 0;
    socket.write(burst);
  });
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(dial, REDIAL_MS));
}
for (let n = 0; n < connections; n += 1) dial();
