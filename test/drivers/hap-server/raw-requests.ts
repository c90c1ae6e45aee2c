/** Single requests over a raw connection, and their answers as they came. */
import type { RawClient } from '../../support-tests/raw-client.ts';
import { until } from '../hap/session/session-fixture.ts';

export interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

const HEAD = /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n(?:[^\r]+\r\n)*\r\n/;

/** Sends one request and returns its answer. What came before is forgotten. */
export async function exchange(
  client: RawClient,
  method: Parameters<RawClient['send']>[0],
  path: string,
  body = '',
): Promise<RawAnswer> {
  client.clear();
  client.send(method, path, body);
  await until(() => client.closed || parseAnswer(client.text) !== undefined, `the answer to ${method} ${path}`);
  return parseAnswer(client.text) ?? { status: 0, body: '' };
}

/** The first answer in a text; `undefined` while it is incomplete. Bodies are chunked. */
export function parseAnswer(text: string): RawAnswer | undefined {
  const [head, status] = HEAD.exec(text) ?? [];
  if (head === undefined) return undefined;
  if (!/^transfer-encoding: chunked/im.test(head)) return { status: Number(status), body: '' };
  const bytes = Buffer.from(text).subarray(Buffer.byteLength(head));
  const size = Number.parseInt(bytes.toString(), 16);
  const start = bytes.indexOf('\r\n') + 2;
  if (Number.isNaN(size) || bytes.length < start + size + 7) return undefined;
  return { status: Number(status), body: bytes.toString('utf8', start, start + size) };
}
