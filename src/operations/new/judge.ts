import { resolve } from 'node:path'
import { type HandoffContent, handoffText } from '../../session/index.ts'
import type { DiagnosticForPeople } from '../check/report.ts'
import { checkForPeople } from '../check.ts'
import type { App } from '../operation.ts'
import { isNoteContent } from './sections.ts'

/** Runs the full `waybill check` on a text before it is written. */
export async function checkText(
  text: string,
  path: string,
  contract: string,
  app: App,
): Promise<readonly DiagnosticForPeople[]> {
  const bytes = new TextEncoder().encode(text)
  const { documents } = await checkForPeople(
    { paths: ['-'], stdinPath: resolve(app.root, path), contract },
    { ...app, stdin: async () => bytes },
  )
  return documents.find(d => !d.path.includes('#L'))?.diagnostics ?? []
}

/** Returns what is wrong in one section of a handoff that is still incomplete, in words. */
export async function faultsInSection(
  content: HandoffContent,
  title: string,
  path: string,
  app: App,
): Promise<string[]> {
  const text = handoffText(content)
  const contract = isNoteContent(content) ? 'handoff-note' : 'handoff-document'
  const lines = text.split('\n')
  const start = lines.indexOf(`## ${title}`) + 1
  const after = lines.findIndex((line, i) => i >= start && /^##? /.test(line))
  const end = after < 0 ? lines.length : after
  return (await checkText(text, path, contract, app))
    .filter(({ severity, line }) => severity === 'error' && line > start && line <= end)
    .map(({ message, hint }) => (hint ? `${message} (${hint})` : message))
}
