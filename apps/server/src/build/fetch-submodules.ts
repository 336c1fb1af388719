import { EngineFailure, type Reason } from '../engines/failure.ts';
import { MAX_SUBMODULES, missingSubmodule, type Submodule, submoduleUrl } from './submodules.ts';

/** A repository whose files are checked out, at this path of the app. */
type CheckedOutRepository = { url: string; submodules: Submodule[]; path?: string };

type SubmoduleDeps = {
  /** Fetches a commit and writes its files to this path of the checkout; returns the submodules of the commit. */
  fetchInto(path: string, source: { url: string; ref: string }): Promise<Submodule[]>;
  writeLine(line: string): void;
};

/** They are problems of this machine or of the app, not of a submodule. */
const FATAL: Reason[] = ['disk-full', 'app-disk-full', 'engine-failed', 'engine-down'];

/**
 * Fetches the submodules of a repository, and theirs. Apps often do not need them, so one that cannot be fetched is left out;
 * returns a sentence for each.
 */
export async function fetchSubmodules(
  root: CheckedOutRepository,
  { fetchInto, writeLine }: SubmoduleDeps,
  signal: AbortSignal,
): Promise<string[]> {
  const missing: string[] = [];
  const report = (sentence: string) => {
    missing.push(sentence);
    writeLine(sentence);
  };
  const queue = submodulesOf(root, root);
  for (const [index, submodule] of queue.entries()) {
    if (index === MAX_SUBMODULES) {
      report(`Only ${MAX_SUBMODULES} submodules were fetched`);
      break;
    }
    try {
      const { path, url } = submodule;
      if (url === undefined) throw new EngineFailure('repository-not-found');
      const submodules = await fetchInto(path, { url, ref: submodule.commit });
      writeLine(`Checked out the submodule ${path} at ${submodule.commit}`);
      queue.push(...submodulesOf({ url, submodules, path }, root));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EngineFailure) || FATAL.includes(error.reason)) throw error;
      report(missingSubmodule(submodule, error.reason));
    }
  }
  return missing;
}

function submodulesOf(
  { url: parent, submodules, path }: CheckedOutRepository,
  root: CheckedOutRepository,
): Submodule[] {
  return submodules.map((it) => ({
    ...it,
    path: path === undefined ? it.path : `${path}/${it.path}`,
    url: it.url === undefined ? undefined : submoduleUrl(it.url, { parent, root: root.url }),
  }));
}
