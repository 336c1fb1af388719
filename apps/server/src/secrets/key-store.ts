/** Keeps the keys that encrypt, sign and hash, each under a name. */
export type KeyStore = {
  /** Whether other servers read and change the same keys. */
  isShared: boolean;
  read(name: string): Promise<string | undefined>;
  /** Reads a key, and creates it on the first start. Servers that create it at the same time get the same one. */
  loadOrCreate(name: string, create: () => Promise<string>): Promise<string>;
  /**
   * Replaces an existing key, or keeps it if `change` returns undefined. Changes of several servers run one after the other.
   * Returns the key that is stored then.
   */
  update(name: string, change: (text: string) => Promise<string | undefined>): Promise<string>;
  /** Names a key in a message to the operator. */
  describe(name: string): string;
};
