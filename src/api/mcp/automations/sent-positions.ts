/**
 * Maps positions in the record to positions in the client's input. Operations name positions of errors in the record;
 * the client knows only the input.
 */
import { HearthError } from '../../../kernel/errors.ts';

export class SentPositions {
  /** Position in the record → position in the input. */
  readonly #sent = new Map<string, string>();

  put(record: string, sent: string): void {
    this.#sent.set(record, sent);
  }

  /** @throws as `act`, at once or later, with positions of the input in the message and in `details.field` */
  translate<T>(act: () => T): T {
    try {
      const result = act();
      if (!(result instanceof Promise)) return result;
      return result.catch((error: unknown) => {
        throw this.#translated(error);
      }) as T;
    } catch (error) {
      throw this.#translated(error);
    }
  }

  #translated(error: unknown): unknown {
    if (!(error instanceof HearthError) || error.details.field === undefined) return error;
    const { field } = error.details;
    const place = this.#sentPlace(field);
    if (place === field) return error;
    return new HearthError(error.code, error.message.replaceAll(field, place), { ...error.details, field: place });
  }

  /** Translates the longest known prefix of the position; the rest has the same names in both. */
  #sentPlace(field: string): string {
    for (
      let end = field.length;
      end > 0;
      end = Math.max(field.lastIndexOf('.', end - 1), field.lastIndexOf('[', end - 1))
    ) {
      const sent = this.#sent.get(field.slice(0, end));
      if (sent !== undefined) return sent + field.slice(end);
    }
    return field;
  }
}
