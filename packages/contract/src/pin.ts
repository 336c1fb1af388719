import { pinRevision, type ReleaseValues } from './release-values.ts';
import { isUploadUrl } from './source.ts';
import { isRecord } from './type-guards.ts';

/** After a rollback, an app stays at the commit or digest of a release until it resumes. */
export type Pin = {
  release: number;
  /** The branch, tag or image name that the app follows again when it resumes. */
  follows: string;
};

type SourceValues = Pick<ReleaseValues, 'source' | 'container'>;

type RollbackTarget = {
  number: number;
  values: SourceValues;
  revision: string | undefined;
  /** The pin of the app when the release was created. */
  pin?: Pin | undefined;
};

const SHORT_REVISION_LENGTH = 7;

/** The pin of an app that is rolled back to a release. Undefined for a release that already named a commit or digest. */
export function rollbackPin({ number, values, revision, pin }: RollbackTarget): Pin | undefined {
  if (revision === undefined) return undefined;
  const follows = pin?.follows ?? refOf(values);
  return follows === refOf(pinRevision(revision, values))
    ? undefined
    : { release: number, follows };
}

/** The values of a pinned app that follows its branch, tag or image name again. */
export function withoutPin<Values extends SourceValues>(values: Values, { follows }: Pin): Values {
  const { source, container } = values;
  return source.enabled
    ? { ...values, source: { ...source, ref: follows } }
    : { ...values, container: { ...container, image: follows } };
}

/** Whether both deploy the same ref of the same repository, or the same image. Other values end a pin. */
export function hasSameSource(one: SourceValues, other: SourceValues): boolean {
  if (one.source.enabled !== other.source.enabled || refOf(one) !== refOf(other)) return false;
  return !one.source.enabled || one.source.url === other.source.url;
}

/** What a pinned app stays at, such as "commit 0123456". */
export function pinnedRevisionText({ source, container }: SourceValues): string {
  const [kind, revision = ''] = source.enabled
    ? [isUploadUrl(source.url) ? 'upload' : 'commit', source.ref]
    : ['digest', container.image.split('@sha256:')[1]];
  return `${kind} ${revision.slice(0, SHORT_REVISION_LENGTH)}`;
}

/** Why pushes to a pinned app are not deployed. */
export function pausedText(values: SourceValues, { release }: Pin): string {
  const revision = pinnedRevisionText(values);
  return `Push to deploy is paused: rolled back to release ${release} (${revision}). Newer commits wait.`;
}

/** Undefined for an app without a pin. */
export function decodePin(stored: unknown): Pin | undefined {
  if (!isRecord(stored)) return undefined;
  const { release, follows } = stored;
  return typeof release === 'number' && typeof follows === 'string'
    ? { release, follows }
    : undefined;
}

function refOf({ source, container }: SourceValues): string {
  return source.enabled ? source.ref : container.image;
}
