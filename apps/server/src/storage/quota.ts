import { overQuota } from './storage-problem.ts';

/** What one upload may still take. */
export type Allowance = {
  /** Throws once stored and arriving bytes together are too many. */
  take(bytes: number): void;
  end(): void;
};

export type Quota = {
  maxBytes: number;
  /** `freedBytes` will be gone once the upload is through. */
  begin(userId: string, freedBytes?: number): Promise<Allowance>;
};

type QuotaDeps = { maxBytes: number; usedBytes(userId: string): Promise<number> };

/**
 * Counts what users store and what is arriving for them, so that many uploads at once cannot fill the disk before
 * any of them gets a row.
 */
export function createQuota({ maxBytes, usedBytes }: QuotaDeps): Quota {
  const arriving = new Map<string, number>();
  return {
    maxBytes,
    async begin(userId, freedBytes = 0) {
      const used = (await usedBytes(userId)) - freedBytes;
      let taken = 0;
      const count = (bytes: number) => {
        taken += bytes;
        const total = (arriving.get(userId) ?? 0) + bytes;
        if (total === 0) arriving.delete(userId);
        else arriving.set(userId, total);
        return total;
      };
      return {
        take(bytes) {
          if (used + count(bytes) > maxBytes) throw overQuota(maxBytes);
        },
        end: () => void count(-taken),
      };
    },
  };
}
