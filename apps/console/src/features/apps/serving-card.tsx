import { Card } from '../../ui/card.tsx';
import { MESSAGES } from './messages.ts';
import type { ServingView } from './model/serving-view.ts';
import { AddressRow } from './public-access-card.tsx';

const [FIRST_LABELS, GENERATED_LABELS] = [
  { copy: MESSAGES.copyUrl, open: MESSAGES.openInNewTab },
  { copy: MESSAGES.copyGeneratedUrl, open: MESSAGES.openGeneratedUrl },
];

/** The URLs of the serving release, while the public access card is not shown. */
export function ServingCard({ release, urls }: Pick<ServingView, 'release' | 'urls'>) {
  return (
    <Card
      title={MESSAGES.servingAt}
      actions={<span className="text-muted">{MESSAGES.releaseNumber(release)}</span>}
    >
      {urls.map((url, position) => (
        <AddressRow
          key={url}
          url={url}
          isDimmed={false}
          labels={position > 0 && position === urls.length - 1 ? GENERATED_LABELS : FIRST_LABELS}
        />
      ))}
    </Card>
  );
}
