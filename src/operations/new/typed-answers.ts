import { join } from 'node:path'
import {
  openStateFolder,
  readOwnFile,
  removeLeft,
  stateFolder,
  writeAtomically,
} from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** Section texts by title. */
type Answers = Readonly<Record<string, string>>

const FILE = 'typed-answers.json'
const MOST_BYTES = 1024 ** 2

/** Keeps an answer until its handoff is written, so that nothing typed is lost. */
export function keepAnswer(title: string, body: string, { root }: App): void {
  const answers = { ...readAnswers(root), [title]: body }
  writeAtomically(join(openStateFolder(root), FILE), JSON.stringify(answers))
}

/** Offers the answers of a handoff that was not written. */
export async function earlierAnswers({ root, ask }: App): Promise<Answers> {
  const answers = readAnswers(root)
  const titles = Object.keys(answers)
  if (titles.length === 0 || !ask) return {}
  const answer = await ask(
    `Your answers for ${titles.join(', ')} are in no handoff yet. Use them? y(es) or n(o)\n> `,
  )
  return /^y/i.test(answer) ? answers : {}
}

/** Forgets the answers once their handoff is written. */
export function forgetAnswers({ root }: App): void {
  if (Object.keys(readAnswers(root)).length > 0) removeLeft(join(stateFolder(root), FILE))
}

function readAnswers(root: string): Answers {
  try {
    const value: unknown = JSON.parse(
      readOwnFile(join(stateFolder(root), FILE), MOST_BYTES)?.toString() ?? '{}',
    )
    const entries = Object.entries(value ?? {})
    return Object.fromEntries(entries.filter(([, text]) => typeof text === 'string'))
  } catch {
    return {}
  }
}
