/** Pairs, and tells of each step: `POST /rest/pairings` answers one line of JSON a step, then the pairing or an error. */
import { ApiError } from '../../api/api-error.ts';
import { fetchRest } from '../../api/client.ts';

/** As the API reference names them. */
export const PAIRING_STEPS = ['connecting', 'exchanging', 'proving', 'saving', 'verifying', 'reading', 'done'] as const;
export type PairingStep = (typeof PAIRING_STEPS)[number];

export interface NewPairing {
  /** A device id, or `host:port`. */
  readonly device: string;
  readonly homeId: string;
  readonly setupCode: string;
}

/** What came of it. */
export interface Paired {
  readonly deviceId: string;
  readonly name: string;
  readonly accessories: readonly { readonly id: string; readonly name: string }[];
}

/** @throws `ApiError` */
export async function pair(pairing: NewPairing, onStep: (step: PairingStep) => void): Promise<Paired> {
  const response = await fetchRest('/rest/pairings', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/x-ndjson' },
    body: JSON.stringify(pairing),
  });
  const reader = new LineReader(onStep);
  try {
    const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = (await chunks?.read()) ?? { done: true };
      if (done) break;
      reader.feed(value ?? '');
    }
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw new ApiError('offline', 'The relay does not answer.', { cause });
  }
  return reader.result();
}

/** Pieces end anywhere; each line is one word of the relay's. */
export class LineReader {
  readonly #onStep: (step: PairingStep) => void;
  #rest = '';
  #paired: Paired | undefined;

  constructor(onStep: (step: PairingStep) => void) {
    this.#onStep = onStep;
  }

  /** @throws `ApiError` the relay says that it failed */
  feed(piece: string): void {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim()) this.#take(JSON.parse(line));
  }

  /** @throws `ApiError` the answer broke off */
  result(): Paired {
    if (!this.#paired) throw new ApiError('offline', 'The answer broke off.');
    return this.#paired;
  }

  #take(line: Record<string, unknown>): void {
    const { step, pairing, error, code, message, retryAfterSeconds } = line;
    if (typeof code === 'string')
      throw new ApiError(code, String(message ?? error), {
        retryAfterS: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined,
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
