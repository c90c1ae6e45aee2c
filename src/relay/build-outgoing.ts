/** Connections that users configure: webhooks and other requests, brokers, notification channels. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { machineHosts } from '../api/own-hosts.ts';
import type { Config } from '../config/config.ts';
import { GuardedSender } from '../drivers/http/guarded-sender.ts';
import { MqttJsConnector } from '../drivers/mqtt/mqtt-js-connector.ts';
import { createNotificationChannels } from '../drivers/notifications/channels.ts';
import { PersonalNtfy } from '../drivers/notifications/ntfy-service.ts';
import { WebPushSender } from '../drivers/notifications/web-push.ts';
import { parseCa } from '../home/mqtt-target.ts';
import type { OwnAddresses } from './own-addresses.ts';
import type { RelayDeps } from './relay-deps.ts';

export type OutgoingParts = ReturnType<typeof buildOutgoing>;

export function buildOutgoing({ live, clock }: RelayDeps, addresses: OwnAddresses) {
  const ownHosts = machineHosts(clock, () => addresses.hostName);
  const sender = new GuardedSender({
    clock,
    get allowLoopback() {
      return live.current.webhooksAllowLoopback;
    },
    get publicOnly() {
      return live.current.webhooksPublicOnly;
    },
    ownAddresses: ownHosts,
    ownPorts: addresses.ports,
  });
  const mqtt = {
    connector: new MqttJsConnector({ clock }),
    configured: live.derive(({ mqtt }) => mqtt && { ...mqtt, ca: mqtt.ca && parseCa(readFileSync(mqtt.ca, 'utf8')) }),
    isOurselves: (host: string, port: number) => addresses.ports().includes(port) && ownHosts().has(host),
  };
  const webPush = new WebPushSender({
    http: sender,
    clock,
    contact: () => contactOf(live.current, addresses.hostName),
  });
  const ntfy = new PersonalNtfy(() => live.current.ntfy);
  return { ownHosts, sender, mqtt, webPush, ntfy, notificationChannels: live.derive(createNotificationChannels) };
}

/** RFC 8292 §2.1: how the operator of a push service reaches the sender. Some refuse messages without it. */
function contactOf({ publicUrl, email }: Config, hostName = hostname()): string {
  if (publicUrl?.startsWith('https:')) return publicUrl;
  return email ? `mailto:${email.from}` : `https://${hostName}`;
}
