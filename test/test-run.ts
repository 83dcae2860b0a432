import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { stopEmbedded } from '../src/store/index.ts'
import { STATE_FOLDER } from '../src/workspace/index.ts'
import { comesTrue, processesOf } from './processes.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the database servers stand that all tests of a run share. */
    databases: string
  }
}

/** How long processes may take to end with the tests, in milliseconds. */
const PATIENCE = 60_000

/**
 * Gives all tests of a run one temporary folder, and takes it away at the end.
 *
 * A process that is left in it then is a fault of the test that started it, and fails the run.
 */
export function setup(project: TestProject, patience = PATIENCE): () => Promise<void> {
  const folder = project.config.env.TMPDIR
  if (!folder) throw new Error('vitest.config.ts names no TMPDIR')
  // Tests that run something as another user let him into their own folder.
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const databases = join(folder, 'databases')
  project.provide('databases', databases)
  return async () => {
    await stopDatabases(databases)
    const isClean = await comesTrue(() => processesOf(folder).length === 0, patience)
    const left = isClean ? [] : processesOf(folder)
    for (const { pid } of left) endProcess(pid)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    if (left.length === 0) return
    const lines = left.map(({ pid, command }) => `${pid} ${command}`)
    throw new Error(`processes outlived the tests that started them:\n${lines.join('\n')}`)
  }
}

async function stopDatabases(databases: string): Promise<void> {
  mkdirSync(databases, { recursive: true })
  for (const name of readdirSync(databases)) await stopEmbedded(join(databases, name, STATE_FOLDER))
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}
