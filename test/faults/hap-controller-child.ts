/**
 * hap-controller with what its users add to it: a subscription again when one ended, each second until it succeeds, a
 * read after it, and another port when the device is announced there. It has its own default options, which make a
 * connection for each request and one for events. A process of its own, as it may hang.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { HttpClient, IPDiscovery } from 'hap-controller';
import { answerParent } from '../support/asked-process.ts';

export type HapControllerRequest =
  | { readonly do: 'write'; readonly point: string; readonly value: number }
  | { readonly do: 'shown' };

const AGAIN_AFTER_MS = 1_000;

const [deviceId = '', port = '', sensor = '', pairing = ''] = process.argv.slice(2);
let shown: unknown;
let current: { readonly http: HttpClient; readonly port: number };
connect(Number(port));

const discovery = new IPDiscovery('lo');
for (const event of ['serviceUp', 'serviceChanged'] as const) {
  discovery.on(event, (service: { id: string; port: number }) => {
    if (service.id !== deviceId || service.port === current.port) return;
    const before = current.http;
    connect(service.port);
    before.removeAllListeners();
    void before.close().catch(() => {});
  });
}
discovery.start();

answerParent<HapControllerRequest>(async (request) => {
  if (request.do === 'shown') return shown;
  const answer = await current.http.setCharacteristics({ [request.point]: request.value });
  const failed = answer?.characteristics as { status?: number }[] | undefined;
  return !failed?.some(({ status = 0 }) => status !== 0);
});

function connect(at: number): void {
  const http = new HttpClient(deviceId, '127.0.0.1', at, JSON.parse(pairing));
  http.on('event', ({ characteristics }: { characteristics: { aid: unknown; iid: unknown; value: unknown }[] }) => {
    for (const { aid, iid, value } of characteristics) if (`${aid}.${iid}` === sensor) shown = value;
  });
  http.on('event-disconnect', () => void subscribe(http));
  current = { http, port: at };
  void subscribe(http);
}

async function subscribe(http: HttpClient): Promise<void> {
  while (http === current.http) {
    try {
      await http.subscribeCharacteristics([sensor]);
      const { characteristics } = await http.getCharacteristics([sensor]);
      shown = characteristics[0]?.value;
      return;
    } catch {
      await delay(AGAIN_AFTER_MS);
    }
  }
}
