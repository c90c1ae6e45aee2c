/** Who is at home, for those that only ask. */
export interface Presence {
  /** The people of a home with whether each is there; `null` while nobody knows. */
  people(homeId: string): readonly { readonly id: string; readonly name: string; readonly atHome: boolean | null }[];
}
