import type { HostCommands } from './host-commands.ts';
import { type Member, memberChangeText, type RulesetInput, rulesetText } from './ruleset.ts';

/** Keeps the table of an installation equal to its members. */
export type RulesLoader = {
  /** Resolves when the kernel has rules for the members at the time of the call, or later ones. */
  load(): Promise<void>;
  /** The next load replaces the whole table. */
  forget(): void;
};

export function createRulesLoader(options: {
  host: HostCommands;
  settings: Omit<RulesetInput, 'members'>;
  members: () => Member[];
}): RulesLoader {
  const { host, settings } = options;
  /** What the kernel has. Undefined: unknown. */
  let loaded: Member[] | undefined;
  const load = coalesce(async () => {
    const members = options.members();
    const before = loaded;
    loaded = undefined;
    if (before === undefined || !(await change(before, members))) {
      await apply(rulesetText({ ...settings, members }));
    }
    loaded = members;
  });
  return {
    load,
    forget() {
      loaded = undefined;
    },
  };

  /** Returns false when the table is not as it was left, for example after `nft flush ruleset`. */
  async function change(before: Member[], after: Member[]): Promise<boolean> {
    const removed = before.filter((member) => !after.includes(member));
    const added = after.filter((member) => !before.includes(member));
    if (removed.length + added.length === 0) return true;
    try {
      await apply(memberChangeText(settings.installation, { removed, added }));
      return true;
    } catch {
      return false;
    }
  }

  async function apply(input: string): Promise<void> {
    await host.run(['nft', '-f', '-'], { input, signal: new AbortController().signal });
  }
}

/**
 * Runs `work` one at a time. A call resolves after a run that started after the call; calls that wait at the same time share
 * one run.
 */
function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        running = work();
        return running;
      });
    return next;
  };
}
