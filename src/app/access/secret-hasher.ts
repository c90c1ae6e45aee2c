/** Hashes secrets that people choose: slowly, and a few at a time. */
export interface SecretHasher {
  hash(secret: string): Promise<string>;
  verify(hash: string, secret: string): Promise<boolean>;
}
