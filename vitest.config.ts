import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** One folder for all that a run leaves behind, processes too: it is looked through and taken away at the end. */
const folder = join(tmpdir(), `waybill-run-${process.pid}`)

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // They are for what never ends: a machine with other work takes long for a process.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    env: {
      // The logs of tests are not remembered in the home of whoever runs them.
      XDG_STATE_HOME: join(tmpdir(), 'waybill-test-state'),
      TMPDIR: folder,
      // Agents and workers that tests start from the sources are compiled once: each starts in a sixth of the time.
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
    globalSetup: 'test/test-run.ts',
    teardownTimeout: 240_000,
  },
})
