import type { TierTable } from '@longshore/contract';
import type { Clock } from '@longshore/edge-contract';
import type { NextSize, ProcessesOfApp, SizedApp } from '../apps/account-usage.ts';
import type { AppRow, ReconcilerStore, Written } from '../apps/reconciler-store.ts';
import type { FairQueue } from '../concurrency/fair-queue.ts';
import type { Engine, Instance } from '../engines/engine.ts';
import type { DesiredApp } from './desired.ts';
import type { HealthMonitor } from './health/health-monitor.ts';
import type { AppProcessRetries, ProcessRetries } from './processes/process-retries.ts';
import type { AppRetries, Retries } from './retries.ts';
import type { AppRouting } from './routing.ts';
import type { StepOf } from './step.ts';

/** What the apps and builds of one owner may use. */
export type OwnerLimits = {
  /** How many may run at once. */
  maxBuildsOf(ownerId: string): Promise<number>;
  /** What is used and allowed, if the owner's disk is used up. */
  diskProblemOf(ownerId: string, signal: AbortSignal): Promise<string | undefined>;
  /** For an app that ran out of memory. */
  nextSizeOf(app: SizedApp): Promise<NextSize>;
  /** Why the processes of an app may not run: those that a new Procfile adds are not checked when it is saved. */
  processProblemOf(app: ProcessesOfApp): Promise<string | undefined>;
  /** The processes of the release run or ran. They may be started again, whatever the quota is now. */
  recordProcesses(app: Pick<ProcessesOfApp, 'appId' | 'detected'>): void;
};

/** What all passes share. */
export type PassDeps = {
  store: ReconcilerStore;
  engine: Engine;
  routing: AppRouting;
  retries: Retries;
  processRetries: ProcessRetries;
  health: HealthMonitor;
  /** The newest lines of a log, as evidence for a failure. */
  lastLines(appId: string, log: Pick<Instance, 'logName'>): Promise<string[]>;
  /** Deletes what is stored of an app outside of the engine: log lines, traffic and uploaded archives. */
  deleteStored(appId: string): Promise<void>;
  /** Each running build holds a slot, by its owner. */
  buildSlots: Pick<FairQueue, 'acquire'>;
  ownerLimits: OwnerLimits;
  tiers: TierTable;
  baseDomain: string;
  /** Why an account may not deploy, line by line. Undefined: it may. */
  refusalOf(ownerId: string): Promise<string[] | undefined>;
  /** Must be monotonic: only differences between times count. */
  clock: Clock;
  logError(error: unknown, appId: string): void;
};

/** Checks of instances that join the rotation, beside the other steps of a pass: no instance waits for another one. */
export type BackgroundChecks = {
  /** The runs that are being checked. */
  runs(): ReadonlySet<string>;
  begin(step: StepOf<'check'>, pass: PassContext): void;
  /** Ends the checks of these runs: they do not join any more. */
  end(runs: string[]): void;
  /** The checks that failed since the last call. */
  takeFailed(): { step: StepOf<'check'>; instance: Instance; error: unknown }[];
  /** Resolves when a check has ended, or the pass is interrupted. */
  nextEnd(): Promise<void>;
  stop(): Promise<void>;
};

/** One pass for one app. */
export type PassContext = {
  desired: DesiredApp;
  retries: AppRetries;
  processRetries: AppProcessRetries;
  checks: BackgroundChecks;
  /** Both as in `PassControl`. */
  planned(): boolean;
  planAgain(): Promise<void>;
  /** The row that the pass began with, until it has been used. */
  read?: AppRow | undefined;
  /** What the row has, as far as it is known: it is not written again. */
  written?: Written | undefined;
  /** What was reported last. */
  progress?: string;
  /** Aborted when the desired state changes, and when the server stops. */
  signal: AbortSignal;
  deps: PassDeps;
};
