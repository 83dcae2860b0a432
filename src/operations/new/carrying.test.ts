import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Given,
  type HandoffFolder,
  openHandoffFolder,
  REST,
  SECTIONS,
  stdin,
} from '../../../test/handoffs.ts'
import { text } from '../../cli/render/new.ts'
import { style } from '../../cli/terminal.ts'
import { createForPeople } from '../new.ts'

let folder: HandoffFolder
beforeEach(() => {
  folder = openHandoffFolder()
})
afterEach(() => folder.remove())

describe('what the session before left open', () => {
  const outcomes = (output: Awaited<ReturnType<HandoffFolder['run']>>) =>
    output.carried.map(c => `${c.number} ${c.outcome}: ${c.text.replace(/\s+/g, ' ')}`)

  test('is carried over whole where the new document does not mention it', async () => {
    const before = await folder.first()
    const output = await folder.later({ sections: REST })
    expect(output).toMatchObject({ accepted: true, predecessor: before.path })
    expect(outcomes(output)).toEqual([
      '1 kept: Old files have no header.',
      '2 kept: Ask the owner about the name',
      '3 kept: Write tests',
      '4 kept: Write docs',
    ])
    const text = folder.textOf(output.path)
    expect(text).toContain('mode: RESUME\n')
    expect(text).toContain('continues_from: handoffs/2026-06-01T00-00-00Z-handoff.md\n')
    expect(text).toContain(
      '1. Write tests\n   (carried over from `2026-06-01T00-00-00Z-handoff.md`',
    )
    expect(text).not.toContain('Write code')
  })

  test('is answered on the command line and in the content', async () => {
    await folder.first()
    const carried = [{ item: 'Write tests', outcome: 'done', why: 'merged' }]
    const output = await folder.later(
      { sections: REST, carried },
      { carry: ['1=superseded:by a converter', '2=kept: no answer yet'] },
    )
    expect(outcomes(output)).toEqual([
      '1 superseded: Old files have no header.',
      '2 kept: Ask the owner about the name',
      '3 done: Write tests',
      '4 kept: Write docs',
    ])
    const text = folder.textOf(output.path)
    expect(text).toContain('- [x] Old files have no header.\n  (superseded since `')
    expect(text).toContain(': no answer yet)')
    // What is ticked is not met again.
    const third = await folder.run(
      { from: '-' },
      { ...stdin({ sections: REST }), now: Date.UTC(2026, 5, 3) },
    )
    expect(outcomes(third)).toEqual(['1 kept: Ask the owner about the name', '2 kept: Write docs'])
  })

  test('is carried over by itself below what is ticked, until it is done with it', async () => {
    const steps = '1. [x] Write\n   - [ ] Sign\n     - [ ] twice\n2. Ship\n3. Rest'
    const sections = {
      ...SECTIONS,
      'Immediate Next Steps': steps,
      'Pending Work / Open Loops': 'None.',
    }
    await folder.run({ from: '-', adr: 'ADR-0.0.25' }, stdin({ sections }))
    const output = await folder.later({ sections: REST }, { carry: ['1=done: signed twice'] })
    expect(outcomes(output)).toEqual(['1 done: Sign - [x] twice', '2 kept: Ship', '3 kept: Rest'])
    const later = { ...stdin({ sections: REST }), now: Date.UTC(2026, 5, 3) }
    const third = await folder.run({ from: '-' }, later)
    expect(outcomes(third)).toEqual(['1 kept: Ship', '2 kept: Rest'])
  })

  test('is not repeated where the new document holds it itself', async () => {
    await folder.first()
    const output = await folder.later({
      sections: {
        ...REST,
        'Immediate Next Steps': '1. Write docs\n2. Release\n3. Rest',
        'Pending Work / Open Loops': '- [x] Old files  have no header.',
      },
    })
    expect(output.carried.map(c => `${c.outcome} ${c.said}`)).toEqual([
      'done restated',
      'kept unsaid',
      'kept unsaid',
      'kept restated',
    ])
    expect(folder.textOf(output.path).match(/Write docs/g)).toHaveLength(1)
    expect(folder.textOf(output.path)).toContain('- Write tests\n  (carried over from')
  })

  test('that cannot stand in the new document refuses it', async () => {
    const sections = { ...SECTIONS, 'Pending Work / Open Loops': '- Fix the TBD in the title' }
    const before = await folder.run(
      { from: '-', adr: 'ADR-0.0.25', draft: true },
      stdin({ sections }),
    )
    folder.write('handoffs/2026-06-01T00-00-00Z-a.md', folder.textOf(before.path))
    const output = await folder.later({ sections: REST })
    expect(output).toMatchObject({
      created: false,
      diagnostics: [{}, { code: 'handoff-document/no-placeholders' }],
    })
  })

  test.each<[string, Given]>([
    ['an item that there is not', { carry: ['9=done:x'] }],
    ['no reason', { carry: ['1=done:'] }],
    ['no outcome', { carry: ['1=gone:x'] }],
    ['no item', { carry: ['done:x'] }],
    ['an item twice', { carry: ['1=done:x', '1=kept:y'] }],
  ])('cannot be answered with %s', async (_, given) => {
    await folder.first()
    await expect(folder.later({ sections: REST }, given)).rejects.toMatchObject({ code: 'usage' })
    expect(folder.filesIn('handoffs')).toHaveLength(1)
  })

  test('is asked about on a terminal, item by item', async () => {
    await folder.first()
    const asked: string[] = []
    const replies = ['', 's by a form', 'd', 'd merged', 'what?', '', 'k']
    const output = await folder.run(
      { from: '-' },
      {
        ...stdin({
          sections: {
            ...REST,
            'Immediate Next Steps': '1. Go on',
            'Pending Work / Open Loops': 'None.',
          },
        }),
        now: Date.UTC(2026, 5, 2),
        ask: async question => {
          asked.push(question)
          return replies[asked.length - 1] ?? ''
        },
      },
    )
    expect(asked).toHaveLength(6)
    expect(asked[1]).toContain('Ask the owner about the name')
    expect(output.carried.map(c => `${c.outcome} ${c.said}`)).toEqual([
      'kept unsaid',
      'superseded answered',
      'done answered',
      'kept unsaid',
    ])
  })

  test('in another chain is noted, since only one can be carried on', async () => {
    const { path } = await folder.first()
    folder.write(
      'handoffs/2026-05-01T00-00-00Z-other.md',
      folder.textOf(path).replaceAll('2026-06-01', '2026-05-01'),
    )
    const output = await folder.later({ sections: REST })
    expect(output.predecessor).toBe(path)
    expect(output.notes).toMatchObject([expect.stringContaining('2026-05-01T00-00-00Z-other.md')])
  })
})

