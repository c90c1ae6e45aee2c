/**
 * Pairs and reports each step: `POST /rest/pairings` responds with one line of JSON for each step, then the pairing or
 * an error.
 */
import { ApiError } from '../../api/api-error.ts';
import { fetchRest } from '../../api/client.ts';
import { LineReader, type Paired, type PairingStep } from './pairing-answer.ts';

export interface NewPairing {
  /** A device id, or `host:port`. */
  readonly device: string;
  readonly homeId: string;
  readonly setupCode: string;
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
