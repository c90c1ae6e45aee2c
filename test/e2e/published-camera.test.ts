/**
 * A camera of HAP-NodeJS, published by a relay: hap-controller pairs it as an accessory of its own, gets pictures, and
 * sets up a stream, whose answer is the camera's.
 */
import { once } from 'node:events';
import {
  Accessory,
  CameraController,
  type Categories,
  Characteristic,
  type H264Level,
  type H264Profile,
  type PrepareStreamRequest,
  type SRTPCryptoSuites,
  type StreamingRequest,
  uuid,
} from '@homebridge/hap-nodejs';
import type { HttpClient } from 'hap-controller';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeTlv, encodeTlv } from '../../src/hap-spec/tlv.ts';
import { keepOnLoopback } from '../support/accessories/demo-home/loopback-only.ts';
import { testStorage, useHapStorage } from '../support/accessories/hap-storage.ts';
import { createDeviceId, createSetupCode } from '../support/accessories/identity.ts';
import { E2eRelay } from '../support/e2e-relay.ts';
import { controllerOf, pairWith, type ShownBridge } from './publishing-fixture.ts';

const NAME = 'Door Camera';
const IP_CAMERA = 17 as Categories;
const deviceId = createDeviceId(NAME);
const setupCode = createSetupCode(NAME);
const SESSION = Buffer.alloc(16, 7);

let accessory: Accessory;
let relay: E2eRelay;
let bridges: readonly ShownBridge[];
let client: HttpClient;
const prepared: PrepareStreamRequest[] = [];
const streaming: StreamingRequest[] = [];
let isBroken = false;

beforeAll(async () => {
  useHapStorage(testStorage());
  keepOnLoopback();
  accessory = new Accessory(NAME, uuid.generate(NAME));
  accessory.configureController(
    new CameraController({
      cameraStreamCount: 1,
      delegate: {
        handleSnapshotRequest({ width, height }, callback) {
          if (isBroken) callback(new Error('The lens is dirty'));
          else callback(undefined, Buffer.from(`${width}×${height}`));
        },
        prepareStream(request, callback) {
          prepared.push(request);
          const { video, audio } = request;
          callback(undefined, {
            video: { port: 5_001, ssrc: 1, srtp_key: video.srtp_key, srtp_salt: video.srtp_salt },
            audio: { port: 5_002, ssrc: 2, srtp_key: audio.srtp_key, srtp_salt: audio.srtp_salt },
          });
        },
        handleStreamRequest(request, callback) {
          streaming.push(request);
          callback();
        },
      },
      streamingOptions: {
        supportedCryptoSuites: [0 as SRTPCryptoSuites],
        video: { codec: { profiles: [0 as H264Profile], levels: [0 as H264Level] }, resolutions: [[640, 480, 30]] },
      },
    }),
  );
  const advertised = once(accessory, 'advertised');
  await accessory.publish({
    ...{ username: deviceId, pincode: setupCode as `${number}-${number}-${number}`, category: IP_CAMERA },
    ...{ port: 0, bind: '127.0.0.1', addIdentifyingMaterial: false },
  });
  await advertised;
  relay = await E2eRelay.start();
  expect((await relay.pair({ deviceId, setupCode })).status).toBe(200);
  await relay.untilStatus(deviceId, 'connected');
  const { body } = await relay.asSystem('POST', '/rest/publications', { name: 'Hearth', kind: 'homekit' });
  bridges = body.bridges;
  const camera = bridges[1] as ShownBridge;
  client = controllerOf(camera, await pairWith(camera));
});

afterAll(async () => {
  await client.close();
  await relay[Symbol.asyncDispose]();
  await accessory.unpublish();
});

/** The id of a characteristic of the stream. */
async function idOf(type: string): Promise<string> {
  const { accessories } = await client.getAccessories();
  for (const { aid, services } of accessories) {
    for (const found of services.flatMap(({ characteristics }) => characteristics)) {
      if (found.type === type) return `${aid}.${found.iid}`;
    }
  }
  throw new Error(`There is no ${type}`);
}

it('is an accessory of its own', () => {
  expect(bridges.map(({ name }) => name)).toEqual(['Hearth', NAME]);
});

it('gives pictures, and the reason when it has none', async () => {
  expect((await client.getImage(320, 240)).toString()).toBe('320×240');
  isBroken = true;
  await expect(client.getImage(320, 240)).rejects.toThrow();
  isBroken = false;
  expect((await client.getImage(640, 480)).toString()).toBe('640×480');
});

it('sets up a stream to the viewer, answers by itself, and starts and stops it', async () => {
  const endpoints = await idOf(Characteristic.SetupEndpoints.UUID);
  const selected = await idOf(Characteristic.SelectedRTPStreamConfiguration.UUID);
  const port = (value: number) => Buffer.of(value & 0xff, value >> 8);
  const srtp = encodeTlv([
    [1, 0],
    [2, Buffer.alloc(16, 1)],
    [3, Buffer.alloc(14, 2)],
  ]);
  const address = encodeTlv([
    [1, 0],
    [2, '192.0.2.9'],
    [3, port(40_000)],
    [4, port(40_002)],
  ]);
  const question = encodeTlv([
    [1, SESSION],
    [3, address],
    [4, srtp],
    [5, srtp],
  ]).toString('base64');
  await client.setCharacteristics({ [endpoints]: question });
  expect(prepared).toMatchObject([{ targetAddress: '192.0.2.9', video: { port: 40_000 } }]);
  const { characteristics } = await client.getCharacteristics([endpoints]);
  const answer = decodeTlv(Buffer.from(String(characteristics[0]?.value), 'base64'));
  expect(answer.find(1)).toEqual(SESSION);
  expect(answer.findNumber(2)).toBe(0);
  expect(decodeTlv(answer.find(3) ?? Buffer.alloc(0)).findNumber(3)).toBe(5_001);
  const END = 0;
  const command = encodeTlv([
    [
      1,
      encodeTlv([
        [1, SESSION],
        [2, END],
      ]),
    ],
  ]).toString('base64');
  await client.setCharacteristics({ [selected]: command });
  expect(streaming).toMatchObject([{ type: 'stop' }]);
});
