import {
  type AccountUsage,
  type AppValues,
  type Capacity,
  isHibernated,
  sizeText,
  type Tier,
  type Usage,
} from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

const TEXTS = MESSAGES.size;

export type SizeOption = { value: string; label: string; isDisabled: boolean };

type Choice = {
  /** Of the installation, smallest first. */
  tiers: readonly Tier[];
  /** The size that the form shows. */
  chosen: string;
  /** Of an app that exists. */
  stored?: AppValues | undefined;
  /** Undefined: unknown. */
  usage: AccountUsage | undefined;
};

/** The sizes of the form. Those that the server would refuse cannot be chosen, and say why. */
export function sizeOptions({ tiers, chosen, stored, usage }: Choice): SizeOption[] {
  const own = stored === undefined || isHibernated(stored) ? NOTHING : sizeIn(tiers, stored);
  const options = tiers.map((tier) => {
    const isOver = usage !== undefined && isOverQuota(tier, own, usage);
    const isDisabled = isOver && tier.name !== chosen && tier.name !== stored?.resourceTier;
    const text = sizeText(tier);
    return { value: tier.name, label: isDisabled ? TEXTS.overLimit(text) : text, isDisabled };
  });
  if (tiers.some(({ name }) => name === chosen)) return options;
  return [...options, { value: chosen, label: TEXTS.notOffered(chosen), isDisabled: true }];
}

const NOTHING: Capacity = { cpus: 0, memoryBytes: 0 };

function sizeIn(tiers: readonly Tier[], { resourceTier }: AppValues): Capacity {
  return tiers.find(({ name }) => name === resourceTier) ?? NOTHING;
}

/** `own`: what the app uses already. */
function isOverQuota(size: Capacity, own: Capacity, usage: AccountUsage): boolean {
  const isOver = (name: keyof Capacity, { used, limit }: Usage) =>
    used !== null && limit !== null && used - own[name] + size[name] > limit;
  return isOver('memoryBytes', usage.memoryBytes) || isOver('cpus', usage.cpus);
}
