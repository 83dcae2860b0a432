import { spelled } from '../../contract/index.ts'
import { maskSecrets } from '../../document/index.ts'
import { userName } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import type { ResumeFinding } from './codes.ts'

/** Shows a person at the terminal what changed, and asks why the document still holds; Enter refuses it. */
export async function askWhyItHolds(
  reason: string,
  cautions: readonly ResumeFinding[],
  { ask, root }: App,
): Promise<{ readonly by: string; readonly note: string } | undefined> {
  const changes = cautions.map(({ message }) => `  ${spelled(message)}\n`).join('')
  const lead = `This handoff is ${reason}.\n${changes}`
  const note = await ask?.(`${lead}Why does it still hold? Enter refuses it\n> `)
  if (!note?.trim()) return undefined
  return { by: maskSecrets(userName(root)), note: maskSecrets(note.trim()) }
}
