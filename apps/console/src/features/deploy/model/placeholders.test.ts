import { describe, expect, it } from 'vitest';
import { aRelease } from '../../../../test/resources.ts';
import { lastDetected, placeholdersOf } from './placeholders.ts';

describe('the placeholders of the build settings', () => {
  it('are examples before the first build', () => {
    expect(lastDetected([aRelease()])).toBeUndefined();
    expect(placeholdersOf(undefined)).toMatchObject({ buildCommand: 'npm run build' });
  });

  it('are those of the newest build that detected something', () => {
    const detected = { summary: 'Next.js', startCommand: 'next start', versions: { node: '>=20' } };
    const history = [aRelease({ number: 3 }), aRelease({ number: 2, detected })];
    expect(placeholdersOf(lastDetected(history))).toEqual({
      rootDirectory: 'The top folder',
      installCommand: 'None',
      buildCommand: 'None',
      startCommand: 'next start',
      releaseCommand: 'npm run migrate',
      stopGraceSeconds: '10',
      healthPath: '/health',
      healthStatus: '200',
      healthGraceSeconds: '60',
      healthIntervalSeconds: '10',
      healthFailureThreshold: '3',
      outputDirectory: 'None',
      dockerfile: 'None',
      nodeVersion: '>=20',
      pythonVersion: 'Default',
      goVersion: 'Default',
    });
  });
});
