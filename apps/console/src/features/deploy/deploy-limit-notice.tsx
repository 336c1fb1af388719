import { ROUTES } from '@longshore/contract';
import { Link } from 'react-router';
import { Notice } from '../../ui/notice.tsx';
import { MESSAGES } from './messages.ts';
import type { DeployLimit } from './model/deploy-limit.ts';

/** Shown before the user fills in the form, if the server would refuse the app. */
export function DeployLimitNotice({ limit }: { limit: DeployLimit | undefined }) {
  if (limit === undefined) return null;
  return (
    <div className="px-5 pt-5">
      <Notice tone="busy">
        <p className="font-medium">{limit.headline}</p>
        <p className="mt-0.5">{limit.text}</p>
        <Link to={ROUTES.profile} className="mt-1 inline-block underline underline-offset-4">
          {MESSAGES.limits.usage}
        </Link>
      </Notice>
    </div>
  );
}
