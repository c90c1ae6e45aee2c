/**
 * API §2.4 and the field names of §4.2's results: every type of the document, field by field, against the schema as it
 * is.
 */
import { type GraphQLObjectType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../src/api/graphql/schema.ts';
import { documentedTypes, readApiDocument } from '../api/graphql/api-document.ts';

/** §4.2 has other names for them. */
const NAMED_IN_4_2: Readonly<Record<string, string>> = { AuthorizedApp: 'AuthorizedAppInfo' };

const document = readApiDocument();
const schema = createSchema();

function typeNamed(name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`The schema has no object type ${name}`);
  return type;
}

function fieldType(type: string, field: string): string | undefined {
  return String(typeNamed(type).getFields()[field]?.type);
}

describe('API §2.4: the types of the document', () => {
  const types = new Map([...documentedTypes(document)].map(([name, fields]) => [NAMED_IN_4_2[name] ?? name, fields]));

  it('finds the document’s types', () => {
    expect([...types.keys()]).toEqual(
      expect.arrayContaining(['PlatformHome', 'PlatformCharacteristic', 'WebhookInfo']),
    );
    expect(types.get('PlatformCharacteristic')).toHaveLength(11);
    expect(types.get('AutomationTrigger')).toHaveLength(9);
  });

  it('has every one of them', () => {
    const missing = [...types.keys()].filter((name) => schema.getType(name) === undefined);
    expect(missing).toEqual([]);
  });

  it('has every field of theirs, with the type and the nullability as written', () => {
    const faults: string[] = [];
    for (const [name, fields] of types) {
      const own = typeNamed(name).getFields();
      for (const { name: field, type } of fields) {
        const actual = own[field];
        if (!actual) faults.push(`${name}.${field} is missing`);
        else if (type !== null && String(actual.type) !== type)
          faults.push(`${name}.${field}: ${actual.type}, not ${type}`);
      }
    }
    expect(faults).toEqual([]);
  });
});

describe('API §2.4: what it reports in words', () => {
  it('lets rooms of a home and accessories of a room be queried', () => {
    expect(fieldType('PlatformHome', 'rooms')).toBe('[PlatformRoom!]!');
    expect(fieldType('PlatformRoom', 'accessories')).toBe('[PlatformAccessory!]!');
  });

  it('gives the full token as `token` and as `rawToken`, and the token’s row as `accessToken`', () => {
    expect(fieldType('CreateAccessTokenResult', 'token')).toBe('String');
    expect(fieldType('CreateAccessTokenResult', 'rawToken')).toBe('String');
    expect(fieldType('CreateAccessTokenResult', 'accessToken')).toBe('AccessTokenInfo');
  });

  it('names both sets of fields where existing clients select others (union, the document’s first)', () => {
    const union: Record<string, readonly string[]> = {
      PlatformAccessory: ['reachable', 'isReachable', 'roomName'],
      PlatformService: ['type', 'serviceType'],
      PlatformCharacteristic: [
        'type',
        'characteristicType',
        'canRead',
        'isReadable',
        'canWrite',
        'isWritable',
        'minStep',
        'stepValue',
      ],
      CachedHome: ['homeId', 'id', 'updatedAt', 'ownerEmail', 'mqttEnabled', 'relayConnected', 'relayLastSeenAt'],
      PlatformHome: ['isPrimary', 'roomCount', 'accessoryCount', 'isAdmin'],
      PlatformRoom: ['accessoryCount'],
      PlatformScene: ['actionCount', 'actionSetType', 'automationName', 'actions'],
      SetCharacteristicResult: ['accessoryId', 'characteristicType'],
      AccessTokenInfo: ['homePermissions'],
    };
    for (const [type, fields] of Object.entries(union)) {
      expect(Object.keys(typeNamed(type).getFields())).toEqual(expect.arrayContaining([...fields]));
    }
  });

  it('gives the types that the document leaves open the fields that clients select', () => {
    const open: Record<string, readonly string[]> = {
      PlatformZone: ['id', 'name', 'roomIds'],
      PlatformServiceGroup: ['id', 'name', 'serviceIds', 'accessoryIds', 'homeId'],
      CharacteristicValue: ['accessoryId', 'characteristicType', 'value'],
      ExecuteSceneResult: ['success', 'sceneId'],
      DeleteSceneResult: ['success', 'sceneId'],
      SetServiceGroupResult: ['success', 'groupId', 'affectedCount', 'characteristicType', 'value'],
      PlatformRoomGroup: ['id', 'entityType', 'entityId', 'parentId', 'dataJson', 'layoutJson', 'updatedAt'],
      VirtualAccessory: ['id', 'entityType', 'entityId', 'parentId', 'dataJson', 'layoutJson', 'updatedAt'],
      Collection: ['id', 'name', 'payload', 'createdAt'],
      HistorySeriesInfo: [
        'accessoryId',
        'characteristicType',
        'kind',
        'unit',
        'enabled',
        'minIntervalS',
        'deadband',
        'firstTs',
        'lastTs',
        'sampleCount',
      ],
      HistorySeriesData: ['resolution', 'prevValue', 'prevValueText', 'points', 'states', 'stateBuckets'],
      HistoryPoint: ['ts', 'min', 'avg', 'max', 'last', 'count'],
      HistoryStateSpan: ['ts', 'value', 'valueText'],
      HistoryStateBucket: ['ts', 'dominant', 'dominantText', 'stateMsJson', 'transitions'],
      HistoryStorageStats: [
        'enabled',
        'rawRetentionDays',
        'seriesCount',
        'sampleRows',
        'rollupRows',
        'estBytes',
        'oldestTs',
        'sharedAnalyticsEnabled',
      ],
    };
    for (const [type, fields] of Object.entries(open)) {
      expect(Object.keys(typeNamed(type).getFields())).toEqual(expect.arrayContaining([...fields]));
    }
  });
});
