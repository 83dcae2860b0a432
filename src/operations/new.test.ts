import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  exampleOf,
  type Given,
  type HandoffFolder,
  openHandoffFolder,
  SECTIONS,
  stdin,
} from '../../test/handoffs.ts'
import { faultsOf } from '../../test/output.ts'
import { PROGRAM } from '../../test/program.ts'
import { openTestFolder } from '../../test/test-folder.ts'
import { contracts } from '../contracts/index.ts'

let folder: HandoffFolder
beforeEach(() => {
  folder = openHandoffFolder()
})
afterEach(() => folder.remove())

describe('nothing existing is touched', () => {
  test('a second document of the same second gets another name', async () => {
    await folder.first()
    const output = await folder.first()
    expect(output.path).toBe('handoffs/2026-06-01T00-00-00Z-handoff-2.md')
    expect(folder.filesIn('handoffs')).toHaveLength(2)
  })

  test('of many processes in the same second each writes its own', async () => {
    folder.write('in.json', JSON.stringify({ sections: SECTIONS }))
    const line = 'new handoff-document --from in.json --adr ADR-0.0.25 --agent a --continues none'
    const args = [PROGRAM, ...line.split(' '), '--now', '2026-06-01T00:00:00Z']
    const codes = await Promise.all(
      Array.from({ length: 4 }, () => {
        const child = spawn(process.execPath, args, { cwd: folder.root, stdio: 'ignore' })
        return new Promise(done => child.on('close', done))
      }),
    )
    expect(codes).toEqual([0, 0, 0, 0])
    expect(folder.filesIn('handoffs')).toHaveLength(4)
  })

  test('a named file that is there is an error of the call', async () => {
    folder.write('a.md', 'mine')
    const given = { file: 'a.md', from: '-', adr: 'ADR-0.0.25' }
    await expect(folder.run(given, stdin({ sections: SECTIONS }))).rejects.toMatchObject({
      code: 'exists',
    })
    expect(folder.textOf('a.md')).toBe('mine')
  })

  test.each<[string, Given, string]>([
    ['outside the repository', { file: '../a.md' }, 'usage'],
    ['in the folder of Git', { file: '.git/hooks/a.md' }, 'usage'],
    ['in the folder of Waybill', { file: 'src/../.WAYBILL/keys/a.md' }, 'usage'],
    ['of another kind', { file: 'a.json' }, 'usage'],
    ['of a contract that there is not', { contract: 'handof-document' }, 'not-found'],
    ['from a file that does not exist', { from: 'no.json' }, 'not-found'],
    ['from a folder', { from: 'src' }, 'input-output'],
  ])('a document %s is an error of the call', async (_, given, code) => {
    await expect(folder.run(given)).rejects.toMatchObject({ code })
  })

  test('no folder is written to that is a link out of the repository', async () => {
    const other = openTestFolder()
    symlinkSync(other.root, join(folder.root, 'handoffs'))
    await expect(folder.first()).rejects.toMatchObject({ code: 'exists' })
    expect(readdirSync(other.root)).toEqual([])
    other.remove()
  })

  test('no predecessor is read through a link out of the repository', async () => {
    const other = openTestFolder()
    other.write('2026-05-01T00-00-00Z-a.md', '---\nadr_id: ADR-0.0.25\n---\n')
    mkdirSync(join(folder.root, 'handoffs'))
    symlinkSync(
      join(other.root, '2026-05-01T00-00-00Z-a.md'),
      join(folder.root, 'handoffs/2026-05-01T00-00-00Z-a.md'),
    )
    expect(await folder.first()).toMatchObject({ created: true, predecessor: null })
    other.remove()
  })
})

