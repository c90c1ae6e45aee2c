import type { Home } from '../../contract/homes.ts';
import type { Broker, BrokerTest, Mqtt, MqttService } from '../../contract/mqtt.ts';
import { HOME_OPTION } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { type CommandBuilder, defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import { remove } from '../resource-commands.ts';
import { addBroker, updateBroker } from './mqtt-brokers.ts';
import { BROKER, mqttPath } from './mqtt-find.ts';

/** The daemon gives up after ten seconds; this leaves time for its error. */
const TEST_TIMEOUT_MS = 20_000;

const listBrokers = defineCommand({
  name: 'list',
  description: 'list the brokers',
  options: [['--home <home>', 'only in this home']],
  async run({ api, output }, { home }) {
    const all = await homesOnMqtt(api, home);
    const rows = all.flatMap(({ home: { name }, mqtt }) =>
      mqtt.brokers.map((broker) => [
        name,
        broker.name,
        `${broker.host}:${broker.port}`,
        broker.useTls ? 'TLS' : '',
        broker.topicPrefix,
        broker.status,
        broker.isConfigured ? 'configured' : '',
        broker.id,
      ]),
    );
    const brokers = all.flatMap(({ mqtt }) => mqtt.brokers);
    const head = ['Home', 'Name', 'Address', '', 'Topics', 'Status', '', 'Id'];
    output.result(brokers, () => output.table(head, rows, 'No brokers. Add one with hearthd mqtt add <name> <host>.'));
  },
});

const showStatus = defineCommand({
  name: 'status',
  description: 'show the status of homes on their brokers',
  options: [['--home <home>', 'only this home']],
  async run({ api, output }, { home: text }) {
    const all = await homesOnMqtt(api, text);
    const presented = all.map(({ home, mqtt }) => ({ homeId: home.id, homeName: home.name, ...mqtt }));
    output.result(presented, () => {
      for (const { homeName, enabled, brokers } of presented) {
        output.line(`${homeName}: ${enabled ? summaryOf(brokers) : 'unpublished (publish with hearthd mqtt enable)'}`);
        for (const { name, status, error } of enabled ? brokers : []) {
          output.line(`  ${name}: ${status}${error === null ? '' : `. ${error}`}`);
        }
      }
    });
  },
});

const KINDS: Readonly<Record<MqttService['kind'], string>> = {
  mqtt: 'broker',
  secure_mqtt: 'broker with TLS',
  home_assistant: 'Home Assistant',
};

const discoverBrokers = defineCommand({
  name: 'discover',
  description: 'look for brokers and Home Assistant on the network',
  options: [HOME_OPTION],
  async run({ api, output }, options) {
    const home = (await loadInventory(api)).home(options.home);
    const found = await api.send<readonly MqttService[]>('POST', `${mqttPath(home.id)}/discover`, {});
    const rows = found.map(({ kind, name, host, port, isAdded }) => [
      KINDS[kind],
      name,
      `${host.includes(':') ? `[${host}]` : host}:${port}`,
      isAdded ? 'added' : '',
    ]);
    output.result(found, () => {
      output.table(
        ['What', 'Name', 'Address', ''],
        rows,
        'No broker announces itself. Many do not: see its address there.',
      );
      if (found.some(({ kind, isAdded }) => kind !== 'home_assistant' && !isAdded)) {
        output.note('Add a broker with: hearthd mqtt add <name> <host> --port <port>');
      } else if (found.some(({ kind }) => kind === 'home_assistant')) {
        output.note('Install the Mosquitto add-on in Home Assistant, then: hearthd mqtt add Mosquitto <host>');
      }
    });
  },
});

const testBroker = defineCommand({
  name: 'test',
  description: 'test the connection to a broker',
  arguments: [BROKER.argument],
  async run({ api, output }, text) {
    const broker = await BROKER.find(api, text);
    const test = await api.send<BrokerTest>('POST', `${BROKER.path(broker)}/test`, {}, TEST_TIMEOUT_MS);
    output.done(test, test.success ? `Connected to ${broker.name} in ${test.responseTimeMs} ms.` : `${test.error}`);
    return test.success ? EXIT.ok : EXIT.failed;
  },
});

/** `hearthd mqtt …`: the brokers that homes are published on. */
export const mqttCommand = defineCommand({
  name: 'mqtt',
  description: 'manage the MQTT brokers that homes are published to',
  examples: [
    'hearthd mqtt discover',
    'hearthd mqtt add Mosquitto broker.local',
    'hearthd mqtt add Cloud broker.example.org --tls --username ada',
    'hearthd mqtt test Mosquitto',
    'hearthd mqtt update Mosquitto --topic-prefix home/upstairs',
  ],
  commands: [
    listBrokers,
    showStatus,
    discoverBrokers,
    addBroker,
    updateBroker,
    remove(BROKER, {
      name: 'remove',
      description: 'remove a broker and delete the topics published to it',
      done: ({ name }) => `Removed the broker ${name}.`,
    }),
    testBroker,
    publication('enable', 'publish a home to its brokers', 'published to its brokers'),
    publication('disable', 'unpublish a home from all its brokers', 'unpublished from all its brokers'),
  ],
});

function publication(name: 'enable' | 'disable', description: string, done: string): CommandBuilder {
  return defineCommand({
    name,
    description,
    options: [HOME_OPTION],
    async run({ api, output }, options) {
      const home = (await loadInventory(api)).home(options.home);
      const mqtt = await api.send<Mqtt>('PATCH', mqttPath(home.id), { enabled: name === 'enable' });
      output.done(mqtt, `${home.name} is ${done}.`);
    },
  });
}

async function homesOnMqtt(api: ApiClient, home: string | undefined): Promise<readonly { home: Home; mqtt: Mqtt }[]> {
  const inventory = await loadInventory(api);
  const homes = home === undefined ? inventory.homes : [inventory.home(home)];
  return Promise.all(homes.map(async (of) => ({ home: of, mqtt: await api.get<Mqtt>(mqttPath(of.id)) })));
}

function summaryOf(brokers: readonly Broker[]): string {
  if (brokers.length === 0) return 'no broker';
  const connected = brokers.filter(({ status }) => status === 'connected').length;
  return `${connected} of ${brokers.length} connected`;
}
