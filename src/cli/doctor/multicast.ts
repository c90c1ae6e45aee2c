/** Checks whether multicast DNS works here: tests each interface without sending a packet outside this computer. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { messageOf } from '../../kernel/errors.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import type { Interface } from './host-checks.ts';

/** RFC 6762 §3. */
const MDNS_GROUP = '224.0.0.251';
const MDNS_PORT = 5353;
const ARRIVAL_TIMEOUT_MS = 1_000;
/** A datagram with this TTL never leaves the host (RFC 1112 §6.1), but is delivered on it. */
const TTL_STAY_HERE = 0;

const FIX =
  'Allow UDP port 5353 in and out in the firewall. In a container, use host networking. For another network, add accessories with hearthd discover --add host:port.';

/** Joins the group on the interface, sends a datagram to it and waits for its return. */
export async function checkMulticast({ name, address }: Interface): Promise<Finding> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  try {
    await bind(socket, 0);
    socket.addMembership(MDNS_GROUP, address);
    socket.setMulticastInterface(address);
    socket.setMulticastTTL(TTL_STAY_HERE);
    socket.setMulticastLoopback(true);
    const arrived = once(socket, 'message', { signal: AbortSignal.timeout(ARRIVAL_TIMEOUT_MS) });
    socket.send('hearthd doctor', socket.address().port, MDNS_GROUP);
    await arrived;
    return ok('multicast', `works on ${name}`);
  } catch (error) {
    const why = error instanceof Error && error.name === 'AbortError' ? 'no packets return' : messageOf(error);
    return fail('multicast', `does not work on ${name}: ${why}`, FIX);
  } finally {
    socket.close();
  }
}

/** mDNS responders share the port; one that binds it exclusively blocks the others. */
export async function checkMdnsPort(): Promise<Finding> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  try {
    await bind(socket, MDNS_PORT);
    return ok('mdns port', `UDP port ${MDNS_PORT} can be shared`);
  } catch (error) {
    return warn(
      'mdns port',
      `UDP port ${MDNS_PORT} cannot be opened: ${messageOf(error)}`,
      `Find the program that uses it exclusively (sudo ss -ulpn 'sport = :${MDNS_PORT}') and stop it.`,
    );
  } finally {
    socket.close();
  }
}

async function bind(socket: Socket, port: number): Promise<void> {
  // `once` rejects on an error event.
  const listening = once(socket, 'listening');
  socket.bind({ port, address: '0.0.0.0' });
  await listening;
  // Ignores later errors of the socket, which no caller awaits.
  socket.on('error', () => undefined);
}