describe('any other contract', () => {
  const names = contracts.filter(c => !c.formats.includes('markdown')).map(c => c.name)

  test.each(names)('%s gets a draft that shows every part and does not pass', async contract => {
    const output = await folder.run({ contract, draft: true })
    expect(faultsOf('new', output)).toEqual([])
    expect(output).toMatchObject({ created: true, path: expect.stringContaining('.draft.') })
    if (contract === 'session-state') return
    expect(output.text).toContain('TODO')
    expect(output.missing.length).toBeGreaterThan(0)
    expect(output.accepted).toBe(false)
  })

  test.each(names)('%s is made from its own example', async contract => {
    const { formats, id } = contracts.find(c => c.name === contract) ?? { formats: [], id: '' }
    const ending = contract === 'orchestration' || contract === 'session-state' ? 'yaml' : 'json'
    const example = exampleOf(id, ending)
    expect(formats).toContain(ending)
    const output = await folder.run(
      { contract, from: '-', file: `x/new.${ending}`, draft: true },
      stdin(example),
    )
    expect(output.missing).toEqual([])
    expect(output.known).toEqual([])
  })

  test('a session state begins as every session does', async () => {
    const output = await folder.run({ contract: 'session-state' })
    expect(output).toMatchObject({ created: true, path: 'SESSION_STATE.yaml', diagnostics: [] })
    await expect(folder.run({ contract: 'session-state' })).rejects.toMatchObject({
      code: 'exists',
    })
  })

  test('an artifact belongs to the mission whose envelope is there', async () => {
    const envelope = exampleOf('mission-envelope.v1', 'json')
    folder.write('missions/m/envelope.json', envelope)
    const output = await folder.run({ contract: 'policy-decision', from: '-' }, stdin(DECISION))
    expect(output).toMatchObject({ created: true, path: 'missions/m/policy-decision.json' })
    expect(JSON.parse(folder.textOf(output.path))).toMatchObject({
      mission_id: '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
      created_at: '2026-06-01T00:00:00Z',
      producer: 'claude-code',
      decision: 'deny',
    })
    const again = await folder.run({ contract: 'policy-decision', from: '-' }, stdin(DECISION))
    expect(again.path).toBe('missions/m/policy-decision-2.json')
  })

  test('which of two missions is meant is not guessed', async () => {
    const envelope = exampleOf('mission-envelope.v1', 'json')
    folder.write('a/envelope.json', envelope)
    folder.write('b/envelope.json', envelope.replace('3f1c', '4f1c'))
    const output = await folder.run({ contract: 'policy-decision', from: '-' }, stdin(DECISION))
    expect(output.missing).toMatchObject([{ field: '/mission_id' }])
    const inB = await folder.run(
      { contract: 'policy-decision', file: 'b/p.yaml', from: '-' },
      stdin(DECISION),
    )
    expect(folder.textOf(inB.path)).toContain('mission_id: 4f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10\n')
  })

  test('a context names the families of its agents', async () => {
    const payload = { key_findings: [], confidence: { overall: 0.5 } }
    const output = await folder.run(
      {
        contract: 'session-context',
        agent: 'ps-analyst',
        to: 'ps-synthesizer',
        session: 's-1',
        from: '-',
      },
      stdin({ payload }),
    )
    expect(JSON.parse(folder.textOf(output.path))).toMatchObject({
      session_id: 's-1',
      source_agent: { id: 'ps-analyst', family: 'ps' },
      target_agent: { id: 'ps-synthesizer', family: 'ps' },
    })
  })

  test('asks on a terminal for what is missing, and takes no for no answer', async () => {
    const answers: Record<string, string[]> = {
      '/decision_type': ['tool_scope'],
      '/subject': ['web_search'],
      '/decision:': ['perhaps', 'allow'],
      '/reason': ['it only reads'],
      '/mission_id': [''],
    }
    const output = await folder.run(
      { contract: 'policy-decision', dryRun: true },
      {
        ask: async question => {
          const key = Object.keys(answers).find(k => question.startsWith(k)) ?? ''
          return answers[key]?.shift() ?? ''
        },
      },
    )
    expect(output.missing).toMatchObject([{ field: '/mission_id' }])
    expect(answers['/decision:']).toEqual([])
  })
})

const DECISION = {
  decision_type: 'tool_scope',
  subject: 'web_search',
  decision: 'deny',
  reason: 'the data is confidential',
}
