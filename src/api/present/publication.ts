import type { ShownController } from '../../app/publications/publication-kind.ts';
import type { ShownPublication } from '../../app/publications/publications.ts';
import type { Publication, PublicationController } from '../../contract/publications.ts';
import { presentTime } from './time.ts';

export function presentPublication({ createdAt, ...publication }: ShownPublication): Publication {
  return { ...publication, createdAt: presentTime(createdAt) };
}

export function presentController({ pairedAt, lastSeenAt, ...controller }: ShownController): PublicationController {
  return { ...controller, pairedAt: presentTime(pairedAt), lastSeenAt: presentTime(lastSeenAt) };
}
