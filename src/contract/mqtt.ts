/** The MQTT brokers that a home is published on. */
import { z } from 'zod';
import { parseCa, parseHost } from '../home/mqtt-target.ts';
import { SERVICE_KINDS } from '../home/service-search.ts';
import { checked, checkedBy, flag, id, integer, name, success, text, time, whole, word } from './fields.ts';
import { type Input, invalidValue, type Output } from './parse.ts';

export const DEFAULT_TOPIC_PREFIX = 'homecast';
/** Home Assistant's own default. */
export const DEFAULT_DISCOVERY_PREFIX = 'homeassistant';
/** In bytes of UTF-8. A topic may have 65,535; home, room and accessory are appended, and many brokers allow less. */
const MAX_PREFIX_BYTES = 200;
/**
 * MQTT 3.1.1 §4.7: wildcards and reserved characters. Also blanks and control characters, which cannot be typed or
 * seen.
 */
const UNFIT_IN_PREFIX = /[+#$\s\p{C}]/u;
const CONTROL = /[\p{Cc}\p{Cs}]/u;

/** Unmodified text, including blanks, because it may be a password. Empty text is `null`. */
function orNone(description: string, longest: number) {
  const wanted = `give text of at most ${longest} characters without control characters`;
  const given = z
    .string({ error: invalidValue(wanted) })
    .describe(description)
    .nullable();
  return checked(given, (one) =>
    one === null || ([...one].length <= longest && !CONTROL.test(one)) ? null : wanted,
  ).transform((one) => one || null);
}

function prefixError(prefix: string): string | null {
  if (prefix === '' || UNFIT_IN_PREFIX.test(prefix)) {
    return 'give text without blanks, +, #, $ and control characters, such as home/upstairs';
  }
  if (prefix.split('/').includes('')) return 'give levels with something between the slashes, and none around';
  return new TextEncoder().encode(prefix).length > MAX_PREFIX_BYTES ? `give at most ${MAX_PREFIX_BYTES} bytes` : null;
}

const prefix = (description: string, example: string) =>
  checked(z.string({ error: invalidValue('give text') }).meta({ description, examples: [example] }), prefixError);
const given = (description: string) => z.boolean({ error: invalidValue('give true or false') }).describe(description);

const BROKER = {
  name: name('Broker name', { description: 'Unique in the home, ignoring case.', example: 'Mosquitto' }),
  host: checkedBy(
    z.string({ error: invalidValue('give a name or an address such as broker.local or 192.168.1.10') }).meta({
      description: 'A name or an address, without scheme, credentials, port and path.',
      examples: ['broker.local'],
    }),
    parseHost,
  ),
  port: whole({ from: 1, to: 65_535 }, '1883 if left out, with TLS 8883.'),
  username: orNone('`null` or empty for none.', 256),
  password: orNone('Never shown again. It must be given again where it would go somewhere else.', 1_024),
  useTls: given('Whether the connection is encrypted and the broker’s certificate checked.'),
  ca: checkedBy(
    z
      .string({ error: invalidValue('give certificates as PEM text') })
      .describe('Certificates (PEM) of the authorities to trust instead of the usual ones; `null` or empty for those.')
      .nullable(),
    (pem) => (pem ? parseCa(pem) : null),
  ),
  topicPrefix: prefix('The beginning of every topic.', DEFAULT_TOPIC_PREFIX),
  haDiscovery: given('Whether Home Assistant discovers every device.'),
  haDiscoveryPrefix: prefix('Where Home Assistant looks.', DEFAULT_DISCOVERY_PREFIX),
  enabled: given('Whether to connect to it.'),
};

/** The operation knows the port if it is left out. */
export const NewBroker = z.strictObject({
  ...BROKER,
  port: BROKER.port.optional(),
  username: BROKER.username.default(null),
  password: BROKER.password.default(null),
  useTls: BROKER.useTls.default(false),
  ca: BROKER.ca.default(null),
  topicPrefix: BROKER.topicPrefix.default(DEFAULT_TOPIC_PREFIX),
  haDiscovery: BROKER.haDiscovery.default(true),
  haDiscoveryPrefix: BROKER.haDiscoveryPrefix.default(DEFAULT_DISCOVERY_PREFIX),
  enabled: BROKER.enabled.default(true),
});
export type NewBroker = Input<typeof NewBroker>;

/** Absent fields stay. */
export const BrokerChanges = z.strictObject(BROKER).partial();
export type BrokerChanges = Input<typeof BrokerChanges>;

const { password: _, ...SHOWN } = BROKER;
export const Broker = z
  .object({
    id: id(),
    homeId: id('The home.'),
    ...SHOWN,
    isConfigured: flag('Whether the configuration defines it (`mqtt_url`): it can’t be changed here.'),
    hasPassword: flag('Whether it has a password, which is never shown.', true),
    status: word(['connected', 'connecting', 'error', 'disabled'], '`disabled`: no connection is wanted.'),
    error: text('Why it is not connected, as a sentence.').nullable(),
    fault: word(['network', 'credentials', 'certificate', 'protocol'], 'The kind of that error.').nullable(),
    connectedAt: time('Since when it is connected.').nullable(),
    createdAt: time('When it was added.'),
  })
  .meta({ id: 'Broker' });
export type Broker = Output<typeof Broker>;

export const MqttSwitch = z.strictObject({
  enabled: z.boolean().describe('Whether the home may be published at all.'),
});

export const Mqtt = z
  .object({ ...MqttSwitch.shape, brokers: z.array(Broker).describe('By name.') })
  .meta({ id: 'Mqtt' });
export type Mqtt = Output<typeof Mqtt>;

export const BrokerTest = z.object({
  success: flag('Whether the broker accepted the connection.', true),
  error: text('Why not, as a sentence.').nullable(),
  responseTimeMs: integer('How long that took, in milliseconds.', 12).nullable(),
});
export type BrokerTest = Output<typeof BrokerTest>;

export const MqttService = z
  .object({
    kind: word(
      SERVICE_KINDS,
      '`mqtt`: a broker. `secure_mqtt`: a broker with TLS. `home_assistant`: Home Assistant, which has a broker as an add-on.',
    ),
    name: text('As it announces itself.', 'Mosquitto'),
    host: text('Its address in the local network.', '192.168.1.10'),
    addresses: z
      .array(z.string())
      .meta({ description: 'All of them, the likeliest to work first.', examples: [['192.168.1.10']] }),
    port: integer('Its port.', 1883),
    isAdded: flag('Whether the home has a broker there.'),
  })
  .meta({ id: 'MqttService' });
export type MqttService = Output<typeof MqttService>;

export const RemovedBroker = success({ brokerId: id() });
