import { createMask, type Mask } from './mask.ts';

/** What hides the secrets of each app. Read when it is first needed, and again after they changed. */
export type Masks = {
  of(appId: string): Promise<Mask>;
  /** Without an id, those of all apps. */
  renew(appId?: string): void;
};

export function createMasks(secretsOf: (appId: string) => Promise<string[]>): Masks {
  const known = new Map<string, Promise<Mask>>();

  function load(appId: string): Promise<Mask> {
    const mask = secretsOf(appId).then(createMask);
    known.set(appId, mask);
    mask.catch(() => {
      if (known.get(appId) === mask) known.delete(appId);
    });
    return mask;
  }

  return {
    async of(appId) {
      for (;;) {
        const loading = known.get(appId) ?? load(appId);
        const mask = await loading;
        // One that was renewed while it was read may lack the newest.
        if (known.get(appId) === loading) return mask;
      }
    },
    renew(appId) {
      if (appId === undefined) known.clear();
      else known.delete(appId);
    },
  };
}
