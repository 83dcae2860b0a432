import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openGovernedRepository } from '../../../test/governed-repository.ts'
import { loadConfig } from '../../workspace/index.ts'
import { openGateway } from '../gateway/gateway.ts'
import { openDecisionContext } from './decision-context.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('Git is asked once for all handoffs that come together, and again when the lock is another', async () => {
  const repository = await openGovernedRepository()
  const { root, remove } = repository
  const config = await loadConfig(root)
  const gateway = await openGateway(root, config, { now: Date.now })
  try {
    const asked = countGit(join(root, 'bin'))
    const decisionContext = openDecisionContext(root, config, gateway)
    const together = await Promise.all(Array.from({ length: 8 }, decisionContext))
    expect(new Set(together.map(({ standing }) => standing)).size).toBe(1)
    expect(asked()).toBe(1)
    const lock = readFileSync(join(root, 'prompt-lock.json'), 'utf8')
    repository.write('prompt-lock.json', `${lock}\n`)
    const { standing } = await decisionContext()
    expect(standing.lock?.committed).toBe(false)
    expect(asked()).toBe(2)
  } finally {
    await gateway.close()
    remove()
  }
})

/** Puts a Git before the real one that notes each call. */
function countGit(folder: string): () => number {
  const calls = join(folder, 'calls')
  const others = process.env.PATH ?? ''
  mkdirSync(folder)
  writeFileSync(calls, '')
  const script = `#!/bin/sh\necho call >> '${calls}'\nPATH='${others}' exec git "$@"\n`
  writeFileSync(join(folder, 'git'), script)
  chmodSync(join(folder, 'git'), 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${others}`)
  return () => readFileSync(calls, 'utf8').split('\n').length - 1
}
