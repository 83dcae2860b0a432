import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/** One folder for all files and processes of a run; it is checked and removed at the end. */
const folder = join(tmpdir(), `waybill-run-${process.pid}`)

const settings = {
  // Limits for what never ends: a process can take long on a busy machine.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  teardownTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
  env: {
    // Tests do not remember logs in the home folder of the user.
    XDG_STATE_HOME: join(tmpdir(), 'waybill-test-state'),
    TMPDIR: folder,
    // Agents and workers started from the sources are compiled once per run.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  },
}

/** Tests of pure functions, which need no folder and no database. */
const PURE = [
  'src/{document,contract,contracts}/**/*.test.ts',
  'src/ledger/*.test.ts',
  'src/cli/render/*.test.ts',
]

/**
 * Killed and stopped processes, lost databases, wrong clocks: they wait more than they work, each in a process of its own.
 * So do sessions of real coding agents, and the two tests that change the queue engine, of which a process has one.
 */
const FAULTS = [
  'test/agents/*.test.ts',
  'src/store/enqueue.test.ts',
  'src/mission/run/durable.test.ts',
  'src/store/embedded/*.test.ts',
  'src/ledger/file/crash.test.ts',
  'src/store/ledger/processes.test.ts',
  'src/store/restart.test.ts',
  'src/session/state/processes.test.ts',
  'src/operations/{log-verify-flips,log-pipes,log-migrate}.test.ts',
  'test/hostile/{interrupted,locking,upgrading,writing}.test.ts',
  'test/hostile/governed/{killed,replay}.test.ts',
  'src/mission/runners/watch.test.ts',
  'test/missions/{clock-jumps,database-away,embedded-killed,full-disk,heard}.test.ts',
  'test/missions/{killed-at-a-step,killed-at-random,leaving,leaving-without-database}.test.ts',
  'test/missions/{lost-answers,moved-log,pipelines-meanwhile,side-by-side}.test.ts',
  'test/missions/{silent-database,stopped-worker,waiting}.test.ts',
]

const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts']

function project(
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  return { test: { ...settings, ...test, name } }
}

export default defineConfig({
  test: {
    maxWorkers: 3,
    projects: [
      project('pure', { include: PURE, isolate: false }),
      project('product', {
        include: ALL,
        isolate: false,
        exclude: [...PURE, ...FAULTS],
        globalSetup: 'test/test-run.ts',
      }),
      project('faults', { include: FAULTS, globalSetup: 'test/test-run.ts' }),
    ],
  },
})
