import { spawnSync } from 'node:child_process'
import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { widthOf } from '../src/cli/render/layout.ts'
import { PROGRAM } from './program.ts'
import { FAULTY, openTestFolder, SOUND, type TestFolder } from './test-folder.ts'
import { waybill } from './waybill.ts'

/** Runs a program at a terminal of so many columns; types something once it has drawn a bar. */
const AT_A_TERMINAL = `
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
  fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 24, int(sys.argv[2]), 0, 0))
  os.execvp(sys.argv[3], sys.argv[3:])
text = b''
try:
  while True:
    more = os.read(terminal, 65536)
    if not more: break
    text += more
    if '█'.encode() in text and sys.argv[1]:
      os.write(terminal, bytes.fromhex(sys.argv[1]))
      sys.argv[1] = ''
except OSError: pass
sys.stdout.buffer.write(text)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`
const hasTerminals =
  spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode']).status === 0

let box: TestFolder
beforeEach(() => {
  box = openTestFolder()
})
afterEach(() => box.remove())

interface Terminal {
  readonly columns?: number
  readonly term?: string
  readonly typed?: string
}

function atTerminal({ columns = 80, term = 'xterm', typed = '' }: Terminal, ...args: string[]) {
  const env = { ...process.env, TERM: term, NO_COLOR: '' }
  Reflect.deleteProperty(env, 'FORCE_COLOR')
  const line = [process.execPath, PROGRAM, ...args, '--root', box.root]
  return spawnSync('python3', ['-c', AT_A_TERMINAL, typed, String(columns), ...line], {
    encoding: 'utf8',
    cwd: box.root,
    timeout: 60_000,
    env,
  })
}

function writeMany(count: number): void {
  mkdirSync(join(box.root, 'many'))
  const first = join(box.root, 'many/0.json')
  writeFileSync(first, SOUND)
  for (let i = 1; i < count; i++) linkSync(first, join(box.root, `many/${i}.json`))
}

describe.runIf(hasTerminals)('at a terminal (needs python3 to make one)', () => {
  test('one that moves has colours and a bar, which takes less than a line', () => {
    writeMany(1500)
    const { stdout, status } = atTerminal({ columns: 40 }, 'check')
    expect(status).toBe(0)
    expect(stdout).toContain('\x1b[32m')
    const bars = stdout.split('\r').filter(part => part.includes('█') || part.includes('░'))
    expect(bars.length).toBeGreaterThan(0)
    expect(bars.every(bar => widthOf(stripVTControlCharacters(bar)) < 40)).toBe(true)
  })

  test('a dumb one has neither', () => {
    writeMany(1500)
    const { stdout } = atTerminal({ term: 'dumb' }, 'check')
    expect(stdout).toContain('1500 documents accepted')
    expect(['\x1b', '█', '░'].filter(mark => stdout.includes(mark))).toEqual([])
  })

  test('Ctrl-C takes the bar away', () => {
    // So many that it has not come to an end when the key is pressed at last, on a busy machine too.
    writeMany(20_000)
    const { stdout, status } = atTerminal({ typed: '03' }, 'check')
    expect(status).toBe(130)
    const [bar, nothing] = stdout.replaceAll('^C', '').split('\r').slice(-2)
    expect(bar).toMatch(/░ [0-9]+\/20000 files$/)
    expect(nothing).toBe('\x1b[K')
  })

  test.each([60, 80, 140])('in %i columns the line that is shown fits', columns => {
    const { session_id: _, ...rest } = JSON.parse(FAULTY)
    box.write('a.json', JSON.stringify({ ...rest, note: '日本'.repeat(80) }))
    const { stdout } = atTerminal({ columns }, 'check', 'a.json')
    const lines = stripVTControlCharacters(stdout).split('\r\n')
    const shown = lines.filter(line => /^1 │/.test(line))
    const carets = lines.filter(line => /^ {2}│ +\^+$/.test(line))
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.every(line => widthOf(line) <= columns)).toBe(true)
    expect(shown.some(line => widthOf(line) > columns - 4)).toBe(true)
    expect(carets.length).toBe(shown.length)
    expect(carets.every(line => widthOf(line) <= columns)).toBe(true)
  })
})

test('colours that are asked for stay, whatever the terminal', async () => {
  box.write('a.json', FAULTY)
  const env = { TERM: 'dumb', NO_COLOR: '', FORCE_COLOR: '1' }
  const { stdout } = await waybill(['check', 'a.json'], { cwd: box.root, env })
  expect(stdout).toContain('\x1b[31m')
})
