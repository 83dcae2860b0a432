import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { catalogue } from './catalogue.generated.ts'
import { completion } from './completion.ts'

/** What bash offers for a command line whose last word is being typed. */
function offered(...words: string[]): string[] {
  const program = `${completion('bash', catalogue)}
COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_waybill; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', program], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\n').filter(Boolean)
}

describe('bash', () => {
  test.each([
    ['verbs', ['waybill', 'che'], ['check']],
    ['groups', ['waybill', 'pipe'], ['pipeline']],
    ['verbs of a group', ['waybill', 'state', 'a'], ['advance']],
    ['verbs below a verb', ['waybill', 'lock', ''], ['verify', 'reconcile']],
    ['flags of a verb that holds others', ['waybill', 'lock', '--dr'], ['--dry-run']],
    ['its flags behind the first one', ['waybill', 'lock', '--check', '--man'], ['--manifest']],
    ['formats of a verb below a verb', ['waybill', 'lock', 'verify', '--format', 'j'], ['json']],
    ['flags of such a verb', ['waybill', 'state', 'next', '--may'], ['--may-write-code']],
    [
      'flags of the verb',
      ['waybill', 'check', '--st'],
      ['--staged', '--stdin-path', '--structure-only'],
    ],
    ['formats', ['waybill', 'check', '--format', 's'], ['sarif']],
    ['values of a flag', ['waybill', 'state', 'advance', '--mode', 'D'], ['DEGRADED', 'DRAFT']],
    ['formats of another verb', ['waybill', 'show', '--format', ''], ['text', 'json']],
  ])('completes %s', (_, words, expected) => expect(offered(...words)).toEqual(expected))
})

test.each(['zsh', 'fish'] as const)(
  'the completion for %s has every verb and every flag',
  shell => {
    const script = completion(shell, catalogue)
    for (const { operation } of catalogue)
      for (const word of operation.name.split(' ')) expect(script).toContain(word)
    expect(script).toMatch(/structure-only/)
    expect(script).not.toContain('undefined')
  },
)
