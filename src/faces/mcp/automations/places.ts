/**
 * Where parts of what a client sent went in the record that is made of it. Operations name the places of faults in the record;
 * whoever reads the message knows the other ones only.
 */
import { HearthError } from '../../../kernel/errors.ts';

export class Places {
  /** Place in the record → place in what was sent. */
  readonly #sent = new Map<string, string>();

  put(record: string, sent: string): void {
    this.#sent.set(record, sent);
  }

  /** @throws as `act`, with the places of what was sent in the sentence and in `details.field` */
  translate<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof HearthError) || error.details.field === undefined) throw error;
      const { field } = error.details;
      const place = this.#sentPlace(field);
      if (place === field) throw error;
      throw new HearthError(error.code, error.message.replaceAll(field, place), { ...error.details, field: place });
    }
  }

  /** What the longest known beginning of the place stands for; the rest goes by the same names in both. */
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
