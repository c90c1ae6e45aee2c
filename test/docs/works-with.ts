/**
 * The manual's page about recorded devices. It states only what the recordings hold and what the tests do with each of
 * them. `npm run works-with` writes it; the test beside this file compares.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAccessories } from '../../src/drivers/hap/wire/accessory-database.ts';
import { CHARACTERISTIC } from '../../src/hap-spec/characteristics.ts';
import { SERVICE, serviceByType } from '../../src/hap-spec/services.ts';
import type { Service } from '../../src/home/model.ts';
import { determineType } from '../../src/home/vocabulary/device-types.ts';
import { DESCRIBING_SERVICES, TRANSPORT_SERVICES } from '../../src/home/vocabulary/plumbing.ts';
import { findSwitch, listRecorded, readRecorded, readRecordedText } from '../support/accessories/sample-databases.ts';
import { ROOT } from './repository-files.ts';

export const WORKS_WITH = join(ROOT, 'src/docs/manual/works-with.md');

const MAX_COLUMNS = 120;
const NOT_SHOWN: ReadonlySet<string> = new Set([...DESCRIBING_SERVICES, ...TRANSPORT_SERVICES, 'pairing']);

const INTRODUCTION = `# Works with

hearthd works with HomeKit accessories over Wi-Fi and Ethernet, also behind a bridge. No list of products decides that: what
an accessory reports about itself does. The devices on this page are those whose answers were recorded. A copy of each is
part of the tests, so a change that breaks one of them is found before it is released.

[Record your device](record-your-device.md) explains how yours gets here.

## What was tried

A recording shows nothing about the radio, the speed or another firmware of the device. With each recording, the tests

- serve it over HAP and read it whole: each service, characteristic, range and value is there as
  recorded;
- publish it to Apple Home, with its services and ranges, and over Matter, whose library refuses none of its values;
- make its diagnostics file, look for names and serial numbers in it, and read the file like the device.

*Switched* in the table: the copy was also turned on through the API, and a change at the copy was shown.
`;

interface RecordedAccessory {
  readonly maker: string;
  readonly model: string;
  readonly firmware: string;
  readonly kind: string;
  readonly services: readonly string[];
  /** Services that HAP does not define. */
  readonly ownServices: number;
}

interface Product {
  readonly title: string;
  /** The device itself; the others are behind it. */
  readonly device: RecordedAccessory;
  readonly behind: readonly RecordedAccessory[];
  readonly isSwitched: boolean;
}

function readProduct(file: string): Product {
  const accessories = parseAccessories(readRecordedText(file)).map(({ aid, services }) => ({
    aid,
    ...describe(services),
  }));
  const device = accessories.find(({ aid }) => aid === '1') ?? accessories[0];
  if (!device) throw new Error(`${file} has no accessory`);
  const behind = accessories.filter((accessory) => accessory !== device);
  const kind = device.kind === '' && behind.length > 0 ? 'bridge' : device.kind;
  const title = asTitle(file);
  return { title, device: { ...device, kind }, behind, isSwitched: findSwitch(readRecorded(file)) !== undefined };
}

function describe(services: readonly Service[]): RecordedAccessory {
  const information = services.find(({ type }) => type === SERVICE.accessoryInformation);
  const text = (type: string): string => {
    const value = information?.characteristics.find((characteristic) => characteristic.type === type)?.value;
    return typeof value === 'string' ? value.trim() : '';
  };
  const names = services.flatMap(({ type }) => serviceByType(type)?.name ?? []);
  return {
    maker: text(CHARACTERISTIC.manufacturer),
    model: text(CHARACTERISTIC.model),
    firmware: text(CHARACTERISTIC.firmwareRevision),
    kind: asWords(determineType(services)?.type ?? ''),
    services: [...new Set(names.filter((name) => !NOT_SHOWN.has(name)).map(asWords))],
    ownServices: services.filter(({ type }) => serviceByType(type) === undefined).length,
  };
}

function asWords(name: string): string {
  return name.replaceAll('_', ' ');
}

/** `hue_bridge` is “Hue bridge”. */
function asTitle(file: string): string {
  return asWords(file).replace(/^./, (first) => first.toUpperCase());
}

function presentRow({ title, device, behind, isSwitched }: Product): string {
  const kinds = [...new Set([device, ...behind].map(({ kind }) => kind).filter((kind) => kind !== ''))];
  const cells = [`[${title}](#${asAnchor(title)})`, device.maker, device.model, kinds.join(', ') || 'other'];
  return `| ${cells.join(' | ')} | ${behind.length + 1} | ${isSwitched ? 'yes' : 'no'} |`;
}

function asAnchor(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

function presentProduct({ title, device, behind }: Product): string {
  const others = new Map<string, readonly RecordedAccessory[]>();
  for (const one of behind) others.set(one.model, [...(others.get(one.model) ?? []), one]);
  const lines = [
    `- Device: ${presentAccessory(device)}`,
    ...[...others.values()].map((same) => `- Behind it: ${same.length} × ${same[0] ? presentAccessory(same[0]) : ''}`),
  ];
  return `### ${title}\n\n${lines.map(wrap).join('\n')}\n`;
}

function presentAccessory({ maker, model, firmware, kind, services, ownServices }: RecordedAccessory): string {
  const own = ownServices === 0 ? [] : [`${ownServices} of its maker’s own`];
  const parts = [
    `${maker} ${model}`,
    ...(kind === '' ? [] : [kind]),
    ...(firmware === '' ? [] : [`firmware ${firmware}`]),
  ];
  const all = [...services, ...own];
  return `${parts.join(', ')}.${all.length > 0 ? ` Services: ${all.join(', ')}.` : ''}`;
}

/** Breaks an item of a list between words. */
function wrap(item: string): string {
  const lines = [''];
  for (const word of item.split(' ')) {
    const line = lines.at(-1) ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > MAX_COLUMNS) lines.push(`  ${word}`);
    else lines[lines.length - 1] = longer;
  }
  return lines.join('\n');
}

export function worksWith(): string {
  const products = listRecorded().map(readProduct);
  const head = '| Product | Maker | Model | Kinds | Accessories | Switched |\n|---|---|---|---|---|---|\n';
  const table = `## Recorded devices\n\n${head}${products.map(presentRow).join('\n')}\n`;
  const parts = [INTRODUCTION, table, '## Their services\n', ...products.map(presentProduct)];
  return parts.join('\n');
}

if (process.argv[1] === import.meta.filename) writeFileSync(WORKS_WITH, worksWith());
