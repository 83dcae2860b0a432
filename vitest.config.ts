import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    maxWorkers: 2,
    // The logs of tests are not remembered in the home of whoever runs them.
    env: { XDG_STATE_HOME: join(tmpdir(), 'waybill-test-state') },
  },
})
