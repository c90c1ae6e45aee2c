import type { ShownBridge, ShownController } from '../../app/publications/publication-kind.ts';
import type { ShownPublication } from '../../app/publications/publications.ts';
import type { Publication, PublicationBridge, PublicationController } from '../../contract/publications.ts';
import { presentTime } from './time.ts';

export function presentPublication({ createdAt, bridges, ...publication }: ShownPublication): Publication {
  return { ...publication, bridges: bridges.map(presentBridge), createdAt: presentTime(createdAt) };
}

function presentBridge({ windowEndsAt, ...bridge }: ShownBridge): PublicationBridge {
  return { ...bridge, windowEndsAt: presentTime(windowEndsAt) };
}

export function presentController({ pairedAt, lastSeenAt, ...controller }: ShownController): PublicationController {
  return { ...controller, pairedAt: presentTime(pairedAt), lastSeenAt: presentTime(lastSeenAt) };
}
