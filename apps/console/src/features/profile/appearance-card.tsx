import { THEMES, type Theme } from '@longshore/contract';
import { chooseTheme } from '../../lib/appearance.ts';
import { useThemeChoice } from '../../lib/use-appearance.ts';
import { Card } from '../../ui/card.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { MESSAGES } from './messages.ts';

const OPTIONS = THEMES.map((theme) => ({ value: theme, label: MESSAGES.themes[theme] }));

/** All themes, including amber (spec-map 9.1.14). */
export function AppearanceCard() {
  const choice = useThemeChoice();
  return (
    <Card title={MESSAGES.appearance}>
      <div className="grid justify-items-start gap-3 p-4">
        <Segmented<Theme>
          label={MESSAGES.theme}
          value={choice}
          options={OPTIONS}
          onChange={chooseTheme}
        />
        <p className="text-xs text-faint">{MESSAGES.themeHint}</p>
      </div>
    </Card>
  );
}
