import { expect, test } from 'vitest'
import { processesOf } from '../../../test/processes.ts'
import { openTestFolder } from '../../../test/test-folder.ts'
import { runProgram } from './program.ts'

test.each([
  ['its parent', "setsid sh -c 'setsid sleep 600 &' >/dev/null 2>&1 &"],
  ['all that came before it', "(setsid sh -c '(setsid sleep 600 &) &' &) >/dev/null 2>&1"],
])(
  'what is left in a session of its own ends too where %s ends with the program',
  async (_, start) => {
    const folder = openTestFolder()
    const { signal } = new AbortController()
    const more = { environment: { PATH: process.env.PATH ?? '' }, input: '', bytes: 10, signal }
    for (let i = 0; i < 8; i++)
      await runProgram({ command: ['/bin/sh', '-c', start], folder: folder.root, ...more })
    const left = processesOf(folder.root)
    for (const { pid } of left) process.kill(pid, 'SIGKILL')
    folder.remove()
    expect(left).toEqual([])
  },
)
