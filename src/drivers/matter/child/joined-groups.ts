/**
 * The multicast groups that the library joins. It does so once, when it opens a socket. An interface that is new, or
 * was gone, is in none of them until they are joined again.
 */
import type { Network } from '@matter/main';

type UdpSocket = Awaited<ReturnType<Network['createUdpSocket']>>;

export class JoinedGroups {
  readonly #joins = new Map<UdpSocket, Set<() => ReturnType<UdpSocket['addMembership']>>>();

  /** Notes what is joined over `network` from now on. */
  constructor(network: Network) {
    const createUdpSocket = network.createUdpSocket.bind(network);
    network.createUdpSocket = async (options) => {
      const socket = await createUdpSocket(options);
      this.#watch(socket);
      return socket;
    };
  }

  /** The library logs what it can’t join; what it is in already is an error of this kind too. */
  async joinAgain(): Promise<void> {
    for (const joins of [...this.#joins.values()]) for (const join of joins) await join();
  }

  #watch(socket: UdpSocket): void {
    const addMembership = socket.addMembership.bind(socket);
    const close = socket.close.bind(socket);
    socket.addMembership = (group) => {
      const joins = this.#joins.get(socket) ?? new Set();
      this.#joins.set(
        socket,
        joins.add(() => addMembership(group)),
      );
      return addMembership(group);
    };
    socket.close = () => {
      this.#joins.delete(socket);
      return close();
    };
  }
}
