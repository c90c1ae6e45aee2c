/** What every server has besides the things that it publishes. */
import { VERSION } from '../../../kernel/version.ts';
import type { BridgeRecord } from './bridge-store.ts';
import { BRIDGE_CATEGORY } from './identity.ts';
import { BRIDGE_MODEL, informationService, MANUFACTURER, ownProtocolService, protocolService } from './information.ts';
import type { ThingTemplate } from './template.ts';

/** @param number `null`: the thing that stands alone has its own name */
export function bridgeName(publication: string, number: number | null): string {
  return number === null || number === 1 ? publication : `${publication} ${number}`;
}

/** The bridge itself, as its first accessory. */
export function bridgeTemplate({ number, deviceId }: BridgeRecord, publication: string): ThingTemplate {
  const name = bridgeName(publication, number);
  const information = {
    ...{ name, manufacturer: MANUFACTURER, model: BRIDGE_MODEL },
    ...{ serialNumber: deviceId, firmwareRevision: VERSION },
  };
  const services = [informationService(information, null), protocolService()];
  return { name, publishedAs: 'bridge', category: BRIDGE_CATEGORY, standsAlone: false, note: null, services };
}

/** What stands alone is its own bridge. */
export function complete(template: ThingTemplate): ThingTemplate {
  return template.standsAlone ? { ...template, services: [...template.services, ownProtocolService()] } : template;
}
