import { overQuota } from './storage-problem.ts';

/** The quota left for one upload. */
export type Reservation = {
  /** Throws if stored and arriving bytes exceed the quota. */
  add(bytes: number): void;
  end(): void;
};

export type Quota = {
  maxBytes: number;
  /** `freedBytes`: bytes that the upload replaces. */
  reserve(userId: string, freedBytes?: number): Promise<Reservation>;
};

type QuotaDeps = { maxBytes: number; usedBytes(userId: string): Promise<number> };

/** Counts stored and arriving bytes, so that concurrent uploads cannot exceed the quota before their rows exist. */
export function createQuota({ maxBytes, usedBytes }: QuotaDeps): Quota {
  const arriving = new Map<string, number>();
  return {
    maxBytes,
    async reserve(userId, freedBytes = 0) {
      const used = (await usedBytes(userId)) - freedBytes;
      let reserved = 0;
      const count = (bytes: number) => {
        reserved += bytes;
        const total = (arriving.get(userId) ?? 0) + bytes;
        if (total === 0) arriving.delete(userId);
        else arriving.set(userId, total);
        return total;
      };
      return {
        add(bytes) {
          if (used + count(bytes) > maxBytes) throw overQuota(maxBytes);
        },
        end: () => void count(-reserved),
      };
    },
  };
}
