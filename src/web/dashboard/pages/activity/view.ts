/** The filters of the page, and their representation in the URL. */

export interface ActivityView {
  readonly roomId: string;
  readonly accessoryId: string;
  /** As `actorKey` writes it. */
  readonly actor: string;
}

/** The fields by their names in the URL. */
const NAMES = { roomId: 'room', accessoryId: 'accessory', actor: 'by' } as const;

export function parseActivityView(search: string): ActivityView {
  const query = new URLSearchParams(search);
  const textOf = (name: string): string => query.get(name) ?? '';
  return { roomId: textOf(NAMES.roomId), accessoryId: textOf(NAMES.accessoryId), actor: textOf(NAMES.actor) };
}

export function presentActivityView(view: ActivityView): string {
  const query = new URLSearchParams();
  for (const [field, name] of Object.entries(NAMES)) {
    const value = view[field as keyof ActivityView];
    if (value !== '') query.set(name, value);
  }
  return query.size === 0 ? '' : `?${query}`;
}

export function isFiltered(view: ActivityView): boolean {
  return presentActivityView(view) !== '';
}

/** `user~<id>`; without an id for those that are one of their kind. */
export function actorKey({ kind, id }: { readonly kind: string; readonly id: string | null }): string {
  return id === null ? kind : `${kind}~${id}`;
}

/** The filters as the API takes them. */
export function variablesOf({ roomId, accessoryId, actor }: ActivityView) {
  const [actorKind = '', actorId = ''] = actor.split('~');
  return {
    ...(roomId !== '' && { roomId }),
    ...(accessoryId !== '' && { accessoryId }),
    ...(actorKind !== '' && { actorKind }),
    ...(actorId !== '' && { actorId }),
  };
}
