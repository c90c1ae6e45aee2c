import type { MatterStorageChange, MatterWrite, MatterWriteResult } from '../../../home/matter-port.ts';
import type { FromChild, ToChildAnswer } from '../messages.ts';

interface Waiting<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

/** The channel to the relay: what it must confirm or answer is a promise here. */
export class ParentLink {
  readonly #stores = new Map<number, Waiting<void>>();
  readonly #writes = new Map<number, Waiting<MatterWriteResult>>();
  #nextId = 1;

  send(message: FromChild): void {
    process.send?.(message);
  }

  /** Resolves when the relay has stored the changes. @throws when it could not */
  store(changes: readonly MatterStorageChange[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#stores.set(id, { resolve, reject });
      this.send({ type: 'store', id, changes });
    });
  }

  write(write: MatterWrite): Promise<MatterWriteResult> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#writes.set(id, { resolve, reject });
      this.send({ type: 'write', id, write });
    });
  }

  settle(answer: ToChildAnswer): void {
    if (answer.type === 'written') {
      this.#writes.get(answer.id)?.resolve(answer.result);
      this.#writes.delete(answer.id);
      return;
    }
    const waiting = this.#stores.get(answer.id);
    this.#stores.delete(answer.id);
    if (answer.error === null) waiting?.resolve();
    else waiting?.reject(new Error(answer.error));
  }
}
