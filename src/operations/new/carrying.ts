import { join } from 'node:path'
import { spelled } from '../../contract/index.ts'
import {
  handoffFileNameOf,
  itemsIn,
  NEXT_STEPS,
  OPEN_LOOPS,
  openItems,
} from '../../contracts/index.ts'
import { type Document, decode, MOST_BYTES, readDocuments } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import {
  bodyOf,
  type CarriedItem,
  type CarryAnswer,
  carryOver,
  entryOf,
  type HandoffContent,
  handoffText,
  plainText,
  withBody,
} from '../../session/index.ts'
import { openFiles, readOwnFile } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { answerFrom } from './answers.ts'
import type { MissingField } from './output.ts'

/** A document with what its predecessor left to do, and what became of each part of that. */
interface Carrying {
  readonly content: HandoffContent
  readonly carried: CarriedItem[]
  /** Items that would not be found again where they were put. */
  readonly lost: MissingField[]
}

/** Writes into a new document what its predecessor left to do. */
export async function carryInto(
  content: HandoffContent,
  predecessor: string | undefined,
  answers: readonly CarryAnswer[],
  root: string,
): Promise<Carrying> {
  const carried = await carriedItems(content, predecessor, answers, root)
  if (predecessor === undefined) return { content, carried, lost: [] }
  const name = handoffFileNameOf(predecessor)
  const told = carried.filter(item => item.said !== 'restated')
  const whole = write(told, content, name)
  return { content: whole, carried, lost: await lostIn(whole, told) }
}

/** What became of everything that the predecessor left to do; without one, an answer is a mistake. */
async function carriedItems(
  content: HandoffContent,
  predecessor: string | undefined,
  answers: readonly CarryAnswer[],
  root: string,
): Promise<CarriedItem[]> {
  const items = predecessor === undefined ? [] : openItems(await documentAt(root, predecessor))
  return carryOver(items, openItems(await documentFrom(content)), answers)
}

/** Asks the person at the terminal what became of every item that nobody speaks of yet. */
export async function askWhatBecame(
  content: HandoffContent,
  predecessor: string | undefined,
  answers: readonly CarryAnswer[],
  root: string,
  ask: NonNullable<App['ask']>,
): Promise<readonly CarryAnswer[]> {
  const items = await carriedItems(content, predecessor, answers, root)
  const open = items.filter(item => item.said === 'unsaid')
  const more: CarryAnswer[] = []
  for (const [i, { number, section, text }] of open.entries()) {
    const lead = `${i + 1} of ${open.length} left open in ${section}:\n  ${spelled(plainText(text))}`
    const answer = await askUntilClear(number, lead, ask)
    if (answer) more.push(answer)
  }
  return [...answers, ...more]
}

const HOW = 'What became of it? k(ept), d(one) or s(uperseded) and why; Enter keeps it'
/** How often somebody is asked for the same thing. */
const MOST_TRIES = 3

/** Nobody's word is passed over because it lacks the reason; in the end what is unclear is kept. */
async function askUntilClear(
  number: number,
  lead: string,
  ask: NonNullable<App['ask']>,
): Promise<CarryAnswer | undefined> {
  let said = await ask(`${lead}\n${HOW}\n> `)
  for (let tries = 1; tries < MOST_TRIES; tries++) {
    const answer = answerFrom(number, said)
    if (answer || said === '' || /^k(?:ept)?$/i.test(said)) return answer
    said = await ask('Say which of the three, and why, such as: d the tests are merged\n> ')
  }
  return answerFrom(number, said)
}

async function documentAt(root: string, path: string): Promise<Document> {
  const file = join(root, path)
  const cannot = (why: string) =>
    new WaybillError('input-output', `${path}, which is to be carried on, cannot be read: ${why}`, {
      hint: 'mend it, or begin a new chain with --continues none',
    })
  if (openFiles(root).kindOf(path) !== 'file') throw cannot('it is no file of this repository')
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(file, MOST_BYTES)
  } catch (cause) {
    throw cannot((cause as NodeJS.ErrnoException).code ?? (cause as Error).message)
  }
  const { text, faults } = decode(bytes ?? new Uint8Array())
  const [document] = (await readDocuments(text, 'markdown', faults)).documents
  if (!document?.markdown) throw cannot(document?.faults[0]?.message ?? 'it is no Markdown')
  return document
}

async function documentFrom(content: HandoffContent): Promise<Document> {
  const [document] = (await readDocuments(handoffText(content), 'markdown')).documents
  if (!document) throw new Error('a text is always a document')
  return document
}

/** Next steps go on as next steps where the new document has none of its own; all else is an open loop. */
function write(
  carried: readonly CarriedItem[],
  content: HandoffContent,
  predecessor: string,
): HandoffContent {
  const plans = bodyOf(content.sections, NEXT_STEPS) !== ''
  const isStep = (item: CarriedItem) =>
    !plans && item.section === NEXT_STEPS && item.outcome === 'kept'
  const steps = carried.filter(isStep)
  const loops = carried.filter(item => !isStep(item))
  let { sections } = content
  if (steps.length > 0) {
    const lines = steps.map((item, i) => entryOf(item, predecessor, `${i + 1}.`))
    sections = withBody(sections, NEXT_STEPS, lines.join('\n'))
  }
  if (loops.length > 0) {
    const lines = loops.map(item => entryOf(item, predecessor))
    const own = bodyOf(sections, OPEN_LOOPS)
    const lead = `What \`${predecessor.replaceAll('`', "'")}\` left to do:`
    const body = [...(own ? [own] : []), lead, lines.join('\n')].join('\n\n')
    sections = withBody(sections, OPEN_LOOPS, body)
  }
  return { ...content, sections }
}

/** Whatever was carried over has to be found again by the next session, as it was meant. */
async function lostIn(
  content: HandoffContent,
  carried: readonly CarriedItem[],
): Promise<MissingField[]> {
  const document = await documentFrom(content)
  const found = [OPEN_LOOPS, NEXT_STEPS].flatMap(title => itemsIn(document, title))
  const written = new Set(found.map(item => `${item.done} ${plainText(item.text)}`))
  return carried
    .filter(item => !written.has(`${item.outcome !== 'kept'} ${plainText(item.text)}`))
    .map(({ number, text }) => ({
      field: `item ${number}`,
      what: `It cannot be carried over as it stands; write it down in words of your own: ${plainText(text).slice(0, 200)}`,
    }))
}
