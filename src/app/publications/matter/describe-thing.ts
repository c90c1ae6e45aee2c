/** A thing of the home as Matter devices: one endpoint for each service that Matter has something for. */
import type { PublicationRemark, PublicationRemarkCode } from '../../../contract/publications.ts';
import { SERVICE, serviceName } from '../../../hap-spec/services.ts';
import { membersOf } from '../../../home/group-accessory.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { MatterClusters, MatterDeviceType } from '../../../home/matter-port.ts';
import type { Accessory, HapId, Service } from '../../../home/model.ts';
import { determineType } from '../../../home/vocabulary/device-types.ts';
import { isFromHearthd } from '../homekit/describe-device.ts';
import { remark } from '../remarks.ts';
import type { Thing } from '../thing.ts';
import { type DeviceRow, deviceRowOf } from './device-rows.ts';
import { HapServiceView } from './hap-service-view.ts';
import { onOff } from './light-clusters.ts';
import { BATTERY, MAINS } from './sensor-clusters.ts';

/** Where the values of an endpoint are, and where its commands go. */
export type PartSource =
  | { readonly kind: 'service'; readonly accessoryId: string; readonly serviceIid: HapId }
  | { readonly kind: 'group'; readonly groupId: string }
  | { readonly kind: 'scene'; readonly sceneId: string };

/** One endpoint, without its number and ids. */
export interface MatterPart {
  /** What it is of its thing, and its shape: another shape is another endpoint. */
  readonly part: string;
  readonly name: string;
  readonly deviceType: MatterDeviceType;
  readonly features: Readonly<Record<string, readonly string[]>>;
  readonly source: PartSource;
}

export type MatterDescription =
  | { readonly parts: readonly MatterPart[]; readonly publishedAs: string }
  | { readonly reason: PublicationRemark };

const REASONS: Readonly<Record<string, PublicationRemarkCode>> = {
  [SERVICE.garageDoor]: 'matter_garage_door',
  [SERVICE.securitySystem]: 'matter_security_system',
  [SERVICE.humidifierDehumidifier]: 'matter_humidifier',
  [SERVICE.television]: 'matter_television',
  [SERVICE.cameraRtpStreamManagement]: 'matter_camera',
};
const NOTHING = 'matter_nothing';
const SCENE_CLUSTER = onOff('power_state', ['Lighting']);

export function describeForMatter(thing: Thing, state: HomeState): MatterDescription {
  switch (thing.kind) {
    case 'accessory':
      return describeAccessory(thing.accessory, state);
    case 'group':
      return describeGroup(thing, state);
    case 'scene': {
      const source = { kind: 'scene', sceneId: thing.id } as const;
      const features = { [SCENE_CLUSTER.cluster]: ['Lighting'], [MAINS.cluster]: MAINS.features };
      return {
        publishedAs: 'switch',
        parts: [{ part: 'scene', name: thing.name, deviceType: 'onOffPlugInUnit', features, source }],
      };
    }
  }
}

function describeAccessory(accessory: Accessory, state: HomeState): MatterDescription {
  const { services, name, virtual } = accessory;
  if (isFromHearthd(accessory, state)) return { reason: remark('from_hearthd') };
  if (services.length === 0) return { reason: remark('not_known_yet') };
  if (virtual !== null && (virtual.virtualType !== 'input_boolean' || !virtual.controllable)) {
    return { reason: remark('matter_virtual') };
  }
  const main = determineType(services)?.service;
  const found = services.flatMap((service) => {
    const row = service.hidden ? undefined : deviceRowOf(new HapServiceView(service));
    return row ? [{ service, row }] : [];
  });
  if (found.length === 0) return { reason: remark(services.map(({ type }) => REASONS[type]).find(Boolean) ?? NOTHING) };
  const first = found.find(({ service }) => service === main) ?? found[0];
  const counts = new Map<string, number>();
  const parts = found.map(({ service, row }): MatterPart => {
    const count = (counts.get(row.label) ?? 0) + 1;
    counts.set(row.label, count);
    const label = row.label === first?.row.label ? '' : ` ${row.label}`;
    const source = { kind: 'service', accessoryId: accessory.id, serviceIid: service.iid } as const;
    return { ...shapeOf(service, row, services), name: `${name}${label}${count > 1 ? ` ${count}` : ''}`, source };
  });
  return { parts, publishedAs: first?.row.publishedAs ?? '' };
}

function describeGroup(
  { id, name, group, accessory }: Extract<Thing, { kind: 'group' }>,
  state: HomeState,
): MatterDescription {
  const [service] = accessory?.services ?? [];
  const row = service && deviceRowOf(new HapServiceView(service));
  if (!service || !row) return { reason: remark(service ? NOTHING : 'members_missing') };
  if (membersOf(group, state).some((member) => isFromHearthd(member.accessory, state))) {
    return { reason: remark('member_from_hearthd') };
  }
  const source = { kind: 'group', groupId: id } as const;
  return { publishedAs: row.publishedAs, parts: [{ ...shapeOf(service, row, []), name, source }] };
}

function shapeOf(service: Service, row: DeviceRow, services: readonly Service[]) {
  const view = new HapServiceView(service);
  const power = batteryOf(services);
  const features = Object.fromEntries([
    ...row.clusters.map(({ cluster, features: of }) => [cluster, of?.(view) ?? []] as const),
    power ? [BATTERY.cluster, BATTERY.features?.(power) ?? []] : [MAINS.cluster, MAINS.features],
  ]);
  const shape = Object.entries(features).map(([cluster, names]) => `${cluster}(${names.join(',')})`);
  const part = `${serviceName(service.type)} ${service.iid} ${row.deviceType} ${shape.join(' ')}`;
  return { part, deviceType: row.deviceType, features };
}

/** Every attribute of an endpoint by the values of now: those that do not change, too. */
export function clustersOf(service: Service, services: readonly Service[]): MatterClusters {
  const view = new HapServiceView(service);
  const row = deviceRowOf(view);
  const battery = batteryOf(services);
  return {
    ...Object.fromEntries(
      (row?.clusters ?? []).map(({ cluster, fixed, read }) => [cluster, { ...fixed?.(view), ...read(view) }]),
    ),
    ...(battery
      ? { [BATTERY.cluster]: { ...BATTERY.fixed?.(battery), ...BATTERY.read(battery) } }
      : { [MAINS.cluster]: MAINS.attributes }),
  };
}

/** A scene is a switch that goes off by itself. */
export const SCENE_CLUSTERS: MatterClusters = {
  [SCENE_CLUSTER.cluster]: { onOff: false },
  [MAINS.cluster]: MAINS.attributes,
};

function batteryOf(services: readonly Service[]): HapServiceView | undefined {
  const service = services.find(({ type }) => type === SERVICE.battery);
  return service && new HapServiceView(service);
}
