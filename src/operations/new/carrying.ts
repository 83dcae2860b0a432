import { join } from 'node:path'
import { spelled } from '../../contract/index.ts'
import {
  type HouseHeadings,
  handoffFileNameOf,
  NEXT_STEPS,
  OPEN_LOOPS,
  openItems,
  partOf,
  USUAL_HEADINGS,
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
import { isNoteContent } from './sections.ts'

/** A document with the open items of its predecessor. */
interface Carrying {
  readonly content: HandoffContent
  readonly carried: CarriedItem[]
  /** Items that would not be read back from the written document. */
  readonly lost: MissingField[]
}

/** Writes the open items of the predecessor into a new document. */
export async function carryInto(
  content: HandoffContent,
  predecessor: string | undefined,
  answers: readonly CarryAnswer[],
  root: string,
  headings?: HouseHeadings,
): Promise<Carrying> {
  const carried = await carriedItems(content, predecessor, answers, root, headings)
  if (predecessor === undefined) return { content, carried, lost: [] }
  const name = handoffFileNameOf(predecessor)
  const missing = carried.filter(item => item.said !== 'restated')
  const whole = write(missing, content, name, titlesFor(content, headings))
  return { content: whole, carried, lost: await lostIn(whole, missing, headings) }
}

/** Returns the open items of the predecessor with their outcomes; an answer without an item is an error. */
async function carriedItems(
  content: HandoffContent,
  predecessor: string | undefined,
  answers: readonly CarryAnswer[],
  root: string,
  headings: HouseHeadings | undefined,
): Promise<CarriedItem[]> {
  const place = { path: predecessor, headings }
  const items =
    predecessor === undefined ? [] : openItems(await documentAt(root, predecessor), place)
  return carryOver(items, openItems(await documentFrom(content), { headings }), answers)
}

/** Asks at the terminal for the outcome of every item that has none yet. */
export async function askWhatBecame(
  content: HandoffContent,
  predecessor: string | undefined,
  answers: readonly CarryAnswer[],
  root: string,
  ask: NonNullable<App['ask']>,
  headings?: HouseHeadings,
): Promise<readonly CarryAnswer[]> {
  const items = await carriedItems(content, predecessor, answers, root, headings)
  const open = items.filter(item => item.said === 'unsaid')
  const more: CarryAnswer[] = []
  for (const [i, { number, section, text }] of open.entries()) {
    const lead = `Open item ${i + 1} of ${open.length}, from ${section}:\n  ${spelled(plainText(text))}`
    const answer = await askUntilClear(number, lead, ask)
    if (answer) more.push(answer)
  }
  return [...answers, ...more]
}

const HOW = 'Is it k(ept), d(one) or s(uperseded), and why? Enter keeps it'
/** How often a question is repeated. */
const MOST_TRIES = 3

/** Asks again when the reason is missing; an unclear answer keeps the item. */
async function askUntilClear(
  number: number,
  lead: string,
  ask: NonNullable<App['ask']>,
): Promise<CarryAnswer | undefined> {
  let said = await ask(`${lead}\n${HOW}\n> `)
  for (let tries = 1; tries < MOST_TRIES; tries++) {
    const answer = answerFrom(number, said)
    if (answer || said === '' || /^k(?:ept)?$/i.test(said)) return answer
    said = await ask('Give one of the three and a reason, such as: d the tests are merged\n> ')
  }
  return answerFrom(number, said)
}

async function documentAt(root: string, path: string): Promise<Document> {
  const file = join(root, path)
  const cannot = (why: string) =>
    new WaybillError('input-output', `cannot read the predecessor ${path}: ${why}`, {
      hint: 'fix it, or start a new chain with --continues none',
    })
  if (openFiles(root).kindOf(path) !== 'file') throw cannot('it is not a file in this repository')
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(file, MOST_BYTES)
  } catch (cause) {
    throw cannot((cause as NodeJS.ErrnoException).code ?? (cause as Error).message)
  }
  const { text, faults } = decode(bytes ?? new Uint8Array())
  const [document] = (await readDocuments(text, 'markdown', faults)).documents
  if (!document?.markdown) throw cannot(document?.faults[0]?.message ?? 'it is not Markdown')
  return document
}

async function documentFrom(content: HandoffContent): Promise<Document> {
  const [document] = (await readDocuments(handoffText(content), 'markdown')).documents
  if (!document) throw new Error('no document in the text')
  return document
}

/** The sections that carried items go to. */
interface CarryTitles {
  readonly steps: string
  readonly loops: string
}

/** A note has headings of its own. */
function titlesFor(content: HandoffContent, headings: HouseHeadings | undefined): CarryTitles {
  if (!isNoteContent(content)) return { steps: NEXT_STEPS, loops: OPEN_LOOPS }
  const titled = (part: 'next' | 'open') =>
    content.sections.find(({ level, title }) => level === 2 && partOf(title, headings) === part)
      ?.title ?? USUAL_HEADINGS[part]
  return { steps: titled('next'), loops: titled('open') }
}

/** Kept next steps stay next steps unless the new document has its own; all other items become open loops. */
function write(
  carried: readonly CarriedItem[],
  content: HandoffContent,
  predecessor: string,
  titles: CarryTitles,
): HandoffContent {
  const plans = bodyOf(content.sections, titles.steps) !== ''
  const isStep = (item: CarriedItem) =>
    !plans && item.section === NEXT_STEPS && item.outcome === 'kept'
  const steps = carried.filter(isStep)
  const loops = carried.filter(item => !isStep(item))
  let { sections } = content
  if (steps.length > 0) {
    const lines = steps.map((item, i) => entryOf(item, predecessor, `${i + 1}.`))
    sections = withBody(sections, titles.steps, lines.join('\n'))
  }
  if (loops.length > 0) {
    const lines = loops.map(item => entryOf(item, predecessor))
    const own = bodyOf(sections, titles.loops)
    const lead = `What \`${predecessor.replaceAll('`', "'")}\` left to do:`
    const body = [...(own ? [own] : []), lead, lines.join('\n')].join('\n\n')
    sections = withBody(sections, titles.loops, body)
  }
  return { ...content, sections }
}

/** Returns the items that would not be read back unchanged by the next session. */
async function lostIn(
  content: HandoffContent,
  carried: readonly CarriedItem[],
  headings: HouseHeadings | undefined,
): Promise<MissingField[]> {
  const document = await documentFrom(content)
  const found = openItems(document, { headings })
  const written = new Set(found.map(item => `${item.done} ${plainText(item.text)}`))
  return carried
    .filter(item => !written.has(`${item.outcome !== 'kept'} ${plainText(item.text)}`))
    .map(({ number, text }) => ({
      field: `item ${number}`,
      what: `It cannot be carried over literally; write it in your own words: ${plainText(text).slice(0, 200)}`,
    }))
}
