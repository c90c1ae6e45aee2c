/**
 * hap-controller with what its users add to it: a subscription again when one ended, each second until it succeeds, a
 * read after it, and another address or port when the device is announced there. It has its own default options, which
 * make a connection for each request and one for events. A process of its own, as it may hang.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { HttpClient, IPDiscovery } from 'hap-controller';
import { answerParent } from '../support/asked-process.ts';

export type HapControllerRequest =
  | { readonly do: 'write'; readonly point: string; readonly value: number }
  | { readonly do: 'shown' };

interface Place {
  readonly address: string;
  readonly port: number;
}

const AGAIN_AFTER_MS = 1_000;

const [deviceId = '', address = '', port = '', sensor = '', pairing = ''] = process.argv.slice(2);
let shown: unknown;
let current: Place & { readonly http: HttpClient };
connect({ address, port: Number(port) });

const discovery = new IPDiscovery('lo');
for (const event of ['serviceUp', 'serviceChanged'] as const) {
  discovery.on(event, (service: Place & { readonly id: string }) => {
    const isSame = service.port === current.port && service.address === current.address;
    if (service.id !== deviceId || isSame) return;
    const before = current.http;
    connect(service);
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

function connect({ address, port }: Place): void {
  const http = new HttpClient(deviceId, address, port, JSON.parse(pairing));
  http.on('event', ({ characteristics }: { characteristics: { aid: unknown; iid: unknown; value: unknown }[] }) => {
    for (const { aid, iid, value } of characteristics) if (`${aid}.${iid}` === sensor) shown = value;
  });
  http.on('event-disconnect', () => void subscribe(http));
  current = { http, address, port };
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
