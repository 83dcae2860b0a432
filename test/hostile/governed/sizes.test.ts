import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { entriesOf } from '../../log-entries.ts'
import { handoffOf } from './forge.ts'
import { expectNothingLeaked, expectVerified, prepare } from './stand.ts'

// Documents and envelopes that are too large, or are no files.

const prepared = await prepare()
const stand = prepared.stand()

const HUNDRED_MB = 100_000_000
/** Kilobytes that a run may take at most: less than the file and what every run takes. */
const MOST_MEMORY = 130_000

/** Receives a file and says what that took. */
async function receive(path: string, ...more: readonly string[]) {
  const tell = 'process.on("exit", () => console.error("peak", process.resourceUsage().maxRSS))'
  stand.write('tell.cjs', tell)
  const line = ['waybill receive', path, ...more, '--format json && touch ran'].join(' ')
  const run = await stand.shell(`NODE_OPTIONS="--require ./tell.cjs"; export NODE_OPTIONS; ${line}`)
  const memory = Number(/peak ([0-9]+)/.exec(run.stderr)?.[1])
  expect((await stand.shell('test -e ran')).status).toBe(1)
  return { ...run, memory, answer: run.stdout === '' ? undefined : JSON.parse(run.stdout) }
}

/** Writes a file of 100 MB that begins with a text. */
function writeLarge(path: string, text: string): void {
  mkdirSync(join(stand.root, 'inbox'), { recursive: true })
  const file = openSync(join(stand.root, path), 'w')
  writeSync(file, text)
  ftruncateSync(file, HUNDRED_MB)
  closeSync(file)
}

describe('100 MB', () => {
  test('as a document are refused without being read, in little memory', async () => {
    writeLarge('inbox/attack-1000.json', `{"handoff_id":"${' '.repeat(70_000)}`)
    const { answer, memory, stdout, stderr, status } = await receive('inbox/attack-1000.json')
    expect({ status, codes: answer.diagnostics.map(({ code }: { code: string }) => code) }).toEqual(
      {
        status: 1,
        codes: ['syntax/too-large'],
      },
    )
    expect(memory).toBeLessThan(MOST_MEMORY)
    expect((await entriesOf(stand)).at(-1)?.kind).toBe('handoff-rejected')
    await expectNothingLeaked(stand, { status, stdout, stderr })
  })

  test('through a pipe are refused as soon as they are too many', async () => {
    const { answer, memory } = await receive('-', '< /dev/zero')
    expect(answer.diagnostics[0].code).toBe('syntax/too-large')
    expect(memory).toBeLessThan(MOST_MEMORY)
    expect((await entriesOf(stand)).at(-1)?.kind).toBe('handoff-rejected')
  })

  test('as an envelope are refused without being read, in little memory', async () => {
    const handoff = handoffOf()
    stand.write('inbox/attack-1001.json', JSON.stringify(handoff))
    writeLarge('inbox/attack-1001.dsse.json', prepared.seal(handoff))
    const { answer, memory } = await receive('inbox/attack-1001.json')
    expect(answer.diagnostics.map(({ code }: { code: string }) => code)).toEqual([
      'envelope/too-large',
    ])
    expect(memory).toBeLessThan(MOST_MEMORY)
    expect((await entriesOf(stand)).at(-1)?.kind).toBe('handoff-rejected')
  })
})

describe('a path that leads to no file', () => {
  const DONE = { status: 2, stdout: '' }

  test.each([
    ['a folder', 'mkdir -p inbox/a.json'],
    ['a pipe without a writer', 'mkfifo inbox/a.json'],
    ['a device without end', 'ln -s /dev/zero inbox/a.json'],
    ['a link to itself', 'ln -s a.json inbox/a.json'],
    ['a link to nothing', 'ln -s nothing inbox/a.json'],
  ])('%s is an error at once, and no answer', async (_, line) => {
    await stand.shell(`mkdir -p inbox; rm -rf inbox/a.json; ${line}`)
    const run = await receive('inbox/a.json')
    expect(run).toMatchObject(DONE)
    expect(run.stderr).toMatch(/a\.json (?:cannot be read|does not exist)/)
    await stand.shell('rm -rf inbox/a.json')
  })

  test.each([
    ['a folder', 'mkdir inbox/b.dsse.json'],
    ['a pipe without a writer', 'mkfifo inbox/b.dsse.json'],
    ['a device without end', 'ln -s /dev/zero inbox/b.dsse.json'],
    ['a link to itself', 'ln -s b.dsse.json inbox/b.dsse.json'],
  ])('%s as an envelope never makes a handoff accepted', async (_, line) => {
    stand.write('inbox/b.json', JSON.stringify(handoffOf()))
    await stand.shell(`rm -rf inbox/b.dsse.json; ${line}`)
    const { status, answer } = await receive('inbox/b.json')
    expect([1, 2]).toContain(status)
    expect(answer?.answer ?? 'none').not.toBe('accepted')
    await stand.shell('rm -rf inbox/b.dsse.json')
  })

  test('a link to a document is received as the document that it leads to, with the envelope next to the link', async () => {
    const handoff = handoffOf()
    stand.write('elsewhere/c.json', JSON.stringify(handoff))
    stand.write('elsewhere/c.dsse.json', prepared.seal(handoff))
    symlinkSync('../elsewhere/c.json', join(stand.root, 'inbox/c.json'))
    const { answer } = await receive('inbox/c.json')
    expect(answer.diagnostics.map(({ code }: { code: string }) => code)).toEqual([
      'envelope/unsigned',
    ])
  })
})

test('all of it is recorded in a log that verifies', () => expectVerified(stand))
