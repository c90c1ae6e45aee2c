/** The paths of the pages about blueprints. */
export const BLUEPRINTS_PAGE = '/automations/blueprints';

export function blueprintPageOf(id: string): string {
  return `${BLUEPRINTS_PAGE}/${id}`;
}