test('a document that cannot be read is noted: it may have left something open', async () => {
  const { path } = await folder.first()
  const torn = 'handoffs/2026-06-01T01-00-00Z-torn.md'
  folder.write(torn, folder.textOf(path).replace('\n---\n', '\n'))
  const output = await folder.later({ sections: REST }, { adr: 'ADR-0.0.25' })
  expect(output.predecessor).toBe(path)
  expect(output.notes).toMatchObject([expect.stringContaining(torn)])
})

test('an answer that the new document contradicts refuses it', async () => {
  await folder.first()
  const steps = '1. Write docs\n2. Rest\n3. [x] Write tests'
  const sections = { ...REST, 'Immediate Next Steps': steps, 'Pending Work / Open Loops': 'None.' }
  for (const carry of ['4=done:merged', '3=kept:still to do'])
    await expect(folder.later({ sections }, { carry: [carry] })).rejects.toMatchObject({
      code: 'usage',
    })
  expect(folder.filesIn('handoffs')).toHaveLength(1)
})

describe('the predecessor', () => {
  test('is the newest of the same decision record, and never one of the future', async () => {
    const { path } = await folder.first()
    const text = folder.textOf(path)
    folder.write('handoffs/2026-05-01T00-00-00Z-a.md', text.replaceAll('2026-06-01', '2026-05-01'))
    folder.write('handoffs/2099-01-01T00-00-00Z-b.md', text.replaceAll('2026-06-01', '2099-01-01'))
    folder.write('handoffs/2026-06-01T01-00-00Z-c.md', text.replace('ADR-0.0.25', 'ADR-9.9.9'))
    const output = await folder.later({ sections: REST }, { adr: 'ADR-0.0.25' })
    expect(output.predecessor).toBe(path)
    expect(output.notes.join()).toContain('2099-01-01T00-00-00Z-b.md')
  })

  test('may be ahead of the clock by as much as check allows, and the new time follows it', async () => {
    const { path } = await folder.first()
    const now = Date.UTC(2026, 5, 1) - 90_000
    const content = stdin({ sections: REST })
    const newest = await folder.run({ from: '-', slug: 'two' }, { ...content, now })
    expect(newest).toMatchObject({ created: true, predecessor: path, notes: [] })
    expect(folder.textOf(newest.path)).toContain('timestamp: "2026-06-01T00:00:00Z"')
    const named = { from: '-', slug: 'three', continues: path }
    expect(await folder.run(named, { ...content, now })).toMatchObject({ created: true })
    const early = { ...stdin({ sections: SECTIONS }), now: now - 300_000 }
    const alone = await createForPeople(
      { contract: 'handoff-document', agent: 'a', from: '-', slug: 'four', adr: 'ADR-0.0.25' },
      folder.app(early),
    )
    expect(alone).toMatchObject({ created: true, predecessor: null })
    expect(text(alone, style(false), folder.app(), true)).toContain(
      'missing or after 2026-05-31T23:58:30Z',
    )
  })

  test('is never the file that the content is read from', async () => {
    const { path } = await folder.first()
    const { path: from } = await folder.later({ sections: REST })
    const now = Date.UTC(2026, 5, 3)
    folder.write(from, folder.textOf(from).replace(/continues_from: .*\n/, ''))
    const given = { from, slug: 'again' }
    expect(await folder.run(given, { now })).toMatchObject({ created: true, predecessor: path })
    await expect(folder.run({ ...given, continues: from }, { now })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('cannot continue itself'),
    })
  })

  test('is none where that was said', async () => {
    await folder.first()
    const output = await folder.later(
      { sections: SECTIONS },
      { adr: 'ADR-0.0.25', continues: 'none' },
    )
    expect(output).toMatchObject({ created: true, predecessor: null, carried: [] })
    expect(folder.textOf(output.path)).toContain('mode: CREATE')
  })

  test('is the one that was named', async () => {
    const { path } = await folder.first()
    folder.write('handoffs/2026-06-01T01-00-00Z-b.md', folder.textOf(path).replace('T00:', 'T01:'))
    expect((await folder.later({ sections: REST }, { continues: path })).predecessor).toBe(path)
    await expect(folder.later({ sections: REST }, { continues: 'no.md' })).rejects.toMatchObject({
      code: 'not-found',
    })
    await expect(folder.later({ sections: REST }, { continues: '../x.md' })).rejects.toMatchObject({
      code: 'usage',
    })
  })

  test('that was given but does not exist is refused by the check', async () => {
    const frontmatter = { continues_from: 'handoffs/gone.md', adr_id: 'ADR-0.0.25' }
    const output = await folder.run({ from: '-' }, stdin({ frontmatter, sections: SECTIONS }))
    expect(output).toMatchObject({
      created: false,
      diagnostics: [{ code: 'handoff-document/predecessor-exists' }],
    })
  })
})

test('a credential in what was left open is neither carried over nor shown', async () => {
  const { path } = await folder.first()
  const text = folder.textOf(path).replace('Write docs', 'Log in with password=hunter2-example')
  folder.write(path, text)
  const output = await folder.later({ sections: REST })
  expect(output).toMatchObject({ created: false, text: null })
  expect(output.diagnostics.map(d => d.code)).toContain('handoff-document/no-secrets')
  expect(JSON.stringify(output)).not.toContain('hunter2')
})

test('what was typed at a terminal is kept as a draft where it would not be accepted', async () => {
  const questions: string[] = []
  const answers = ['The reader works.', 'y']
  const output = await folder.run(
    { from: '-', adr: 'ADR-0.0.25' },
    {
      ...stdin({
        sections: { ...SECTIONS, 'Current State Summary': '', 'Important Context': 'TBD' },
      }),
      ask: async question => {
        questions.push(question)
        return answers[questions.length - 1] ?? ''
      },
    },
  )
  expect(questions).toHaveLength(2)
  expect(output).toMatchObject({ accepted: false, draft: true, created: true })
  expect(folder.textOf(output.path)).toContain('The reader works.')
})
