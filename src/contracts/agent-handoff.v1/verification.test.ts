import { describe, expect, test } from 'vitest'
import type { Files } from '../../contract/index.ts'
import type { Lock, Manifest } from '../agents.ts'
import { idFault, type Party, promptFault } from './verification.ts'

const ID = 'domain-01-strategy'
const [HASH, OTHER] = ['a'.repeat(64), 'b'.repeat(64)]
const DOMAIN = {
  name: 'Strategy',
  file: 'domains/strategy.md',
  canonical_id: ID,
  version: '1.0.0',
  scope: 'plans',
}

const manifest = {
  path: 'prompts/prompt-manifest.json',
  value: { domains: { strategy: DOMAIN }, archetypes: {} } as Manifest,
}
const lockOf = (hash: string) => ({
  path: 'prompts/prompt-lock.json',
  value: {
    prompts: { [ID]: { file: DOMAIN.file, hash, type: 'domain', version: '1.0.0' } },
  } as Lock,
})
const partyOf = (hash: string) =>
  ({ agent_id: ID, agent_type: 'domain', agent_version: '1.0.0', prompt_hash: hash }) as Party

/** Files of which every one has a hash, and what was asked of them. */
function filesOf(hash: string | undefined): Files & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    kindOf: () => (hash === undefined ? 'missing' : 'file'),
    matches: () => true,
    sha256: path => {
      asked.push(path)
      return hash
    },
  }
}

describe('the proof of a prompt', () => {
  test('is made once for all that ask for the same', () => {
    const [party, lock, files] = [partyOf(HASH), lockOf(HASH), filesOf(HASH)]
    for (let i = 0; i < 8; i++) expect(promptFault(party, manifest, lock, files)).toBeUndefined()
    expect(files.asked).toEqual(['prompts/domains/strategy.md'])
    const wrong = lockOf(OTHER)
    const fault = promptFault(party, manifest, wrong, files)
    expect(fault?.rule).toBe('prompt-hash-matches-lock')
    expect(promptFault(party, manifest, wrong, files)).toBe(fault)
  })

  test.each([
    ['the lock', () => ({ lock: lockOf(OTHER) })],
    ['the files', () => ({ files: filesOf(OTHER) })],
    ['a file that is gone', () => ({ files: filesOf(undefined) })],
    ['the manifest', () => ({ manifest: renamed() })],
  ])('is computed again for another party, and against other facts: %s', (_, other) => {
    const [party, lock, files] = [partyOf(HASH), lockOf(HASH), filesOf(HASH)]
    expect(promptFault(party, manifest, lock, files)).toBeUndefined()
    const now = { manifest, lock, files, ...other() }
    expect(promptFault(party, now.manifest, now.lock, now.files)).toBeDefined()
    expect(promptFault(party, manifest, lock, files)).toBeUndefined()
    expect(promptFault(partyOf(OTHER), manifest, lock, files)).toBeDefined()
  })

  test('is computed again where the party itself has changed', () => {
    const party: { -readonly [key in keyof Party]: Party[key] } = partyOf(HASH)
    const [lock, files] = [lockOf(HASH), filesOf(HASH)]
    expect(promptFault(party, manifest, lock, files)).toBeUndefined()
    party.prompt_hash = OTHER
    expect(promptFault(party, manifest, lock, files)).toBeDefined()
    party.prompt_hash = HASH
    party.agent_id = 'domain-02-analysis'
    expect(promptFault(party, manifest, lock, files)).toBeDefined()
  })
})

/** The manifest with another prompt file for the same agent. */
function renamed(): typeof manifest {
  const domains = { strategy: { ...DOMAIN, file: 'domains/other.md' } }
  return { ...manifest, value: { ...manifest.value, domains } }
}

test.each([
  ['too long to be repeated', 'a'.repeat(129), /is longer than 128 characters/],
  ['of letters of another script', 'domain-а', /contains 'а' \(U\+0430\)/],
  ['with a space', 'domain 01', /contains ' ' \(U\+0020\)/],
])('an id %s is no canonical one, though the manifest lists it', (_, id, message) => {
  const listed = {
    ...manifest,
    value: { domains: { [id]: { ...DOMAIN, canonical_id: id } }, archetypes: {} },
  }
  const fault = idFault({ ...partyOf(HASH), agent_id: id }, listed as unknown as typeof manifest)
  expect(fault).toMatchObject({ rule: 'known-agents', message: expect.stringMatching(message) })
  expect(idFault(partyOf(HASH), manifest)).toBeUndefined()
})
