import { Command } from 'commander';
import type { Home } from '../../contract/homes.ts';
import type { Broker, BrokerTest, Mqtt } from '../../contract/mqtt.ts';
import { type Cli, examples, HOME_OPTION } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { EXIT } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import { addAdd, addUpdate } from './mqtt-brokers.ts';
import { BROKER_ARGUMENT, brokerPath, findBroker, mqttPath } from './mqtt-find.ts';

/** The daemon gives up after ten seconds; this leaves time for its error. */
const TEST_TIMEOUT_MS = 20_000;

/** `hearthd mqtt …`: the brokers that homes are published on. */
export function mqttCommand(cli: Cli): Command {
  const command = new Command('mqtt')
    .description('manage the MQTT brokers that homes are published to')
    .addHelpText(
      'after',
      examples(
        'hearthd mqtt add Mosquitto broker.local',
        'hearthd mqtt add Cloud broker.example.org --tls --username ada',
        'hearthd mqtt test Mosquitto',
        'hearthd mqtt update Mosquitto --topic-prefix house/upstairs',
      ),
    );
  for (const add of [addList, addStatus, addAdd, addUpdate, addRemove, addTest, addEnable, addDisable])
    add(command, cli);
  return command;
}

function addList(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list the brokers')
    .option('--home <home>', 'only in this home')
    .action(
      cli.run(async ({ api, output }, { home }: { home?: string }) => {
        const all = await homesOnMqtt(api, home);
        const rows = all.flatMap(({ home: of, mqtt }) =>
          mqtt.brokers.map((broker) => [
            of.name,
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
        output.result(brokers, () =>
          output.table(head, rows, 'No brokers. Add one with hearthd mqtt add <name> <host>.'),
        );
        return EXIT.ok;
      }),
    );
}

function addStatus(command: Command, cli: Cli): void {
  command
    .command('status')
    .description('show the status of homes on their brokers')
    .option('--home <home>', 'only this home')
    .action(
      cli.run(async ({ api, output }, { home }: { home?: string }) => {
        const all = await homesOnMqtt(api, home);
        const presented = all.map(({ home: { id: homeId, name: homeName }, mqtt }) => ({ homeId, homeName, ...mqtt }));
        output.result(presented, () => {
          for (const { homeName, enabled, brokers } of presented) {
            output.line(
              `${homeName}: ${enabled ? summaryOf(brokers) : 'unpublished (publish with hearthd mqtt enable)'}`,
            );
            for (const { name, status, error } of enabled ? brokers : []) {
              output.line(`  ${name}: ${status}${error === null ? '' : `. ${error}`}`);
            }
          }
        });
        return EXIT.ok;
      }),
    );
}

function addRemove(command: Command, cli: Cli): void {
  command
    .command('remove')
    .description('remove a broker and delete the topics published to it')
    .argument(...BROKER_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const broker = await findBroker(api, text);
        const answer = await api.send('DELETE', brokerPath(broker));
        output.result(answer, () => output.line(`Removed the broker ${broker.name}.`));
        return EXIT.ok;
      }),
    );
}

function addTest(command: Command, cli: Cli): void {
  command
    .command('test')
    .description('test the connection to a broker')
    .argument(...BROKER_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const broker = await findBroker(api, text);
        const path = `${brokerPath(broker)}/test`;
        const test = await api.send<BrokerTest>('POST', path, {}, TEST_TIMEOUT_MS);
        output.result(test, () =>
          output.line(test.success ? `Connected to ${broker.name} in ${test.responseTimeMs} ms.` : `${test.error}`),
        );
        return test.success ? EXIT.ok : EXIT.failed;
      }),
    );
}

function addEnable(command: Command, cli: Cli): void {
  addSwitch(command, cli, { word: 'enable', meaning: 'publish a home to its brokers', enabled: true });
}

function addDisable(command: Command, cli: Cli): void {
  addSwitch(command, cli, { word: 'disable', meaning: 'unpublish a home from all its brokers', enabled: false });
}

function addSwitch(command: Command, cli: Cli, kind: { word: string; meaning: string; enabled: boolean }): void {
  const { word, meaning, enabled } = kind;
  command
    .command(word)
    .description(meaning)
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, { home }: { home?: string }) => {
        const { id, name } = (await loadInventory(api)).home(home);
        const mqtt = await api.send<Mqtt>('PATCH', mqttPath(id), { enabled });
        output.result(mqtt, () =>
          output.line(
            enabled ? `${name} is published to its brokers.` : `${name} is unpublished from all its brokers.`,
          ),
        );
        return EXIT.ok;
      }),
    );
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
