/**
 * All figures of the relay, as an operation. The parts that have some hand in how they are read; nothing is gathered before somebody
 * asks, and nothing is kept. It knows no part and no format: what is told of the house is `house-figures.ts`, how it is told a face.
 */
import type { Access } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { Figure } from './figure.ts';

export type ReadFigures = () => Iterable<Figure>;

export class Figures {
  readonly #access: Access;
  readonly #sources: ReadFigures[] = [];

  constructor({ access }: { readonly access: Access }) {
    this.#access = access;
  }

  /** Further figures, in the order in which they are told. Their names must be nobody else's. */
  add(read: ReadFigures): void {
    this.#sources.push(read);
  }

  /**
   * How the relay does, as numbers. For admins of any home: they count all homes alike and name none of them.
   * @throws `insufficient_permissions`
   */
  read(caller: Caller): readonly Figure[] {
    this.#access.authorizeAny(caller, 'manage');
    return this.#sources.flatMap((read) => [...read()]);
  }
}
