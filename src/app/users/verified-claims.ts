/**
 * The claims of signed texts whose signature was right. They never change, while checking a signature takes longer than
 * the request that it came with. Whether they still hold is to be checked at each use.
 */
import { sha256Hex } from '../../kernel/secrets.ts';

/** More than the sessions of a family with all their tabs, before and after renewals. */
const MAX_KEPT = 256;

export class VerifiedClaims<Claims> {
  /** By hash: the text itself stays in no memory. Oldest first. */
  readonly #kept = new Map<string, Claims>();

  find(text: string, use: string): Claims | undefined {
    return this.#kept.get(keyOf(text, use));
  }

  /** Only after its signature was checked: strangers must not be able to fill it. */
  keep(text: string, use: string, claims: Claims): void {
    this.#kept.set(keyOf(text, use), claims);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function keyOf(text: string, use: string): string {
  return sha256Hex(`${use} ${text}`);
}
