import { sizeText, type Tier } from '@longshore/contract';

/** Such as `1 CPU, 1 GiB`. A size that the installation does not offer is shown by its name. */
export function tierText(name: string, tiers: readonly Tier[] | undefined): string {
  const tier = tiers?.find((each) => each.name === name);
  return tier === undefined ? name : sizeText(tier);
}
