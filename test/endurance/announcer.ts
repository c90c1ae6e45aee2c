/**
 * Announces a device over mDNS on loopback, at any of its addresses: HAP-NodeJS's own announces the first address of an
 * interface only.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { announcement, device, type FakeDevice, goodbye, questionsOf, SERVICE } from '../drivers/discovery/packets.ts';

const GROUP = '224.0.0.251';
const PORT = 5353;
const LOOPBACK = '127.0.0.1';

interface Place {
  readonly port: number;
  readonly address: string;
}

export class Announcer {
  readonly #socket: Socket;
  #device: FakeDevice;

  private constructor(socket: Socket, announced: FakeDevice) {
    this.#socket = socket;
    this.#device = announced;
    socket.on('message', (packet) => this.#reply(packet));
  }

  static async start(name: string, deviceId: string, { port, address }: Place): Promise<Announcer> {
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    socket.bind(PORT, '0.0.0.0');
    await once(socket, 'listening');
    socket.addMembership(GROUP, LOOPBACK);
    socket.setMulticastInterface(LOOPBACK);
    socket.setMulticastTTL(255);
    const host = `hap-${deviceId.replaceAll(':', '').toLowerCase()}.local`;
    const announced = device({ id: deviceId, name, host, port, ipv4: [address], txt: { sf: '0', ci: '1', md: 'Raw' } });
    const announcer = new Announcer(socket, announced);
    await announcer.#send(announcement(announced));
    return announcer;
  }

  /** Announces where it is now. */
  async move({ port, address }: Place): Promise<void> {
    this.#device = { ...this.#device, port, ipv4: [address] };
    await this.#send(announcement(this.#device));
  }

  /** Sends a goodbye. */
  async stop(): Promise<void> {
    await this.#send(goodbye(this.#device));
    this.#socket.close();
  }

  #reply(packet: Buffer): void {
    const { host, name } = this.#device;
    const own = [SERVICE, host, `${name}.${SERVICE}`].map((one) => one.toLowerCase());
    const isAsked = questionsOf(packet).some((question) =>
      own.some((one) => question.toLowerCase().endsWith(` ${one}`)),
    );
    if (isAsked) void this.#send(announcement(this.#device));
  }

  #send(packet: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(packet, PORT, GROUP, (problem) => (problem ? reject(problem) : resolve()));
    });
  }
}
