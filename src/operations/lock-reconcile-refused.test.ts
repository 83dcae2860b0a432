import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from '../../test/governed-repository.ts'
import { entriesOf } from '../../test/log-entries.ts'
import { PROGRAM } from '../../test/program.ts'
import reconcile from './lock-reconcile.ts'
import send from './send.ts'

const PRODUCT = 'domain-05-product'
const PROMPT = `prompts/${PRODUCT}.md`
const LOCK = 'prompt-lock.json'
const STATED = { agent: PRODUCT, by: 'ada', why: 'read it' }

const opened: GovernedRepository[] = []
const path = process.env.PATH
afterAll(() => {
  process.env.PATH = path
  for (const repository of opened) repository.remove()
})

/** A repository in which the prompt of one agent was changed, and noticed. */
async function quarantined(): Promise<GovernedRepository> {
  const repository = await openGovernedRepository('people: claimed\n')
  opened.push(repository)
  repository.write('draft.json', JSON.stringify(draftOf(PRODUCT, 'domain-02-analysis')))
  repository.write(PROMPT, 'You are another agent.\n')
  await send.run({ path: 'draft.json' }, repository.app())
  return repository
}

const lockIn = (root: string) => readFileSync(join(root, LOCK), 'utf8')

/** Has a command run while ada is asked for the passphrase of her key; gives its file. */
function whileAsked({ root, write, git }: GovernedRepository, command: string): string {
  const key = join(root, '.waybill/ada')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  const [type, words] = readFileSync(`${key}.pub`, 'utf8').split(' ')
  const config = readFileSync(join(root, 'waybill.yaml'), 'utf8')
  const ada = `  - { person: ada, key: "${type} ${words}", from: 2026-01-01T00:00:00Z }\n`
  write('waybill.yaml', config.replace(/^trust:\n/m, `trust:\n${ada}`))
  git('commit', '-q', '-m', 'people', 'waybill.yaml')
  const real = execFileSync('sh', ['-c', 'command -v ssh-keygen'], { encoding: 'utf8' }).trim()
  const asking = join(root, '.waybill/ssh-keygen')
  writeFileSync(
    asking,
    `#!/bin/sh\ncase "$*" in *sign*) (cd '${root}' && ${command}) </dev/null >&2;; esac\nexec ${real} "$@"\n`,
  )
  chmodSync(asking, 0o755)
  process.env.PATH = `${join(root, '.waybill')}:${path}`
  return key
}

test('a person whom another worktree overtakes has locked nothing', async () => {
  const repository = await quarantined()
  const { root } = repository
  const second = `${root}-second`
  repository.git('worktree', 'add', '-q', '--detach', second)
  try {
    writeFileSync(join(second, PROMPT), 'Evil.\n')
    writeFileSync(join(second, 'waybill.yaml'), readFileSync(join(root, 'waybill.yaml')))
    const roots = [root, second]
    const before = roots.map(lockIn)
    const runs = await Promise.allSettled(
      roots.map(where => reconcile.run(STATED, repository.app({ root: where, cwd: where }))),
    )
    const states = runs.map(({ status }) => status)
    expect([...states].sort()).toEqual(['fulfilled', 'rejected'])
    const late = states.indexOf('rejected')
    expect(lockIn(roots[late] ?? '')).toBe(before[late])
    expect(lockIn(roots[1 - late] ?? '')).not.toBe(before[1 - late])
  } finally {
    rmSync(second, { recursive: true, force: true })
  }
})

test('of an agent that is accused again while its prompt is signed for nothing is locked', async () => {
  const repository = await quarantined()
  const { root } = repository
  const waybill = `${process.execPath} ${PROGRAM}`
  // The agent is released, its prompt changes again and is noticed, and all files are put back.
  const key = whileAsked(
    repository,
    [
      `cp ${PROMPT} prompt && cp ${LOCK} lock`,
      `${waybill} lock reconcile ${PRODUCT} --by bob --why read`,
      `echo Evil. >${PROMPT} && { ${waybill} send draft.json || true; }`,
      `mv prompt ${PROMPT} && mv lock ${LOCK}`,
    ].join(' && '),
  )
  const before = lockIn(root)
  const entries = (await entriesOf(repository)).length
  const asked = reconcile.run({ ...STATED, key }, repository.app())
  await expect(asked).rejects.toMatchObject({
    code: 'conflict',
    message: `'${PRODUCT}' was accused again in the meantime`,
  })
  expect((await entriesOf(repository)).length).toBeGreaterThan(entries)
  expect(lockIn(root)).toBe(before)
})

test('a prompt that changes while it is signed for is not locked', async () => {
  const repository = await quarantined()
  const { root } = repository
  const key = whileAsked(repository, `echo Evil. >${PROMPT}`)
  const before = lockIn(root)
  const asked = reconcile.run({ ...STATED, key }, repository.app())
  await expect(asked).rejects.toMatchObject({
    code: 'conflict',
    message: 'the prompt changed during reconciliation',
  })
  expect(lockIn(root)).toBe(before)
  expect((await entriesOf(repository)).map(({ kind }) => kind)).not.toContain('reconciliation')
})
