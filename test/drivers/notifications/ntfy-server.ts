/**
 * A server that speaks ntfy's publish protocol as its own does (https://docs.ntfy.sh/publish/#publish-as-json): JSON to
 * the root, no more of it than 8,192 bytes, a message of at most 4,096, tokens as Bearer, errors as `{code, http,
 * error}`.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Published {
  readonly path: string;
  readonly topic: string;
  readonly title?: string;
  readonly message: string;
  readonly priority?: number;
  readonly tags?: readonly string[];
  readonly icon?: string;
  readonly click?: string;
  readonly actions?: readonly { readonly label: string; readonly url: string }[];
}

export interface NtfyServer {
  readonly port: number;
  readonly published: Published[];
  /** Every request, refused ones too. */
  readonly requests: { readonly method: string; readonly path: string }[];
  close(): Promise<void>;
}

type Misbehaviour = (request: IncomingMessage, response: ServerResponse, count: number) => boolean;

/**
 * @param token what publishing needs; none if left out.
 * @param misbehave answers in the server's place, or not at all, where it returns true.
 */
export async function startNtfyServer(
  options: { readonly token?: string; readonly misbehave?: Misbehaviour } = {},
): Promise<NtfyServer> {
  const published: Published[] = [];
  const requests: { method: string; path: string }[] = [];
  const server: Server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', path: request.url ?? '' });
    if (options.misbehave?.(request, response, requests.length)) return;
    void publish(request, response, options.token, published);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    published,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function publish(
  request: IncomingMessage,
  response: ServerResponse,
  token: string | undefined,
  published: Published[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
    return refuse(response, 401, 40101, 'unauthorized');
  }
  if (body.byteLength > 8_192) return refuse(response, 413, 41303, 'JSON body too large');
  const message = JSON.parse(body.toString('utf8')) as Published;
  if (!/^[-_A-Za-z0-9]{1,64}$/.test(message.topic))
    return refuse(response, 400, 40009, 'invalid request: topic invalid');
  if (Buffer.byteLength(message.message) > 4_096) return refuse(response, 400, 40014, 'attachments not allowed');
  published.push({ ...message, path: request.url ?? '' });
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ id: 'xE73Iyuabi', time: 1_673_542_291, event: 'message', ...message }));
}

function refuse(response: ServerResponse, status: number, code: number, error: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(`${JSON.stringify({ code, http: status, error, link: 'https://ntfy.sh/docs/publish/' })}\n`);
}
