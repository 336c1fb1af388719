import type { Clock } from '@longshore/edge-contract';
import type { ResolveCaller } from '../http/resolve-caller.ts';
import type { Buckets } from './buckets.ts';
import type { FileStore } from './file-store.ts';
import type { OwnFiles } from './own-files.ts';
import type { Signer } from './presigned/signer.ts';
import type { Quota } from './quota.ts';

export type StorageDeps = {
  store: FileStore;
  files: OwnFiles;
  buckets: Buckets;
  quota: Quota;
  signer: Signer;
  maxFileBytes: number;
  /** Where clients reach this service. */
  url: string;
  version: string;
  clock: Clock;
  resolveCaller: ResolveCaller;
  logError(error: unknown): void;
};
