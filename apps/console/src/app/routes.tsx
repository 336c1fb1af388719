import { ROUTES } from '@longshore/contract';
import { Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { lazyScreen } from '../lib/lazy-screen.ts';
import { SignedInOnly, VisitorsOnly } from './guards.tsx';

const Login = lazyScreen(() => import('../features/auth/login-screen.tsx'), 'LoginScreen');
const Signup = lazyScreen(() => import('../features/auth/signup-screen.tsx'), 'SignupScreen');
const VerifyEmail = lazyScreen(
  () => import('../features/auth/verify-email-screen.tsx'),
  'VerifyEmailScreen',
);
const ForgotPassword = lazyScreen(
  () => import('../features/auth/forgot-password-screen.tsx'),
  'ForgotPasswordScreen',
);
const Dashboard = lazyScreen(() => import('./dashboard.tsx'), 'Dashboard');
const NotFound = lazyScreen(() => import('./not-found.tsx'), 'NotFound');

/** Spec §2. Everything behind sign-in is one lazily loaded tree. */
export function AppRoutes() {
  return (
    <Suspense>
      <Routes>
        <Route path="/" element={<Navigate to={ROUTES.dashboard} replace />} />
        <Route element={<VisitorsOnly />}>
          <Route path={ROUTES.login} element={<Login />} />
          <Route path={ROUTES.signup} element={<Signup />} />
          <Route path={ROUTES.verifyEmail} element={<VerifyEmail />} />
          <Route path={ROUTES.forgotPassword} element={<ForgotPassword />} />
        </Route>
        <Route element={<SignedInOnly />}>
          <Route path={`${ROUTES.dashboard}/*`} element={<Dashboard />} />
        </Route>
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Suspense>
  );
}
