import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HandoffRepository, NOON, openHandoffRepository } from '../handoff-repository.ts'
import { REST } from '../handoffs.ts'
import { PROGRAM } from '../program.ts'

/** Runs a program at a terminal, types something when it is first asked, and ends as it does. */
const AT_A_TERMINAL = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execvp(sys.argv[2], sys.argv[2:])
text = b''
try:
  while True:
    more = os.read(terminal, 65536)
    if not more: break
    text += more
    if text.endswith((b'> ', b'G')) and sys.argv[1]:
      os.write(terminal, bytes.fromhex(sys.argv[1]))
      sys.argv[1] = ''
except OSError: pass
print(text.decode(errors='replace'))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`
const hasTerminals =
  spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode']).status === 0

let repo: HandoffRepository
beforeEach(() => {
  repo = openHandoffRepository()
})
afterEach(() => repo.remove())

test.runIf(hasTerminals).each([
  ['Ctrl-C', '03'],
  ['Ctrl-D', '04'],
])(
  '%s at a question ends the run, and nothing is written (needs python3 to make a terminal)',
  (_, typed) => {
    repo.handoff('a', 2)
    repo.write('src/a.ts', 'x')
    repo.write('in.json', JSON.stringify({ sections: REST }))
    const flags = ['--root', repo.root, '--now', new Date(NOON).toISOString(), '--agent', 'codex']
    const line = ['new', 'handoff-document', '--from', join(repo.root, 'in.json'), ...flags]
    const { status, stdout } = spawnSync(
      'python3',
      ['-c', AT_A_TERMINAL, typed, process.execPath, PROGRAM, ...line],
      { encoding: 'utf8', timeout: 60_000 },
    )
    expect(stdout).toContain('Is it k(ept), d(one) or s(uperseded), and why?')
    expect(stdout).not.toContain('internal error')
    expect(status).toBe(130)
    expect(readdirSync(join(repo.root, 'handoffs'))).toHaveLength(1)
  },
)
