import { hasHiddenCharacters } from './characters.ts';

export type SourceRules = {
  /** Allows `file://`, plain `http://` and hosts of private networks; set by the operator. */
  allowLocalSources: boolean;
};

const SCP_FORM = /^\w[\w.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:(?!\/\/|-)\S+$/;
const SCHEME = /^(https|ssh|http|file):\/\//;
/**
 * Stricter than `new URL`, which disagrees with git and curl about some hosts: they resolve
 * `https://example.com\@127.0.0.1/` to 127.0.0.1. Neither user nor host may start with a dash, which ssh reads as an option.
 */
const ADDRESS =
  /^\w+:\/\/(?:\w[\w.~%+-]*@)?(?:[A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?\/[^\\]*$/;
const FILE_ADDRESS = /^file:\/\/\/[^\\]+$/;
const URL_MAX_LENGTH = 2_000;

/** A shorter user in a URL is taken for a name. */
export const TOKEN_MIN_LENGTH = 16;

/** The source of an app whose code was uploaded: `upload:` and the SHA-256 digest of the archive. */
const UPLOAD = /^upload:([0-9a-f]{64})?$/;

/** The source of an app that waits for its first upload. */
export const NO_UPLOAD_YET = 'upload:';

const REF = /^[\p{L}\p{N}_@][\p{L}\p{M}\p{N}._/+@#=,-]*$/u;
/** What `git check-ref-format` rejects although REF accepts it. */
const INVALID_REF = /^@$|\.\.|\/[/.]|[/.]$|\.lock(?:\/|$)/;
const REF_MAX_LENGTH = 200;

export function sourceUrlProblem(url: string, rules: SourceRules): string | undefined {
  if (url.trim() === '') return 'Source URL is required';
  if (url.length > URL_MAX_LENGTH || /\s/.test(url) || hasHiddenCharacters(url)) {
    return 'Source URL is not valid';
  }
  if (SCP_FORM.test(url)) return undefined;
  const scheme = SCHEME.exec(url)?.[1];
  if (scheme === undefined) return 'Source URL must start with https:// or ssh://';
  if (hasPassword(url)) return 'Source URL must not contain a password';
  const isAddress = scheme === 'file' ? FILE_ADDRESS.test(url) : ADDRESS.test(url);
  if (!isAddress || !URL.canParse(url)) return 'Source URL is not valid';
  return schemeProblem(scheme, rules);
}

export function isUploadUrl(url: string): boolean {
  return UPLOAD.test(url);
}

/** The digest of the uploaded archive; undefined for other sources, and before the first upload. */
export function uploadDigest(url: string): string | undefined {
  return UPLOAD.exec(url)?.[1];
}

/** Its ref is the digest too: an upload never changes, so that its build can be reused. */
export function uploadedSource(digest: string): {
  enabled: true;
  url: string;
  ref: string;
  secretName: '';
} {
  return { enabled: true, url: `${NO_UPLOAD_YET}${digest}`, ref: digest, secretName: '' };
}

/** Only an upload to the app itself sets a digest. */
export function uploadUrlProblem(url: string, storedUrl: unknown): string | undefined {
  return url === NO_UPLOAD_YET || url === storedUrl
    ? undefined
    : 'Upload the source code to this app instead of naming an upload';
}

/** URLs are not stored encrypted. One with a token that is stored already may stay: its app keeps working. */
export function sourceTokenProblem(url: string): string | undefined {
  const isWeb = /^https?:/.test(url) && URL.canParse(url);
  return isWeb && new URL(url).username.length >= TOKEN_MIN_LENGTH
    ? 'Source URL must not contain a token. Connect an integration instead'
    : undefined;
}

export function sourceRefProblem(ref: string): string | undefined {
  const isRef = ref.length <= REF_MAX_LENGTH && REF.test(ref) && !INVALID_REF.test(ref);
  return isRef ? undefined : 'Source ref must be a branch, a tag or a commit';
}

function hasPassword(url: string): boolean {
  return URL.canParse(url) && new URL(url).password !== '';
}

function schemeProblem(scheme: string, { allowLocalSources }: SourceRules): string | undefined {
  if (scheme === 'https' || scheme === 'ssh' || allowLocalSources) return undefined;
  return `Source URL must start with https:// or ssh://; ${scheme}:// must be enabled by the operator`;
}
