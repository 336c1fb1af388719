import type { Repository } from '@longshore/contract';

/** Whether name or description hold every word of a search. */
export function isMatch({ full_name, description }: Repository, search: string): boolean {
  const text = `${full_name} ${description}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
