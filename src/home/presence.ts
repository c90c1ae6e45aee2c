/** The presence of people, read-only. */
export interface Presence {
  /** The people of a home and whether each is at home; `null` if unknown. */
  people(homeId: string): readonly { readonly id: string; readonly name: string; readonly atHome: boolean | null }[];
}
