import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { decode, MOST_BYTES, readDocuments } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { contentOf, type HandoffContent, handoffText, withBody } from '../../session/index.ts'
import {
  openStateFolder,
  readOwnFile,
  removeLeft,
  stateFolder,
  writeAtomically,
} from '../../workspace/index.ts'
import { emptySections } from '../new/sections.ts'
import type { App } from '../operation.ts'

const FILE = 'handoff-being-edited.md'

/**
 * Lets the user write a handoff in the editor of the environment.
 *
 * The text stays in the state folder until the handoff is written, so that nothing typed is lost.
 *
 * @throws {WaybillError} 'usage' when an earlier text is continued that lacks one of the given texts.
 */
export async function editContent(
  content: HandoffContent,
  given: readonly string[],
  app: App,
): Promise<HandoffContent> {
  const file = join(openStateFolder(app.root), FILE)
  const earlier = readOwnFile(file, MOST_BYTES)?.toString()
  if (earlier === undefined) writeAtomically(file, await formFor(content))
  else {
    const missing = given.find(text => !earlier.includes(firstLine(text)))
    if (missing !== undefined)
      throw new WaybillError(
        'usage',
        `'${firstLine(missing)}' is not in the text that --edit continues`,
        { hint: `add it in the editor without the flag, or remove .waybill/${FILE}` },
      )
    app.tell?.(`continues the text in .waybill/${FILE}`)
  }
  runEditor(file, app)
  const { text, faults } = decode(readOwnFile(file, MOST_BYTES) ?? new Uint8Array())
  const [document] = (await readDocuments(text, 'markdown', faults)).documents
  const [fault] = document?.faults ?? []
  if (document && !fault) return contentOf(document)
  throw new WaybillError('usage', `the text cannot be read: ${fault?.message ?? 'it is empty'}`, {
    hint: `it is kept in .waybill/${FILE}; waybill handoff --edit opens it again`,
  })
}

/** The first line of a text, which a list does not indent. */
function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}

/** Tells whether a text was edited whose handoff is not written yet. */
export function isEdited({ root }: App): boolean {
  return readOwnFile(join(stateFolder(root), FILE), MOST_BYTES) !== undefined
}

/** Removes the text once its handoff is written. */
export function forgetEdited({ root }: App): void {
  removeLeft(join(openStateFolder(root), FILE))
}

/** The text to edit: each empty required section says what belongs there. */
async function formFor(content: HandoffContent): Promise<string> {
  const sections = (await emptySections(content)).reduce(
    (all, { title, purpose }) => withBody(all, title, `<!-- ${purpose} -->`),
    content.sections,
  )
  return handoffText({ ...content, sections })
}

function runEditor(file: string, { ask, variable }: App): void {
  const editor = variable?.('VISUAL') || variable?.('EDITOR')
  if (!ask || !editor) {
    throw new WaybillError('usage', 'there is no editor to open', {
      hint: ask ? 'set EDITOR, such as EDITOR=nano' : 'use --edit on a terminal, or --from <file>',
    })
  }
  // An editor may have arguments, such as `code --wait`; the file is passed apart from them.
  const { status } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], {
    stdio: 'inherit',
  })
  if (status === 0) return
  throw new WaybillError('usage', `the editor ended with ${status ?? 'a signal'}`, {
    hint: `the text is kept in .waybill/${FILE}; waybill handoff --edit opens it again`,
  })
}
