/**
 * HAP-NodeJS listens on all addresses even when it is bound to one, and probes the names of one process one after the
 * other, most of a second each. Both are changed here for the process that a home lives in: no other machine can reach
 * it, and it is there within two seconds.
 */
import { HAPServer } from '@homebridge/hap-nodejs';
import { distinctResponderOptions } from '../advertiser.ts';
import { loadCiao } from '../hap-nodejs-parts.ts';

let done = false;

export function keepOnLoopback(): void {
  if (done) return;
  done = true;
  const { listen } = HAPServer.prototype;
  HAPServer.prototype.listen = function listenOnLoopback(this: HAPServer, port?: number) {
    listen.call(this, port, '127.0.0.1');
  };
  const ciao = loadCiao();
  const getResponder = ciao.getResponder.bind(ciao);
  ciao.getResponder = (options) => getResponder({ ...options, ...distinctResponderOptions() });
}
