import type { BrokerTest } from '../../contract/mqtt.ts';
import type { MqttConnection, MqttConnector } from '../../home/mqtt-connector.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import type { Broker } from './broker.ts';

/** Longer than the connection's own timeout. */
const TIMEOUT_MS = 15_000;

/** Connects to a broker briefly with a separate client id and no will, and publishes nothing. Never rejects. */
export async function tryOutBroker(
  { connector, clock }: { readonly connector: MqttConnector; readonly clock: Clock },
  broker: Broker,
): Promise<BrokerTest> {
  const startedAt = clock.monotonic();
  let connection: MqttConnection | undefined;
  let cancel: () => void = () => {};
  const error = await new Promise<string | null>((resolve) => {
    cancel = clock.after(TIMEOUT_MS, () => resolve('The broker does not answer.'));
    const clientId = `hearthd${newId().replaceAll('-', '').slice(0, 16)}`;
    connection = connector.connect(
      { ...broker, clientId, will: null },
      { onConnect: () => resolve(null), onClose: ({ message }) => resolve(message), onMessage() {} },
    );
  });
  const responseTimeMs = Math.round(clock.monotonic() - startedAt);
  cancel();
  await connection?.close();
  return { success: error === null, error, responseTimeMs: error === null ? responseTimeMs : null };
}
