/** The streamed response to a pairing: one line of JSON for each step, then the pairing or an error. */
import { ApiError } from '../../api/api-error.ts';

/** The step names of the API reference. */
export const PAIRING_STEPS = ['connecting', 'exchanging', 'proving', 'saving', 'verifying', 'reading', 'done'] as const;
export type PairingStep = (typeof PAIRING_STEPS)[number];

/** The result of a pairing. */
export interface Paired {
  readonly deviceId: string;
  readonly name: string;
  readonly accessories: readonly { readonly id: string; readonly name: string }[];
}

/** Chunks have arbitrary boundaries; each line is one message of the relay. */
export class LineReader {
  readonly #onStep: (step: PairingStep) => void;
  #rest = '';
  #paired: Paired | undefined;

  constructor(onStep: (step: PairingStep) => void) {
    this.#onStep = onStep;
  }

  /** @throws `ApiError` the relay reports a failure */
  feed(piece: string): void {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim()) this.#take(JSON.parse(line));
  }

  /** @throws `ApiError` the response is incomplete */
  result(): Paired {
    if (!this.#paired) throw new ApiError('offline', 'The answer broke off.');
    return this.#paired;
  }

  #take(line: Record<string, unknown>): void {
    const { step, pairing, error, code, reason, message } = line;
    if (typeof code === 'string')
      throw new ApiError(code, String(message ?? error), {
        reason: typeof reason === 'string' ? reason : undefined,
      });
    if (isStep(step)) this.#onStep(step);
    if (typeof pairing === 'object' && pairing !== null) this.#paired = readPaired(pairing as Record<string, unknown>);
  }
}

function isStep(step: unknown): step is PairingStep {
  return (PAIRING_STEPS as readonly unknown[]).includes(step);
}

function readPaired({ deviceId, name, accessories }: Record<string, unknown>): Paired {
  const list: readonly Record<string, unknown>[] = Array.isArray(accessories) ? accessories : [];
  return {
    deviceId: String(deviceId),
    name: String(name),
    accessories: list.map((accessory) => ({ id: String(accessory.id), name: String(accessory.name) })),
  };
}
