import { type AppResource, type Badge, badgeOf } from '@longshore/contract';
import { byAppName, isNamedLike } from '../../../lib/resource-lists.ts';

export type AppCardView = {
  id: string;
  name: string;
  badge: Badge;
  origin: string;
  isFromSource: boolean;
  isPublic: boolean;
  updatedAt: string;
};

export function appCards(apps: AppResource[], search: string): AppCardView[] {
  return apps
    .filter((app) => isNamedLike(app.values.name, search))
    .toSorted(byAppName)
    .map(appCard);
}

function appCard({ id, values, status, updatedAt }: AppResource): AppCardView {
  const { source, container, publicAccess, instances } = values;
  return {
    id,
    name: values.name,
    badge: badgeOf({ status, instances }),
    origin: source.enabled ? shortSource(source.url) : container.image,
    isFromSource: source.enabled,
    isPublic: publicAccess.enabled,
    updatedAt,
  };
}

/** `https://github.com/acme/shop.git` is `acme/shop` to a reader. */
export function shortSource(url: string): string {
  const path = url.replace(/^[a-z+]+:\/\/[^/]*\//i, '').replace(/^[^/@]+@[^:/]+:/, '');
  return path.replace(/\.git$/, '').replace(/\/+$/, '') || url;
}
